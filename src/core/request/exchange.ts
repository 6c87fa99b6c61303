// A request on its way to a response: what the steps read and add, and the response. Both depend neither on Express nor
// on Node: a shell creates the exchange, and sends the response.
import { isObject } from "../../contract/json.js";
import { isJson } from "../../contract/media-type.js";
import type { Operation } from "../../contract/model.js";
import type { RecordedResponse } from "../domain/state.js";
import type { Environment } from "../state/environment.js";
import type { RequestRedactor } from "./redactor.js";

export interface Exchange {
  readonly id: string;
  /** As sent; not changed from HEAD to GET. */
  readonly method: string;
  /** As sent, percent-encoded. */
  readonly path: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The time of arrival by the server's clock. */
  readonly serverTime: Date;
  /** Set by authentication if the server has environments. */
  environment?: Environment;
  /** The time of arrival by the environment's clock. Set with `environment`. */
  environmentTime?: Date;
  /** Set once path and method are matched. */
  operation?: Operation;
  /** First the path's parameters as texts, after validation all values with types and defaults. */
  input: RequestInput;
  /** The bytes of the body, once read. */
  sentBody?: Uint8Array;
  /** Set for an update with an idempotency key. */
  idempotent?: IdempotentRequest;
  /** Headers for any response. */
  responseHeaders: Record<string, string>;
  /** The injected fault, by its id and as it was added. */
  fault?: { id: string; rule: object };
  isMocked?: boolean;
  /** Throws for an invalid response before it is stored or sent; undefined if responses are not checked. */
  assertValid?: ((response: HttpResponse) => void) | undefined;
  /** Resolves after this time, or once the client has gone. */
  wait(ms: number): Promise<void>;
  /** Finds a redactor that knows the request's keys. */
  redactor(): RequestRedactor;
}

export interface IdempotentRequest {
  key: string;
  /** Equal for two requests that are the same. */
  fingerprint: string;
  now: Date;
  /** The first response, if this request repeats one. */
  recorded?: RecordedResponse;
}

/** The facts about a request that its error response repeats. */
export interface RejectedRequest {
  /** The request's target, without its keys. */
  path: string;
  now: Date;
  /** Removes the request's keys from a text: a client may send its key as a value, or as a name. */
  redact: (text: string) => string;
  input?: RequestInput;
}

type Rejected = Pick<Exchange, "redactor" | "target" | "serverTime" | "environmentTime" | "input">;

export function rejectedOf(exchange: Rejected): RejectedRequest {
  const { redact, redactTarget } = exchange.redactor();
  return { path: redactTarget(exchange.target), now: timeOf(exchange), redact, input: exchange.input };
}

/** The time of arrival, by the clock of the environment if there is one. */
export function timeOf({ serverTime, environmentTime }: Pick<Exchange, "serverTime" | "environmentTime">): Date {
  return environmentTime ?? serverTime;
}

/** Clients send an update without channels to read the preferences (D-04). */
export function isReading({ body }: RequestInput): boolean {
  return isObject(body) && isObject(body.channels) && Object.keys(body.channels).length === 0;
}

/** The console names itself in a header. It is no client under test: it uses up no faults. */
export function isFromConsole({ headers }: Pick<Exchange, "headers">): boolean {
  return headers["x-requested-by"] === "console";
}

export interface RequestInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** A response of the API before it is sent. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A value to send as JSON, or a text of another media type; undefined for no body. */
  body: unknown;
  /** Default: `JSON_TYPE`. If it is set, the response has the form of the served contract, and is not adapted. */
  mediaType?: string;
}

export const JSON_TYPE = "application/json; charset=utf-8"; // D-68

/**
 * The headers of every response of the API: a browser that opens one runs nothing of it on this server's origin, which
 * may use the control plane. A mocked `text/html` is whatever a proposal says.
 */
export function protectionOf(mediaType?: string): Record<string, string> {
  const nosniff = { "X-Content-Type-Options": "nosniff" };
  return mediaType === undefined || isJson(mediaType) ? nosniff : { ...nosniff, "Content-Security-Policy": "sandbox" };
}

export type Outcome = HttpResponse | typeof DISCONNECT;

/** Closes the connection without a response. */
export const DISCONNECT = "disconnect";

/** Responds to a valid request: the last step of its path. */
export type LastStep = (exchange: Exchange) => HttpResponse | Promise<HttpResponse>;

/** Brings responses into the form of a contract that is not the implemented one. */
export interface ResponseAdapter {
  /** `operation` is undefined for an unknown path. */
  adapt(operation: Operation | undefined, exchange: Exchange, response: HttpResponse): HttpResponse;
  /** True if the response may have a header. */
  isDeclared(operation: Operation | undefined, status: number, name: string): boolean;
}
