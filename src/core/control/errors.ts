// Errors of the control plane, in the shape of the API's errors.
import { createErrorBody } from "../request/errors.js";
import type { HttpResponse, RejectedRequest } from "../request/exchange.js";

const STATUSES = {
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  invalidRequest: 422,
} as const;

export class ControlRejection extends Error {
  readonly status: number;

  constructor(
    readonly code: keyof typeof STATUSES,
    message: string,
    /** The invalid part of the request, such as `body.seed`. */
    readonly location?: string,
  ) {
    super(message);
    this.name = "ControlRejection";
    this.status = STATUSES[code];
  }
}

export function invalidRequest(message: string, location: string): ControlRejection {
  return new ControlRejection("invalidRequest", message, location);
}

export function createControlResponse(rejection: ControlRejection, request: RejectedRequest): HttpResponse {
  const { status, code, message, location } = rejection;
  const body = createErrorBody({ status, message, ctx: { code } }, request);
  const entry = { code: "invalid", messages: [body.message] };
  const errors = location === undefined ? {} : { errors: { [location]: entry } };
  return {
    status,
    headers: status === 401 ? { "WWW-Authenticate": "ControlKey" } : {},
    body: { ...body, ...errors },
  };
}
