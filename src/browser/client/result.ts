// The result of a call of the client. Every outcome is a value with `ok`, `status` and, unless it is ok, `error.message`:
// a failed connection too, and a response that something between client and server has written.
import type { Operations } from "../../contract/schemas.js";
import { isObject } from "../../core/domain/options.js";
import { MAX_TIMER_MS } from "../../core/pause.js";

type OperationId = keyof Operations;
type BodyOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
type Responses<Id extends OperationId> = Operations[Id]["responses"];

interface Outcome {
  /** With the status 0 and no headers where there was none. Its body has been read. */
  response: Response;
  /** The key that the update was sent with. */
  idempotencyKey?: string;
}

/** An error as a value, discriminated by `status`: one of the contract, or 0. */
export type Failure<Id extends OperationId = OperationId> = RejectedBy<Id> | UnexpectedFailure;

/** Distributes over operations: that of any operation holds those of each. */
type RejectedBy<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in Exclude<keyof Responses<Id>, 200>]: Outcome & {
        ok: false;
        status: Status;
        error: BodyOf<Responses<Id>[Status]>;
      };
    }[Exclude<keyof Responses<Id>, 200>]
  : never;

/** There is no response of the contract. */
export interface UnexpectedFailure extends Outcome {
  ok: false;
  status: 0;
  error: {
    /**
     * `network`: no response, or only a part of it; `timeout`: not within `timeoutMs`; `aborted`: by the signal; `response`:
     * a response that is not the contract's, such as the HTML page of a gateway, or no body. `response.status` is its status.
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

/** A failure where there is no value to return: a request was rejected, or there was no response. */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.error.message);
    this.name = "FailureError";
  }
}

/** openapi-fetch resolves to this: the text of a success, the value of an error. */
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

/** Text that is no JSON stays text. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

const LOOPBACK = /^http:..(localhost|127\.|\[::1)/;

/** The message for a missing response: which URL, why, and what to do about it. @param url without what may be secret in its query. */
export function toNetworkMessage(cause: unknown, url: string): string {
  const { code } = ((cause as Error)?.cause ?? cause ?? {}) as { code?: unknown }; // Node has it in the cause
  const hint = code === "ECONNREFUSED" && LOOPBACK.test(url) ? " Is `notifications-contract serve` running there?" : "";
  return `There is no response from ${url}: ${typeof code === "string" ? code : cause}.${hint}`;
}
