// A request on its way to its response: what the steps of its path read, and what they add for later ones. It knows neither
// Express nor Node: a shell fills it from a request, and sends what the steps respond.
import type { Operation } from "../../contract/operations.js";
import type { Environment } from "../state/environment.js";
import type { HttpResponse } from "./errors.js";
import type { IdempotentRequest } from "./idempotency.js";

export interface Exchange {
  readonly id: string;
  /** As it was sent: a HEAD stays one. */
  readonly method: string;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** When the request arrived: by the server's clock, and once it is authenticated by that of the environment. */
  now: Date;
  /** Set by authentication, where there are environments. */
  environment?: Environment;
  /** Set once path and method are known. */
  operation?: Operation;
  /** The path's parameters; then the body, once it has been read; then all of it as the contract reads it. */
  input: RequestInput;
  /** The body as it was sent, once it has been read. */
  sentBody?: Uint8Array;
  /** Set where an update has an idempotency key. */
  idempotent?: IdempotentRequest;
  /** Set with a key that was taken: lets another request have it. */
  releaseKey?: () => void;
  /** Headers that the steps have set, whatever the response is. */
  responseHeaders: Record<string, string>;
  /** The id of the fault that was injected. */
  fault?: string;
  /** True if no implementation has made the response. */
  isMocked?: boolean;
  /** Checks a response before it is stored or sent, and throws; undefined where nobody asked for that. */
  check?: ((response: HttpResponse) => void) | undefined;
  /** Resolves after that time, or as soon as nobody waits for the response. */
  wait(ms: number): Promise<void>;
  /** The target for people, without keys. */
  showTarget(): string;
}

export interface RequestInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** A response ends the path of a request; undefined leads to the next step. */
export type Outcome = HttpResponse | typeof DISCONNECT | undefined;

/** In the place of a response: the connection is closed without one. */
export const DISCONNECT = "disconnect";

export type Step<Kind extends Exchange = Exchange> = (exchange: Kind) => Outcome | Promise<Outcome>;
