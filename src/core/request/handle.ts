// The path of a request, from authentication to the response. Both shells call it: Express (server/app.ts) and the
// WHATWG fetch handler (browser/fetch/fetch-handler.ts). `Shell` has all that differs between them.

import type { ContractModel, Operation } from "../../contract/model.js";
import type { ResponseExample } from "../../contract/operation.js";
import { authenticate, type Keyring } from "./authenticate.js";
import { DISCONNECT, type Exchange, type LastStep, type Outcome } from "./exchange.js";
import { type FaultRule, type Faults, injectFault } from "./faults.js";
import { changesState } from "./handlers.js";
import { takeIdempotencyKey } from "./idempotency.js";
import { applyPreference } from "./prefer.js";
import { findOperation, type ParsedBody, type Validate, validateRequest } from "./validate.js";

/** Also opens the environment of a key. */
export interface Shell<Kind extends Exchange = Exchange> extends Keyring {
  contract: ContractModel;
  faults?: Pick<Faults<FaultRule>, "apply"> | undefined;
  /** Parses the body, and sets `sentBody`. Returns undefined if there is none. @throws RequestError */
  readBody(exchange: Kind, operation: Operation): Promise<ParsedBody | undefined | typeof DISCONNECT>;
  validate: Validate;
  /** Lists the example responses of an operation, for `Prefer` and faults. */
  responsesOf(operation: Operation): readonly ResponseExample[];
  /** Finds what handles the operation, or mocks it. It resolves once the change is durable. */
  lastStepOf(operation: Operation): LastStep;
}

/** @throws whatever the shell turns into an error response. */
export async function handleRequest<Kind extends Exchange>(exchange: Kind, shell: Shell<Kind>): Promise<Outcome> {
  const match = shell.contract.findPath(exchange.path);
  authenticate(exchange, match, shell); // before an unknown path or method is rejected (D-47)
  const operation = findOperation(exchange, match, shell.contract);
  const body = operation.body ? await shell.readBody(exchange, operation) : undefined; // a GET's is ignored (D-72)
  if (body === DISCONNECT) return DISCONNECT;
  exchange.input = await validateRequest(exchange, operation, { ...shell, body });
  const releaseKey = changesState(operation) ? takeIdempotencyKey(exchange, operation) : undefined; // before a delay (D-57)
  try {
    const preferred = await applyPreference(exchange, operation, shell);
    if (preferred) return preferred;
    const injected = await injectFault(exchange, operation, shell);
    if (injected) return injected;
    const execute = shell.lastStepOf(operation);
    return await execute(exchange);
  } finally {
    releaseKey?.(); // before the client gets the response and sends its next request
  }
}
