// Errors of the control plane, in the shape of the API's errors.
import { createErrorBody } from "../operations/error-response.js";
import type { HttpResponse, RejectedRequest } from "../operations/exchange.js";

const STATUSES = {
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  invalid: 422,
} as const;

export class ControlRejection extends Error {
  readonly status: number;

  /** @param location the invalid part of the request, such as `body.seed`; for `invalid`. */
  constructor(
    kind: keyof typeof STATUSES,
    message: string,
    readonly location?: string,
  ) {
    super(message);
    this.name = "ControlRejection";
    this.status = STATUSES[kind];
  }
}

export function createControlResponse(rejection: ControlRejection, request: RejectedRequest): HttpResponse {
  const { status, message, location } = rejection;
  const body = createErrorBody({ status, message, ctx: {} }, request);
  const errors = location === undefined ? {} : { errors: { [location]: { messages: [body.message] } } };
  return {
    status,
    headers: status === 401 ? { "WWW-Authenticate": "ControlKey" } : {},
    body: { ...body, ...errors },
  };
}
