// Finds the operation of a request by its path and method: the only matcher of paths. A template is compared part by
// part, the most specific one first: `/v1/cups/{id}:wash` before `/v1/cups/{id}`.
import { groupBy } from "./lists.js";
import type { FindPath, PathMatch, Route } from "./model.js";
import { encodePath, normalizePath } from "./target.js";

/** A part of a template, as its literals around its parameters: `{id}:wash` → `["", ":wash"]`, `["id"]`. */
interface Segment {
  literals: string[];
  names: string[];
}

interface Template<Kind extends Route> {
  segments: Segment[];
  operations: Kind[];
}

/** Creates the function that finds what stands at a path, which is percent-encoded and has no query. */
export function createFindPath<Kind extends Route>(operations: readonly Kind[]): FindPath<Kind> {
  const templates = groupBy(operations, ({ path }) => path).map(
    (own): Template<Kind> => ({ segments: parseTemplate(own[0].path), operations: own }),
  );
  const ofLength = groupBy(templates.toSorted(bySpecificity), ({ segments }) => segments.length);
  const byLength = new Map(ofLength.map((group) => [group[0].segments.length, group]));
  return (path) => {
    const parts = normalizePath(path).split("/");
    for (const { segments, operations: own } of byLength.get(parts.length) ?? []) {
      const parameters: Record<string, string> = Object.create(null);
      const isMatch = segments.every((segment, index) => matchSegment(segment, parts[index] ?? "", parameters));
      if (isMatch) return { operations: own, parameters };
    }
    return undefined;
  };
}

/** The operation of a method, which is case-sensitive (RFC 9110 §9.1). A HEAD leads to a GET (D-65). */
export function operationFor<Kind extends Route>(match: PathMatch<Kind> | undefined, method: string): Kind | undefined {
  const find = (name: string) => match?.operations.find((operation) => operation.method.toUpperCase() === name);
  return find(method) ?? (method === "HEAD" ? find("GET") : undefined);
}

/** The methods of the operations, and HEAD where there is GET (D-51, D-65). */
export function allowedMethods(operations: readonly Route[]): string[] {
  return [...new Set(operations.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : method.toUpperCase())))];
}

function parseTemplate(path: string): Segment[] {
  return path.split("/").map((part) => {
    const pieces = part.split(/{([^}]*)}/); // literals and names in turn
    return {
      literals: pieces.filter((_piece, index) => index % 2 === 0).map((piece) => normalizePath(encodePath(piece))),
      names: pieces.filter((_piece, index) => index % 2 === 1),
    };
  });
}

/** Matches the shortest text for each parameter but the last. */
function matchSegment({ literals, names }: Segment, part: string, parameters: Record<string, string>): boolean {
  const [first = ""] = literals; // no rest of it: most parts of most templates do not match
  if (!part.startsWith(first)) return false;
  if (names.length === 0) return part === first;
  let start = first.length;
  for (const [index, name] of names.entries()) {
    const literal = literals[index + 1] ?? "";
    const isLast = index === names.length - 1;
    const end = isLast ? part.length - literal.length : part.indexOf(literal, start + 1);
    if (end <= start || (isLast && !part.endsWith(literal))) return false;
    parameters[name] = part.slice(start, end);
    start = end + literal.length;
  }
  return true;
}

function bySpecificity(one: Pick<Template<Route>, "segments">, other: Pick<Template<Route>, "segments">): number {
  for (const [index, segment] of one.segments.entries()) {
    const counterpart = other.segments[index];
    const difference = counterpart
      ? weightOf(counterpart) - weightOf(segment) || segment.names.length - counterpart.names.length
      : -1;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A literal segment comes first, then the one with the longest literals, then the one with fewer parameters. */
function weightOf({ literals, names }: Segment): number {
  return names.length === 0 ? Number.MAX_SAFE_INTEGER : literals.join("").length;
}
