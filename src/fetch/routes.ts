// Which operation a method and path lead to, and what its steps need.
import { BODY_ERRORS } from "../api/errors.js";
import { createPathError, toMethodError, toPattern } from "../api/routes.js";
import { examplesOf } from "../contract/examples.js";
import { contract } from "./contract.js";
import { createValidateRequest } from "./validate-request.js";

const routes = contract.operations.map((operation) => ({
  operation,
  pattern: toPattern(operation.path, "(?<$1>[^/]+)"),
  validate: createValidateRequest(operation),
  examples: examplesOf(contract.document, operation),
}));
const toPathError = createPathError(contract.operations, "/openapi.yaml");

export type Route = (typeof routes)[number] & {
  /** The parameters in the path. */
  path: Record<string, string>;
};

/** @throws RequestError */
export function findRoute(method: string, path: string): Route {
  const siblings = routes.filter(({ pattern }) => pattern.test(path));
  if (siblings.length === 0) throw toPathError(path);
  const values = Object.entries(siblings[0]?.pattern.exec(path)?.groups ?? {});
  const decoded = values.map(([name, value]) => [name, decode(value)]);
  const routeMethod = method === "HEAD" ? "get" : method.toLowerCase(); // D-65
  const route = siblings.find(({ operation }) => operation.method === routeMethod);
  if (route) return { ...route, path: Object.fromEntries(decoded) };
  const operations = siblings.map(({ operation }) => operation);
  throw toMethodError(method, operations, ["OPTIONS"]);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw BODY_ERRORS.undecodable();
  }
}
