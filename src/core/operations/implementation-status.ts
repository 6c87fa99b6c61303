// Which parts of a contract are implemented, for /health, the home page and the start message.
import type { Operation } from "../../contract/model.js";

/** Places read `GET /v1/notifications 200 body.data[].priority`. */
export interface ImplementationStatus {
  /** Operations with state. */
  implemented: string[];
  /** Operations that respond with an example or a sample. */
  mocked: string[];
  /** Why an operation with a handler is mocked, with the member that decides, or in which media type. */
  reasons: string[];
  /** Members and headers of responses that no handler sets: samples. */
  added: string[];
  /** Members and headers of responses that the contract lacks. */
  removed: string[];
  /** Parameters and members of requests that are validated and then ignored. An update that sends one is mocked. */
  withoutEffect: string[];
  /** Statuses of errors that are replaced, or sent although the contract lacks them. */
  errors: string[];
  /** Places that no tool of this project checks, with file and line. */
  unchecked: string[];
  /** Values that are sent although the contract forbids them. */
  cannotBeShown: string[];
}

export function nameOf({ method, path }: Pick<Operation, "method" | "path">): string {
  return `${method.toUpperCase()} ${path}`;
}
