// An operation of the model: found by path and method; what it declares for a status, a body or a media type; its
// examples; and the schema of its requests.
import { groupBy } from "./lists.js";
import { preferred } from "./media-type.js";
import { memoize } from "./memoize.js";
import type { DeclaredResponse, FindPath, MediaType, Operation, Parameter, PathMatch, Route } from "./model.js";
import type { ExampleRequest } from "./openapi-document.js";
import { nameIn } from "./parameter-reader.js";
import { writeSimple } from "./parameter-writer.js";
import type { Schema } from "./schema.js";
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

/**
 * Creates the function that finds what stands at a path, which is percent-encoded and has no query. A template is
 * compared part by part, the most specific one first: `/v1/cups/{id}:wash` before `/v1/cups/{id}`.
 */
export function createFindPath<Kind extends Route>(operations: readonly Kind[]): FindPath<Kind> {
  const templates = groupBy(operations, ({ path }) => path).map(
    (operations): Template<Kind> => ({ segments: parseTemplate(operations[0].path), operations }),
  );
  const ofLength = groupBy(templates.toSorted(bySpecificity), ({ segments }) => segments.length);
  const byLength = new Map(ofLength.map((group) => [group[0].segments.length, group]));
  return (path) => {
    const parts = normalizePath(path).split("/");
    for (const { segments, operations } of byLength.get(parts.length) ?? []) {
      const parameters: Record<string, string> = Object.create(null);
      const isMatch = segments.every((segment, index) => matchSegment(segment, parts[index] ?? "", parameters));
      if (isMatch) return { operations, parameters };
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

/** `GET /v1/notifications`. */
export function formatOperation({ method, path }: Pick<Operation, "method" | "path">): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The declaration of a status: its own, then that of its range, then `default`. */
export function findResponse({ responses }: Operation, status: number): DeclaredResponse | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const find = (key: string) => responses.find((response) => response.key.toUpperCase() === key);
  return find(String(status)) ?? find(range) ?? find("DEFAULT");
}

/** The lowest declared success, else `default`, else any other response. */
export function successOf({ responses }: Operation): DeclaredResponse | undefined {
  const ordered = responses.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return ordered.find(({ key }) => key.startsWith("2")) ?? ordered.find(({ key }) => key === "default") ?? ordered[0];
}

/** The media type of a body where nothing chooses: JSON if declared, else the first one. */
export function mainMedia({ content }: { content: readonly MediaType[] } = { content: [] }): MediaType | undefined {
  return preferred(content);
}

/** The names of all response headers, in the order of their first use. */
export function headerNamesOf(operations: readonly Operation[]): string[] {
  const headers = operations.flatMap(({ responses }) => responses.flatMap((response) => response.headers));
  return [...new Set(headers.map(({ name }) => name))];
}

/** The status of an invalid request: 422, or 400 if the contract declares only that. */
export function rejectionStatusOf({ responses }: Operation): number {
  const isDeclared = (key: string) => responses.some((response) => response.key === key);
  return !isDeclared("422") && isDeclared("400") ? 400 : 422;
}

export interface ResponseExample {
  name: string;
  status: number;
  /** The required headers, with the values of their examples, and the headers of this example. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** Set unless it is `application/json`. */
  mediaType?: string;
  /** The request that it responds to, whose names its message has. */
  request?: ExampleRequest | undefined;
}

/** All response examples of an operation, by status, then in the contract's order. */
export function responseExamplesOf({ responses }: Operation): ResponseExample[] {
  const ordered = responses.toSorted((one, other) => one.status - other.status);
  return ordered.flatMap(({ status, headers, content }) => {
    const required = headers.filter(({ isRequired, example }) => isRequired && example !== undefined);
    const texts = required.map(({ name, example, isExploded }) => [name, writeSimple(example, isExploded)]);
    return (mainMedia({ content })?.examples ?? []).map(({ name, value, object }) => {
      const extensions = Object.entries(object["x-headers"] ?? {}).map(([header, text]) => [header, String(text)]);
      return {
        name,
        status,
        headers: Object.fromEntries([...texts, ...extensions]),
        body: value,
        request: object["x-request"],
      };
    });
  });
}

/** The values of a request, read from their texts. The body is absent if the request has none. */
export interface RequestValues {
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  path: Record<string, unknown>;
  cookie: Record<string, unknown>;
  body?: unknown;
}

const PLACES = ["query", "header", "path", "cookie"] as const;
const schemasOf = memoize((_operation: Operation) => new Map<MediaType | undefined, Schema>());

/**
 * The schema of a whole request: its parameters by place, and its body in one media type. Validators, the contract tests
 * and the proxy all check requests by it.
 * @param media the form of the body; undefined for a request without a body.
 */
export function requestSchemaOf(operation: Operation, media: MediaType | undefined): Schema {
  const schemas = schemasOf(operation);
  const schema = schemas.get(media) ?? createRequestSchema(operation, media);
  schemas.set(media, schema);
  return schema;
}

function createRequestSchema({ parameters, body, schemaOf }: Operation, media: MediaType | undefined): Schema {
  const places = PLACES.map((place) => [place, objectOf(parameters.filter((parameter) => parameter.in === place))]);
  const bodyNode = media?.isJson && media.schema ? { body: media.schema.node } : {};
  return schemaOf({
    type: "object",
    properties: { ...Object.fromEntries(places), ...bodyNode },
    ...(body?.isRequired ? { required: ["body"] } : {}),
  });
}

/** OpenAPI ignores parameters of these headers: `content` and `security` define them. */
export const isIgnoredHeader = (name: string) => /^(accept|content-type|authorization)$/i.test(name);

/** Headers are called in lower case, as Node names them. */
function objectOf(parameters: readonly Parameter[]): object {
  const named = parameters
    .filter((parameter) => parameter.in !== "header" || !isIgnoredHeader(parameter.name))
    .map((parameter) => [nameIn(parameter), parameter] as const);
  const required = named.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const properties = Object.fromEntries(named.map(([name, { schema }]) => [name, schema.node]));
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}
