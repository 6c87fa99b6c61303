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

/** Creates the error of an unknown path. `contractPath` is where the client finds the contract. */
export function createPathError(
  operations: readonly Operation[],
  contractPath: string,
): (path: string) => RequestError {
  const withSlash = operations.map((operation) => toPattern(operation.path, ".+"));
  return (path) => {
    const hint = withSlash.some((pattern) => pattern.test(path)) // only a slash explains why the router did not match it
      ? "A slash within a name must be encoded as %2F."
      : `${contractPath} lists the paths there are.`;
    return new RequestError("pathNotFound", `There is no resource at this path. ${hint}`);
  };
}

/** Creates the error of a method that the path of these operations lacks (D-51). */
export function toMethodError(
  method: string,
  siblings: readonly Operation[],
  otherMethods: readonly string[],
): RequestError {
  const allow = [...allowedMethods(siblings), ...otherMethods].join(", ");
  const message = `${method} is not allowed at this path. Allowed methods: ${allow}.`;
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

/** Suggests the operation with the nearest path for a path that the contract does not have. */
export function suggestPath(
  contract: Pick<Contract, "operations">,
  method: string,
  target: string,
): string | undefined {
  const [path = ""] = target.split("?", 1);
  if (path.length > MAX_PATH_LENGTH) return undefined;
  const parts = path.split("/").filter((part) => part !== "");
  const candidates = contract.operations.map((operation) => {
    const template = operation.path.split("/").filter((part) => part !== "");
    // Any text matches a parameter; a prefix such as /api may be superfluous.
    const extra = Math.max(0, parts.length - template.length);
    const names = template.map((part, index) => (part.startsWith("{") ? (parts[index + extra] ?? part) : part));
    return { text: names.join("/"), name: `${operation.method.toUpperCase()} /${names.join("/")}`, extra };
  });
  const near = candidates.filter(({ text, extra }) => toNearest(parts.slice(extra).join("/"), [text]) !== undefined);
  const best = near.find(({ name }) => name.startsWith(`${method} `)) ?? near[0];
  return best && `Did you mean ${best.name}?`;
}
