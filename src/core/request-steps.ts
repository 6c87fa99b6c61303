// The path of a request through the interface, for both shells: Express (app.ts) and the WHATWG fetch handler
// (fetch/fetch-handler.ts). Authentication comes before the operation is looked up, by Express's router or by `findRoute`; then
// come the steps of the operation. What a shell does in its own way, it passes in.

import type { Contract } from "../contract/contract.js";
import type { ResponseExample } from "../contract/examples.js";
import { isOpen, keyPlacesOf, type Operation } from "../contract/operations.js";
import { type AppliedFault, type Faults, isFromConsole, toFaultResponse } from "./control/faults.js";
import { findKey, readApiKey, unauthorized } from "./operations/check-request.js";
import { DISCONNECT, type Exchange, type Outcome, type Step } from "./operations/exchange.js";
import { takeKey, toFingerprint } from "./operations/idempotency.js";
import { type AppliedPreference, applyPreferHeader } from "./operations/prefer.js";
import { createFindOperation } from "./operations/routes.js";
import type { Environment } from "./state/environment.js";

export interface OperationParts<Kind extends Exchange> {
  readBody: Step<Kind>;
  validateRequest: Step<Kind>;
  /** Makes a short text of a long one; undefined where idempotency keys have no effect. */
  toDigest?: ((text: string) => string) | undefined;
  /** All that the operation can respond, for `Prefer` and faults. */
  responses: () => readonly ResponseExample[];
  faults?: Faults | undefined;
  executeOperation: Step<Kind>;
}

/** The steps of an operation, in their order. */
export function stepsOf<Kind extends Exchange>(operation: Operation, parts: OperationParts<Kind>): Step<Kind>[] {
  const { readBody, validateRequest, toDigest, executeOperation } = parts;
  return [
    ...(operation.hasBody ? [readBody] : []), // the body of a GET means nothing (D-72)
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
        const outcome = result instanceof Promise ? await result : result; // most steps have nothing to wait for
        if (outcome !== undefined) return outcome;
      }
    } finally {
      exchange.releaseKey?.(); // before the client can have the response and send the next request
    }
    throw new Error(`no step of ${operation.id} has responded`);
  };
}

/** Opens environments; `true` stands for one on a server that has none. */
export interface Opener {
  /** Undefined for an unknown key. */
  open(apiKey: string): Environment | true | undefined;
  /** The environment of a request without a key, if the contract wants none. */
  openDefault(): Environment | true | undefined;
}

/**
 * Creates the step that comes before the operation is looked up (D-47). The header is never repeated: it may be a key (D-45).
 */
export function createAuthenticate(contract: Pick<Contract, "document" | "operations">, { open, openDefault }: Opener) {
  const readKey = createReadKey(contract);
  return function authenticate(exchange: Exchange): void {
    const apiKey = readKey(exchange);
    const environment = apiKey === undefined ? openDefault() : open(apiKey);
    if (!environment) throw unauthorized("API Key not found");
    if (environment === true) return;
    exchange.environment = environment;
    exchange.now = environment.clock.now();
  };
}

type KeySource = Pick<Exchange, "method" | "path" | "target" | "headers">;

/** Creates the function that reads the key of a request: undefined where none is sent and none is needed. */
export function createReadKey({ document, operations }: Pick<Contract, "document" | "operations">) {
  const find = createFindOperation(operations);
  const places = keyPlacesOf(document);
  return function readKey({ method, path, target, headers }: KeySource): string | undefined {
    const { authorization } = headers;
    const key = findKey(places, { headers, target });
    if (key !== undefined) return key;
    const operation = authorization === undefined ? find(method, path) : undefined;
    return operation && isOpen(document, operation) ? undefined : readApiKey(authorization?.toString());
  };
}

/** Until `respond` releases the key. A file holds keys for a day: of what makes two requests the same, it records a digest. */
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

/** Creates the step that may choose a response in the place of the operation's, or delay it. It changes no state. */
function createPreferOrFault(
  operation: Operation,
  { responses, faults }: Pick<OperationParts<never>, "responses" | "faults">,
) {
  return function preferOrFault(exchange: Exchange): Outcome | Promise<Outcome> {
    exchange.responseHeaders.Vary = "Prefer"; // RFC 7240 §2: whether or not this request has the header
    const header = exchange.headers.prefer?.toString();
    const preference = header === undefined ? undefined : applyPreferHeader(header, responses(), operation);
    return preference ? prefer(preference, exchange) : injectFault(exchange);
  };

  async function prefer({ applied, delayMs, response }: AppliedPreference, exchange: Exchange): Promise<Outcome> {
    exchange.responseHeaders["Preference-Applied"] = applied;
    await exchange.wait(delayMs);
    if (!response) return injectFault(exchange); // also when the client has gone: without a delay the request would have counted
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
    return toFaultResponse(responses(), fault, { path: exchange.showTarget(), now: exchange.now });
  }
}
