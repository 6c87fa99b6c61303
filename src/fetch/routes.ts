// Which operation a method and path lead to.
import { BODY_ERRORS } from "../api/body-errors.js";
import { createPathError, toMethodError, toPattern } from "../api/routes.js";
import type { Operation } from "../contract/operations.js";
import { contract } from "./contract.js";

export interface Route {
  operation: Operation;
  /** The parameters in the path. */
  path: Record<string, string>;
}

const templates = [...new Set(contract.operations.map(({ path }) => path))];
const patterns = templates.map((template) => ({ template, pattern: toPattern(template, "([^/]+)") }));
const toPathError = createPathError(contract.operations, "/openapi.yaml");

/** @throws RequestError */
export function findRoute(method: string, path: string): Route {
  for (const { template, pattern } of patterns) {
    const match = pattern.exec(path);
    if (!match) continue;
    const values = match.slice(1).map(decode);
    const names = [...template.matchAll(/{([^}]+)}/g)].map(([, name = ""]) => name);
    const siblings = contract.operations.filter((operation) => operation.path === template);
    const wanted = method === "HEAD" ? "get" : method.toLowerCase(); // D-65
    const operation = siblings.find((sibling) => sibling.method === wanted);
    if (!operation) throw toMethodError(method, siblings, ["OPTIONS"]);
    return { operation, path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])) };
  }
  throw toPathError(path);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw BODY_ERRORS.undecodable();
  }
}
