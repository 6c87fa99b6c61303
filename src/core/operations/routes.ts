// Which operation a request leads to, for steps before Express has found it; and requests that lead to none: another path
// (404), or another method of a path (405).
import { allowedMethods, type Operation } from "../../contract/operations.js";
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

/** The paths of operations. A literal one comes before a template that it matches. */
export function sortPaths(operations: readonly Operation[]): string[] {
  const keyOf = (path: string) => path.replaceAll(/{[^}]*}/g, "\uffff");
  const paths = [...new Set(operations.map(({ path }) => path))];
  return paths.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** The literal parts of a template as a target has them: letters beyond ASCII and blanks are percent-encoded. */
export function encodeTemplate(template: string): string {
  const encode = (part: string) => (part.startsWith("{") ? part : encodeURI(part).replaceAll("%25", "%"));
  return template
    .split(/({[^}]*})/)
    .map(encode)
    .join("");
}

/** Creates the error of a path that is none of the operations'. `contractPath` is where a lost client finds the contract. */
export function createPathError(
  operations: readonly Operation[],
  contractPath: string,
): (path: string) => RequestError {
  const withSlash = operations.map((operation) => toPattern(operation.path, ".+"));
  return (path) => {
    const hint = withSlash.some((pattern) => pattern.test(path)) // without one it would have been found
      ? "A slash within a name must be encoded as %2F."
      : `${contractPath} lists the paths there are.`;
    return new RequestError("pathNotFound", `There is no resource at this path. ${hint}`);
  };
}

/** The error of a method that the path of these operations does not have (D-51). */
export function toMethodError(
  method: string,
  siblings: readonly Operation[],
  otherMethods: readonly string[],
): RequestError {
  const allow = [...allowedMethods(siblings), ...otherMethods].join(", ");
  const message = `${method} is not allowed at this path. Allowed methods: ${allow}.`;
  return new RequestError("methodNotAllowed", message, { headers: { Allow: allow } });
}

/** Matches the paths of a template; `parameter` is the pattern of each of its parameters, `$1` its name. */
export function toPattern(template: string, parameter: string): RegExp {
  return new RegExp(`^${encodeTemplate(template).replaceAll(/{([^}]+)}/g, parameter)}$`);
}
