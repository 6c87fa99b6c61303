// Which operation a request leads to, for steps before Express has found it; and requests that lead to none: another path
// (404), or another method of a path (405).
import { allowedMethods, type Operation } from "../contract/operations.js";
import { RequestError } from "./errors.js";

/** Finds an operation by the method and path of a request. A HEAD leads to a GET (D-65). */
export function createFindOperation(operations: readonly Operation[]) {
  const patterns = operations.map((operation) => [toPattern(operation.path, "[^/]+"), operation] as const);
  return (method: string, path: string): Operation | undefined => {
    const siblings = patterns.filter(([pattern]) => pattern.test(path)).map(([, operation]) => operation);
    const find = (name: string) => siblings.find((operation) => operation.method === name);
    return find(method.toLowerCase()) ?? (method === "HEAD" ? find("get") : undefined);
  };
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
  return new RegExp(`^${template.replaceAll(/{([^}]+)}/g, parameter)}$`);
}
