// Finds the operation of a request for the steps before Express does. Where there is none, creates the error (404 for a path, 405
// for a method) and suggests what is nearest.
import type { Contract } from "../../contract/contract.js";
import { allowedMethods, type Operation } from "../../contract/operations.js";
import { toNearest } from "../domain/options.js";
import { RequestError } from "./errors.js";

/** Finds an operation by the method and path of a request. A HEAD leads to a GET (D-65). */
export function createFindOperation(operations: readonly Operation[]) {
  const patterns = sortPaths(operations).map((path) => [toPattern(path, "[^/]+"), path] as const);
  return (method: string, path: string): Operation | undefined => {
    const [, template] = patterns.find(([pattern]) => pattern.test(path)) ?? [];
    const siblings = operations.filter((operation) => operation.path === template);
    const find = (name: string) => siblings.find((operation) => operation.method === name);
    return find(method.toLowerCase()) ?? (method === "HEAD" ? find("get") : undefined);
  };
}

/** Lists the paths of operations, each literal one before a template that it matches. */
export function sortPaths(operations: readonly Operation[]): string[] {
  const keyOf = (path: string) => path.replaceAll(/{[^}]*}/g, "\uffff");
  const paths = [...new Set(operations.map(({ path }) => path))];
  return paths.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Percent-encodes the literal parts of a template, as in a request's target. */
export function encodeTemplate(template: string): string {
  const encode = (part: string) => (part.startsWith("{") ? part : encodeURI(part).replaceAll("%25", "%"));
  return template
    .split(/({[^}]*})/)
    .map(encode)
    .join("");
}

/** What clients of the live service look for first, and where it is in this contract. */
const NEIGHBORS: readonly (readonly [path: RegExp, hint: string])[] = [
  [
    /^\/(v\d+\/)?inbox\b/,
    "This contract has no Inbox: GET /v1/notifications lists what was triggered, without a read state.",
  ],
  [
    /^\/(v\d+\/)?events\b/,
    "This server triggers nothing: add notifications with `addNotifications` of the control plane or the fetch handler.",
  ],
];

/** Creates the error of an unknown path. `contractPath` is where the client finds the contract. */
export function createPathError(
  operations: readonly Operation[],
  contractPath: string,
): (method: string, path: string) => RequestError {
  const withSlash = operations.map((operation) => toPattern(operation.path, ".+"));
  return (method, path) => {
    const isSlash = withSlash.some((pattern) => pattern.test(path)); // only a slash explains why the router did not match it
    const hint = isSlash
      ? "A slash within a name must be encoded as %2F."
      : (NEIGHBORS.find(([pattern]) => pattern.test(path))?.[1] ??
        suggestPath(operations, method, path) ??
        `${contractPath} lists the paths there are.`);
    return new RequestError("pathNotFound", `There is no resource at this path. ${hint}`);
  };
}

/** What clients of the live service do at a path by another method, and what to do here. */
const METHOD_HINTS: Readonly<Record<string, string>> = {
  "GET updatePreferences": ' To read preferences, send an update with {"channels":{}}.',
  "POST listNotifications": " To add notifications, use `addNotifications` of the control plane or the fetch handler.",
};

/** Creates the error of a method that the path of these operations lacks (D-51). */
export function toMethodError(
  method: string,
  siblings: readonly Operation[],
  otherMethods: readonly string[],
): RequestError {
  const allow = [...allowedMethods(siblings), ...otherMethods].join(", ");
  const hints = siblings.map(({ id }) => METHOD_HINTS[`${method} ${id}`] ?? "");
  const message = `${method} is not allowed at this path. Allowed methods: ${allow}.${hints.join("")}`;
  return new RequestError("methodNotAllowed", message, { headers: { Allow: allow } });
}

/** Matches the paths of a template. `parameter` is the pattern of each parameter; `$1` in it is the parameter's name. */
export function toPattern(template: string, parameter: string): RegExp {
  return new RegExp(`^${encodeTemplate(template).replaceAll(/{([^}]+)}/g, parameter)}$`);
}

/** Suggests the nearest name for one that the contract does not know at a place, as in `query.limmit`. */
export function suggestPlace(
  contract: Pick<Contract, "findCitation">,
  operation: Operation,
  location: string,
): string | undefined {
  const path = location.split(".");
  const { knownNames = [] } = contract.findCitation(operation, path);
  const nearest = toNearest(path.at(-1) ?? "", knownNames);
  return nearest && `Did you mean ${[...path.slice(0, -1), nearest].join(".")}?`;
}

const MAX_PATH_LENGTH = 500; // the comparison takes quadratic time

/** Suggests the operation with the nearest path. Repeats nothing of the request, which may hold a key. */
export function suggestPath(operations: readonly Operation[], method: string, path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return undefined;
  const parts = path.split("/").filter((part) => part !== "");
  const near = operations.filter((operation) => {
    const template = operation.path.split("/").filter((part) => part !== "");
    const extra = parts.length - template.length; // a prefix such as /api may be superfluous, and the version missing
    const sent = extra < 0 ? [...template.slice(0, -extra), ...parts] : parts.slice(extra);
    const names = template.map((part, index) => (part.startsWith("{") ? (sent[index] ?? part) : part)); // any text matches
    return extra >= -1 && toNearest(sent.join("/"), [names.join("/")]) !== undefined;
  });
  const best = near.find((operation) => operation.method === method.toLowerCase()) ?? near[0];
  return best && `Did you mean ${best.method.toUpperCase()} ${best.path}?`;
}
