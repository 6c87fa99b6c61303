// The result of a call of the client. Every outcome is a value with `ok`, `status` and, if it failed, `error.message`: also a
// failed connection, and a response of a gateway.
import type { Operations } from "../../contract/schemas.js";
import { isObject } from "../../core/domain/options.js";
import { MAX_TIMER_MS } from "../../core/pause.js";

type OperationId = keyof Operations;
type BodyOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
type Responses<Id extends OperationId> = Operations[Id]["responses"];

interface Outcome {
  /** Its body has been read. If there was no response, its status is 0 and it has no headers. */
  response: Response;
  /** The key that the update was sent with. */
  idempotencyKey?: string;
}

/** An error as a value, discriminated by `status`: one of the contract's, or 0. */
export type Failure<Id extends OperationId = OperationId> = RejectedBy<Id> | UnexpectedFailure;

/** Distributes over operations. */
type RejectedBy<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in Exclude<keyof Responses<Id>, 200>]: Outcome & {
        ok: false;
        status: Status;
        error: BodyOf<Responses<Id>[Status]>;
      };
    }[Exclude<keyof Responses<Id>, 200>]
  : never;

/** No response, or one that is not in the contract. */
export interface UnexpectedFailure extends Outcome {
  ok: false;
  status: 0;
  error: {
    /**
     * `network`: no complete response; `timeout`: none within `timeoutMs`; `aborted`: by the signal; `response`: one that is
     * not in the contract, such as the HTML page of a gateway, with its status in `response.status`.
     */
    kind: "network" | "timeout" | "aborted" | "response";
    message: string;
    cause?: unknown;
  };
}

export interface Success<Id extends OperationId = OperationId> extends Outcome {
  ok: true;
  status: 200;
  data: BodyOf<Responses<Id>[200]>;
}

export type Result<Id extends OperationId = OperationId> = Success<Id> | Failure<Id>;

/** A failure as an exception. */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.error.message);
    this.name = "FailureError";
  }
}

/** The result of openapi-fetch: the text of a success, the value of an error. */
export type Sent = Promise<{ data?: unknown; error?: unknown; response: Response }>;

interface Attempt {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  baseUrl: string;
}

export async function toResult<Id extends OperationId>(
  send: (signal: AbortSignal) => Sent,
  { timeoutMs, signal, baseUrl }: Attempt,
): Promise<Result<Id>> {
  const timeout = AbortSignal.timeout(Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    const { data, error, response } = await send(signal ? AbortSignal.any([signal, timeout]) : timeout);
    const body = response.ok ? parse(data) : error;
    // The types are the contract's; `verify` checks that an implementation conforms to them.
    if (response.ok && isObject(body)) return { ok: true, status: 200, data: body, response } as Success<Id>;
    if (isObject(body) && typeof body.message === "string") {
      return { ok: false, status: response.status, error: body, response } as Failure<Id>;
    }
    const type = response.headers.get("content-type") ?? "no content type";
    const message = `The response (${response.status}, ${type}) is not one of the contract.`;
    return { ok: false, status: 0, error: { kind: "response", message, cause: body }, response };
  } catch (cause) {
    const kind = signal?.aborted ? "aborted" : timeout.aborted ? "timeout" : "network";
    const message =
      kind === "aborted"
        ? "The request was aborted."
        : toNetworkMessage(kind === "timeout" ? `not within ${timeoutMs} ms` : cause, baseUrl);
    return { ok: false, status: 0, error: { kind, message, cause }, response: Response.error() };
  }
}

/** Returns text that is not JSON as it is. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

const LOOPBACK = /^http:..(localhost|127\.|\[::1)/;

/** Names the URL, the cause and a remedy. @param url without its query, which may have secrets. */
export function toNetworkMessage(cause: unknown, url: string): string {
  const { code } = ((cause as Error)?.cause ?? cause ?? {}) as { code?: unknown }; // Node has it in the cause
  const hint = code === "ECONNREFUSED" && LOOPBACK.test(url) ? " Is `notifications-contract serve` running there?" : "";
  return `There is no response from ${url}: ${typeof code === "string" ? code : cause}.${hint}`;
}
