// Requests that lead to no operation: another path (404), or another method of a path (405).
import { allowedMethods, type Operation } from "../contract/operations.js";
import { RequestError } from "./errors.js";

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
