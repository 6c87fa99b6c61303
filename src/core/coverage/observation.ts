// The input and the unit of coverage: a request with its response, and the items that it may show.

import type { Contract } from "../../contract/contract.js";
import { toPattern } from "../operations/routes.js";

export interface Observation {
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Readonly<Record<string, unknown>>;
  /** The parsed body of the request, if it is JSON. */
  sent: unknown;
  /** Undefined where the client got no response. */
  status: number | undefined;
  /** Names in lower case. */
  responseHeaders: Readonly<Record<string, unknown>>;
  /** The parsed body of the response. */
  received: unknown;
  milliseconds: number;
}

/** The operations whose path it is, of that method if there are any: a 401 and a 405 count for them as well. */
export function findOperations(
  { operations }: Pick<Contract, "operations">,
  { method, target }: { method: string; target: string },
): readonly string[] {
  const [path = ""] = target.split("?", 1);
  const siblings = operations.filter((operation) => patternOf(operation.path).test(path));
  const wanted = method === "HEAD" ? "get" : method.toLowerCase();
  const exact = siblings.filter((operation) => operation.method === wanted);
  return (exact.length > 0 ? exact : siblings).map(({ id }) => id);
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const pattern = patterns.get(path) ?? toPattern(path, "[^/]+");
  patterns.set(path, pattern);
  return pattern;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // of a malformed body, coverage sees no members
  }
}

export interface CoverageItem {
  operation: string;
  group: "status" | "parameter" | "state";
  name: string;
  /** JavaScript with the methods of the fetch handler or the control plane, and of the client, on the demo seed. */
  recipe: string;
  isSeen(observation: Observation): boolean;
}

export type NewItem = Pick<CoverageItem, "name" | "recipe" | "isSeen">;
