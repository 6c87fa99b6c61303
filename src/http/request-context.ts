// What the steps of a request learn and later steps use.
import type { Response } from "express";
import type { HttpResponse } from "../api/errors.js";
import type { IdempotentRequest } from "../api/idempotency.js";
import type { Operation } from "../contract/operations.js";
import type { Environment } from "../store/environment.js";

export interface RequestContext {
  requestId: string;
  /** When the request arrived: by the server's clock, and once `authenticate` is done by that of the environment. */
  now: Date;
  /** Set by `authenticate`. */
  environment?: Environment;
  /** Set once path and method are known. */
  operation?: Operation;
  /** Set by `takeIdempotencyKey` where the request has a key. */
  idempotent?: IdempotentRequest;
  /** Set with a key that was taken: lets another request have it. */
  releaseKey?: () => void;
  /** The body as it was sent, once it has been read. */
  sentBody?: Buffer;
  /** Set by `sendResponse`. */
  response?: { body: unknown; bytes: Buffer };
  /** Set where the served contract is not the one that is implemented: brings a response into the form that it asks for. */
  adapt?: (response: HttpResponse) => HttpResponse;
  /** Whether the response is of no implementation. */
  isMocked?: boolean;
  /** The id of the fault that was injected into the request. */
  fault?: string;
  /** Set by `handleError`: a person reads the error (D-48). */
  isOpenedByBrowser?: boolean;
}

export function startContext(response: Response, context: RequestContext): void {
  response.locals.context = context;
}

/** The context of a request; the first step has started it. */
export function contextOf(response: Response): RequestContext {
  const context: RequestContext | undefined = response.locals.context;
  if (!context) throw new Error("no step has started the request's context");
  return context;
}

/** The environment of a request that `authenticate` has let through. */
export function environmentOf(response: Response): Environment {
  const { environment } = contextOf(response);
  if (!environment) throw new Error("the request has not been authenticated");
  return environment;
}
