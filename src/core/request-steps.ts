// The path of a request, shared by both shells: Express (app.ts) and the WHATWG fetch handler (fetch/fetch-handler.ts).
// Authentication runs first; Express's router or `findRoute` then finds the operation, whose steps follow. Each shell passes in the
// steps that depend on it.

import type { Contract } from "../contract/contract.js";
import type { ResponseExample } from "../contract/examples.js";
import type { Operation } from "../contract/model.js";
import { type AppliedFault, type Faults, isFromConsole, toFaultResponse } from "./control/faults.js";
import { findKeys, isOpen, missingKey, unauthorized } from "./operations/api-key.js";
import { RequestError } from "./operations/errors.js";
import { DISCONNECT, type Exchange, type Outcome, type Step, toRejected } from "./operations/exchange.js";
import { takeKey, toFingerprint } from "./operations/idempotency.js";
import { type AppliedPreference, applyPreferHeader } from "./operations/prefer.js";
import { createPathError } from "./operations/routes.js";
import type { Environment } from "./state/environment.js";

export interface OperationParts<Kind extends Exchange> {
  readBody: Step<Kind>;
  validateRequest: Step<Kind>;
  /** Hashes a text; undefined where idempotency keys have no effect. */
  toDigest?: ((text: string) => string) | undefined;
  /** The example responses of the operation, for `Prefer` and faults. */
  responses: () => readonly ResponseExample[];
  faults?: Faults | undefined;
  executeOperation: Step<Kind>;
}

/** Lists the steps of an operation in order. */
export function stepsOf<Kind extends Exchange>(operation: Operation, parts: OperationParts<Kind>): Step<Kind>[] {
  const { readBody, validateRequest, toDigest, executeOperation } = parts;
  return [
    ...(operation.body ? [readBody] : []), // the body of a GET is ignored (D-72)
    validateRequest,
    ...(toDigest ? [createTakeIdempotencyKey(toDigest)] : []), // before any delay (D-57)
    createPreferOrFault(operation, parts), // after authentication and validation (D-71)
    executeOperation,
  ];
}

/** Creates the function that runs steps until one responds. */
export function createRespond<Kind extends Exchange>(operation: Operation, steps: readonly Step<Kind>[]) {
  return async function respond(exchange: Kind): Promise<Exclude<Outcome, undefined>> {
    exchange.operation = operation;
    try {
      for (const step of steps) {
        const result = step(exchange);
        const outcome = result instanceof Promise ? await result : result; // most steps are synchronous
        if (outcome !== undefined) return outcome;
      }
    } finally {
      exchange.releaseKey?.(); // before the client gets the response and sends its next request
    }
    throw new Error(`no step of ${operation.id} has responded`);
  };
}

/** Finds environments by key. A server without environments returns `true` for a valid key. */
export interface Opener {
  /** Returns undefined for an unknown key. */
  open(apiKey: string): Environment | true | undefined;
  /** Returns the environment of a request without a key, for operations that need none. */
  openDefault(): Environment | true | undefined;
  /** Where the keys are to be found, for the error of an unknown one. */
  keyHint?: string | undefined;
}

/**
 * Creates the step that finds the environment, before an unknown path or method is rejected (D-47). Without a key, the error of an
 * unknown path says so too. Errors never repeat a header, which may be a key (D-45).
 */
export function createAuthenticate(contract: Pick<Contract, "model">, { open, openDefault, keyHint }: Opener) {
  const readKeys = createReadKeys(contract);
  const { findPath, operations } = contract.model;
  const toPathError = createPathError(operations, "/openapi.yaml");

  function findEnvironment(exchange: Exchange): Environment | true {
    const { keys, alternatives } = readKeys(exchange);
    const environment = keys ? keys.map(open).find((opened) => opened !== undefined) : openDefault();
    if (!environment) throw unauthorized("API Key not found", alternatives, keyHint);
    return environment;
  }

  return function authenticate(exchange: Exchange): void {
    const { method, path } = exchange;
    try {
      const environment = findEnvironment(exchange);
      if (environment === true) return;
      exchange.environment = environment;
      environment.usedAt = Date.now();
      exchange.now = environment.clock.now();
    } catch (error) {
      if (!(error instanceof RequestError) || findPath(path)) throw error;
      const message = `${error.message} ${toPathError(method, path).message}`;
      throw new RequestError(error.code, message, { headers: error.headers });
    }
  };
}

/** Creates the function that reads the keys of a request; undefined if none is sent and none is needed. */
export function createReadKeys({ model }: Pick<Contract, "model">) {
  const ofAnyOperation = model.operations.flatMap(({ security }) => security);
  return function readKeys(request: Pick<Exchange, "method" | "path" | "target" | "headers">) {
    const operation = model.findOperation(request.method, request.path);
    const alternatives = operation?.security ?? ofAnyOperation;
    const keys = findKeys(alternatives, request);
    if (keys.length > 0) return { keys, alternatives };
    const isAnonymous = operation ? isOpen(operation) : ofAnyOperation.length === 0;
    if (!isAnonymous) throw missingKey(alternatives, request);
    return { keys: undefined, alternatives };
  };
}

/** Creates the step that holds the key until `respond` releases it. The key is stored for a day, with a digest of its request. */
function createTakeIdempotencyKey(toDigest: (text: string) => string) {
  return function takeIdempotencyKey(exchange: Exchange): undefined {
    const { environment, headers, method, path, input, now } = exchange;
    const key = headers["idempotency-key"]?.toString();
    if (!key || !environment) return;
    const fingerprint = toDigest(toFingerprint(method, path, input.body));
    const lease = takeKey(environment, { key, fingerprint, now });
    exchange.idempotent = lease.request;
    exchange.releaseKey = lease.release;
  };
}

/** Creates the step that can delay the response, or replace it with an example. It changes no state. */
function createPreferOrFault(
  operation: Operation,
  { responses, faults }: Pick<OperationParts<never>, "responses" | "faults">,
) {
  return function preferOrFault(exchange: Exchange): Outcome | Promise<Outcome> {
    exchange.responseHeaders.Vary = "Prefer"; // even if this request has no such header (RFC 7240 §2)
    const header = exchange.headers.prefer?.toString();
    const preference = header === undefined ? undefined : applyPreferHeader(header, responses(), operation);
    return preference ? prefer(preference, exchange) : injectFault(exchange);
  };

  async function prefer({ applied, delayMs, response }: AppliedPreference, exchange: Exchange): Promise<Outcome> {
    exchange.responseHeaders["Preference-Applied"] = applied;
    await exchange.wait(delayMs);
    if (!response) return injectFault(exchange); // faults count a delayed request too, even if its client has disconnected
    exchange.check?.(response);
    return response;
  }

  function injectFault(exchange: Exchange): Outcome | Promise<Outcome> {
    if (!faults || !exchange.environment || isFromConsole(exchange.headers)) return undefined;
    const fault = faults.apply(exchange.environment, { ...exchange.input, operation: operation.id });
    return fault && inject(fault, exchange);
  }

  async function inject(fault: AppliedFault, exchange: Exchange): Promise<Outcome> {
    exchange.fault = fault.id;
    if (fault.delayMs !== undefined) await exchange.wait(fault.delayMs);
    if (fault.disconnect) return DISCONNECT;
    return toFaultResponse(responses(), fault, toRejected(exchange));
  }
}
