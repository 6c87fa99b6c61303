// Every error that a client can see: its status, what it rests on and its body. One table.
import type { Citation } from "../contract/citation.js";
import { DomainError, type DomainErrorCode } from "../domain/errors.js";
import { CannotStoreError } from "../store/environment.js";
import type { HttpResponse } from "./http-response.js";

export type RequestErrorCode =
  | "undecodable"
  | "invalidPreference"
  | "unauthorized"
  | "pathNotFound"
  | "methodNotAllowed"
  | "idempotencyInProgress"
  | "idempotencyKeyReused"
  | "contentTooLarge"
  | "unsupportedMediaType"
  | "invalidRequest"
  | "rateLimited"
  | "cannotStore"
  | "internal";

interface ErrorKind {
  status: number;
  citation: Citation;
}

/** The statuses and citations of all errors. A test compares them with the contract, in both directions. */
export const ERRORS: Readonly<Record<DomainErrorCode | RequestErrorCode, ErrorKind>> = {
  undecodable: { status: 400, citation: { decision: "D-50" } },
  invalidPreference: { status: 400, citation: { decision: "D-71" } },
  workflowCritical: { status: 400, citation: { decision: "D-20" } },
  dateRangeInverted: { status: 400, citation: { decision: "D-41" } },
  unauthorized: { status: 401, citation: { clause: "§5.2" } },
  outsidePlan: { status: 402, citation: { decision: "D-42" } },
  workflowNotFound: { status: 404, citation: { decision: "D-18" } },
  subscriberNotFound: { status: 404, citation: { decision: "D-19" } },
  pathNotFound: { status: 404, citation: { clause: "§4" } },
  methodNotAllowed: { status: 405, citation: { decision: "D-51" } },
  idempotencyInProgress: { status: 409, citation: { decision: "D-57" } },
  contentTooLarge: { status: 413, citation: { decision: "D-52" } },
  unsupportedMediaType: { status: 415, citation: { decision: "D-53" } },
  invalidRequest: { status: 422, citation: { decision: "D-49" } },
  idempotencyKeyReused: { status: 422, citation: { decision: "D-59" } },
  rateLimited: { status: 429, citation: { decision: "D-54" } },
  internal: { status: 500, citation: { decision: "D-55" } },
  cannotStore: { status: 503, citation: { decision: "D-56" } },
};

/** The violations at one place of a request, in the body of a 422. */
export interface ErrorEntry extends Citation {
  messages: string[];
  value?: unknown;
}

/** A request that is rejected before its operation is executed. */
export class RequestError extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly violations: Readonly<Record<string, ErrorEntry>> | undefined;

  constructor(
    readonly code: RequestErrorCode,
    message: string,
    more: { headers?: Record<string, string>; violations?: Record<string, ErrorEntry> } = {},
  ) {
    super(message);
    this.name = "RequestError";
    this.headers = more.headers ?? {};
    this.violations = more.violations;
  }
}

/** What an error response says of its request. */
export interface RejectedRequest {
  /** Its target. */
  path: string;
  now: Date;
}

/** The response to a rejected request; undefined for any other error, which is a bug. */
export function toErrorResponse(error: unknown, { path, now }: RejectedRequest): HttpResponse | undefined {
  const rejection = error instanceof CannotStoreError ? cannotStore(error) : error;
  if (!(rejection instanceof RequestError || rejection instanceof DomainError)) return undefined;
  const { status, citation } = ERRORS[rejection.code];
  const body = {
    statusCode: status,
    timestamp: now.toISOString(),
    path,
    message: rejection.message,
    ctx: { ...citation, ...(rejection instanceof DomainError ? rejection.details : {}) },
  };
  if (rejection instanceof DomainError) return { status, headers: {}, body };
  return {
    status,
    headers: rejection.headers,
    body: rejection.violations ? { ...body, errors: rejection.violations } : body,
  };
}

function cannotStore({ isUncertain }: CannotStoreError): RequestError {
  const outcome = isUncertain ? "It is uncertain whether a restart shows it" : "Nothing was changed";
  const message = `The change could not be stored. ${outcome}; try again in a moment.`;
  return new RequestError("cannotStore", message, { headers: { "Retry-After": "1" } });
}

/** The response to a bug: nothing of it but an id, under which the log has the rest. */
export function toInternalErrorResponse(errorId: string, { path, now }: RejectedRequest): HttpResponse {
  const { status, citation } = ERRORS.internal;
  const message = `Internal server error. See the server's log for errorId ${errorId}.`;
  const timestamp = now.toISOString();
  return { status, headers: {}, body: { statusCode: status, timestamp, path, message, ctx: citation, errorId } };
}
