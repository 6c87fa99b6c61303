// Every error that a client can see: status, citation and body.

import { isObject, lookUp } from "../../contract/json.js";
import type { Citation } from "../../contract/model.js";
import type { ResponseExample } from "../../contract/operation.js";
import { DomainError, type DomainErrorCode } from "../domain/errors.js";
import { CannotStoreError } from "../state/environment.js";
import { type HttpResponse, isReading, type RejectedRequest } from "./exchange.js";

interface ErrorKind {
  status: number;
  citation: Citation;
  /** Decided by an operation's handler, its idempotency or `Prefer`, not by HTTP or validation. */
  isOfHandler?: true;
}

/** The statuses and citations of all errors. A test compares them with the contract, in both directions. */
export const ERRORS = {
  undecodable: { status: 400, citation: { decision: "D-50" } },
  undecodableQuery: { status: 400, citation: { decision: "D-50" } },
  invalidJson: { status: 400, citation: { decision: "D-50" } },
  invalidPreference: { status: 400, citation: { decision: "D-71" }, isOfHandler: true },
  workflowCritical: { status: 400, citation: { decision: "D-20" }, isOfHandler: true },
  dateRangeInverted: { status: 400, citation: { decision: "D-41" }, isOfHandler: true },
  unauthorized: { status: 401, citation: { clause: "§5.2" } },
  outsidePlan: { status: 402, citation: { decision: "D-42" }, isOfHandler: true },
  workflowNotFound: { status: 404, citation: { decision: "D-18" }, isOfHandler: true },
  subscriberNotFound: { status: 404, citation: { decision: "D-19" }, isOfHandler: true },
  pathNotFound: { status: 404, citation: { clause: "§4" } },
  methodNotAllowed: { status: 405, citation: { decision: "D-51" } },
  idempotencyInProgress: { status: 409, citation: { decision: "D-57" }, isOfHandler: true },
  contentTooLarge: { status: 413, citation: { decision: "D-52" } },
  unsupportedMediaType: { status: 415, citation: { decision: "D-53" } },
  invalidRequest: { status: 422, citation: { decision: "D-49" } },
  idempotencyKeyReused: { status: 422, citation: { decision: "D-59" }, isOfHandler: true },
  internalError: { status: 500, citation: { decision: "D-55" } },
  unavailable: { status: 503, citation: { decision: "D-56" } },
} satisfies Record<DomainErrorCode, ErrorKind> & Record<string, ErrorKind>;

/** Statuses that an operation's handler decides, and its idempotency. */
export const HANDLER_STATUSES = [400, 402, 404, 409];

/** The code of an error; empty in one that is not of this project's form. */
export function codeOf({ body }: HttpResponse): string {
  return (body as Partial<ErrorBody> | undefined)?.ctx?.code ?? "";
}

/** True if an error is `isOfHandler`. */
export function isOfHandler(response: HttpResponse): boolean {
  return lookUp<ErrorKind>(ERRORS, codeOf(response))?.isOfHandler === true;
}

export type RequestErrorCode = Exclude<keyof typeof ERRORS, DomainErrorCode>;

/** The violations at one location of a request, in the body of a 422. */
export interface ErrorEntry extends Citation {
  /** Names the first violation. */
  code: string;
  messages: string[];
  value?: unknown;
}

/** An error by its code, and what it rests on. */
interface NamedCitation extends Citation {
  code?: string;
}

export interface ErrorBody {
  message: string;
  ctx: NamedCitation;
  errors?: Readonly<Record<string, ErrorEntry>>;
}

/**
 * Lists the violations in an error, without their codes, and without the values, which may be keys. Errors of a
 * proposal have other members.
 */
export function violationsIn({
  errors,
}: Partial<ErrorBody>): (Omit<ErrorEntry, "code" | "value"> & { location: string })[] {
  const entries = Object.entries(errors ?? {}).filter(([, entry]) => Array.isArray(entry?.messages));
  return entries.map(([location, { code: _code, value: _value, ...entry }]) => ({ location, ...entry }));
}

/** Rejects a request before its operation is executed. */
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

/** Returns the response to a rejected request, or undefined for any other error, which is a bug. */
export function createErrorResponse(error: unknown, request: RejectedRequest): HttpResponse | undefined {
  const rejection = error instanceof CannotStoreError ? cannotStore(error, request) : error;
  if (!(rejection instanceof RequestError || rejection instanceof DomainError)) return undefined;
  const { code, message } = rejection;
  const { status, citation } = ERRORS[code];
  const { details, headers = {}, violations: errors } = rejection as Partial<DomainError> & Partial<RequestError>;
  const body = createErrorBody({ status, message, ctx: { code, ...citation, ...details } }, request);
  return { status, headers, body: errors ? { ...body, errors: redactErrors(errors, request) } : body };
}

function redactErrors(errors: NonNullable<RequestError["violations"]>, { redact }: Pick<RejectedRequest, "redact">) {
  const entries = Object.entries(errors);
  return Object.fromEntries(entries.map(([location, entry]) => [redact(location), redactCited(entry, redact)]));
}

/** Redacts all but code and citation, which are the contract's. */
function redactCited<Cited extends NamedCitation>(cited: Cited, redact: RejectedRequest["redact"]): Cited {
  const { code, clause, decision } = cited;
  return {
    ...(redactValue(cited, redact) as Cited),
    ...(code === undefined ? {} : { code }),
    ...(clause === undefined ? {} : { clause }),
    ...(decision === undefined ? {} : { decision }),
  };
}

function redactValue(value: unknown, redact: RejectedRequest["redact"]): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return redact(String(value)) === String(value) ? value : redact(String(value));
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [redact(name), redactValue(member, redact)]));
}

/** Creates the members that every error's body has (D-48). */
export function createErrorBody(
  { status, message, ctx }: { status: number; message: string; ctx: NamedCitation },
  { path, now, redact }: RejectedRequest,
) {
  const timestamp = now.toISOString();
  return { statusCode: status, timestamp, path, message: redact(message), ctx: redactCited(ctx, redact) };
}

const RETRY = "Try again in a moment; if it fails again, the server's log says why.";
const READ_UNAVAILABLE = `The preferences could not be read. ${RETRY}`;

function cannotStore({ isUncertain }: CannotStoreError, { input }: RejectedRequest): RequestError {
  const outcome = isUncertain ? "It is uncertain whether a restart shows it" : "Nothing was changed";
  const message = `The change could not be stored. ${outcome}. ${RETRY}`;
  const shown = input && isReading(input) ? READ_UNAVAILABLE : message;
  return new RequestError("unavailable", shown, { headers: { "Retry-After": "1" } });
}

/**
 * An example of an error as the response to a request, for `Prefer` and faults: with its time and path, and with its
 * names in the place of those that the example's own request has. Any other example stays as it is.
 */
export function fitExample(example: ResponseExample, { path, now, redact, input }: RejectedRequest): ResponseExample {
  const { body, request } = example;
  if (!isObject(body) || !("timestamp" in body && "path" in body)) return example;
  const fitted = { ...body, timestamp: now.toISOString(), path };
  if (typeof body.message !== "string" || !input) return { ...example, body: fitted };
  if (codeOf(example) === "unavailable" && isReading(input))
    return { ...example, body: { ...fitted, message: READ_UNAVAILABLE } };
  const sent = { ...toObject(input.body), ...input.path };
  let message = body.message;
  for (const [name, text] of Object.entries({ ...toObject(request?.body), ...request?.path })) {
    const wanted = sent[name];
    if (typeof text === "string" && typeof wanted === "string")
      message = message.replaceAll(text, () => redact(wanted));
  }
  return { ...example, body: { ...fitted, message } };
}

const toObject = (value: unknown) => (isObject(value) ? value : {});

/** Creates the response to a bug. It shows only an id; the log has the details. */
export function createInternalErrorResponse(errorId: string, request: RejectedRequest): HttpResponse {
  const { status, citation } = ERRORS.internalError;
  const message = `Internal server error. See the server's log for errorId ${errorId}.`;
  const body = {
    ...createErrorBody({ status, message, ctx: { code: "internalError", ...citation } }, request),
    errorId,
  };
  return { status, headers: {}, body };
}

/** Errors of a body that is rejected before validation (D-50, D-52, D-53). */
export const BODY_ERRORS = {
  /** @param types the media types that the operation declares. */
  mediaType(contentType: string | null | undefined, types: readonly string[] = ["application/json"]): RequestError {
    const what = contentType == null ? "The body has no Content-Type." : "The Content-Type is not supported.";
    return unsupported(`${what} Send "Content-Type: ${types.join('" or "')}".`);
  },
  encoding: () => unsupported("The content encoding is not supported. Send gzip, deflate, br or none."),
  charset: () => unsupported("The charset is not supported. Send the body in UTF-8."),
  otherUtf: () => unsupported("Only UTF-8 is supported. Send the body in UTF-8."),
  tooLarge: (limit: number) =>
    new RequestError(
      "contentTooLarge",
      `The body is larger than ${limit.toLocaleString("en")} bytes. Send a smaller one.`,
    ),
  notUtf8: () => new RequestError("undecodable", "The body is not valid UTF-8. Encode it as UTF-8."),
  notJson: (error: Error) =>
    new RequestError("invalidJson", `The body is not valid JSON: ${parserTextOf(error)}. JSON.stringify writes it.`),
  undecodable: () => new RequestError("undecodable", "The path or body cannot be decoded. Check its encoding."),
};

function unsupported(message: string): RequestError {
  return new RequestError("unsupportedMediaType", message);
}

/** Removes line and column, which only later Node versions add. */
function parserTextOf({ message }: Error): string {
  return message.replace(/ \(line \d+ column \d+\)$/, "");
}
