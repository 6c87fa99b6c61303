// The status that stands in for one that an operation does not declare.
import type { Operation } from "../contract/model.js";
import { HANDLER_STATUSES } from "../core/operations/error-response.js";

/** What HTTP, authentication and validation decide says something else. */
const OTHERS = new Set([401, 405, 406, 408, 411, 412, 413, 414, 415, 417, 422, 426, 428, 429, 431]);

/** The nearest declared status of the class, first of those that no handler has; undefined if there is none. */
export function nearestStatus({ responses }: Operation, status: number): number | undefined {
  const ofClass = responses
    .map((response) => response.status)
    .filter((declared) => Math.floor(declared / 100) === Math.floor(status / 100) && !OTHERS.has(declared));
  const distanceOf = (declared: number) =>
    Math.abs(declared - status) + (HANDLER_STATUSES.includes(declared) ? 100 : 0);
  return ofClass.toSorted((one, other) => distanceOf(one) - distanceOf(other))[0];
}
