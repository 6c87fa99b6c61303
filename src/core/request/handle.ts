// The path of a request, from authentication to the response. Both shells call it: Express (server/app.ts) and the
// WHATWG fetch handler (browser/fetch/fetch-handler.ts). `Shell` has all that differs between them.

import type { ContractModel, Operation } from "../../contract/model.js";
import type { ResponseExample } from "../../contract/operation.js";
import { authenticate, type Keyring } from "./authenticate.js";
import { fitExample } from "./errors.js";
import { DISCONNECT, type Exchange, isFromConsole, type LastStep, type Outcome, rejectedOf } from "./exchange.js";
import { type FaultRule, type Faults, findExample } from "./faults.js";
import { isUpdate } from "./handlers.js";
import { takeIdempotencyKey } from "./idempotency.js";
import { applyPreferHeader } from "./prefer.js";
import { findOperation, formatAllow, type ParsedBody, type Validate, validateRequest } from "./validate.js";

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
  const releaseKey = isUpdate(operation) ? takeIdempotencyKey(exchange, operation) : undefined; // before a delay (D-57)
  try {
    const replacement = await preferOrFault(exchange, operation, shell);
    const execute = shell.lastStepOf(operation);
    return replacement ?? (await execute(exchange));
  } finally {
    releaseKey?.(); // before the client gets the response and sends its next request
  }
}

/** Delays the response, or replaces it with an example. Changes no state. */
async function preferOrFault<Kind extends Exchange>(
  exchange: Kind,
  operation: Operation,
  { contract, responsesOf, faults }: Shell<Kind>,
): Promise<Outcome | undefined> {
  const { headers, responseHeaders, environment, input } = exchange;
  responseHeaders.Vary = "Prefer"; // even if this request has no such header (RFC 7240 §2)
  const header = headers.prefer?.toString();
  const preference = header === undefined ? undefined : applyPreferHeader(header, responsesOf(operation), operation);
  if (preference) {
    responseHeaders["Preference-Applied"] = preference.applied;
    await exchange.wait(preference.delayMs);
  }
  if (preference?.response) return asResponseTo(exchange, preference.response, contract);
  // Faults count a delayed request too, even if its client has disconnected.
  if (!faults || !environment || isFromConsole(exchange)) return undefined;
  const fault = faults.apply(environment, { ...input, operation: operation.id });
  if (!fault) return undefined;
  exchange.fault = fault;
  if (fault.delayMs !== undefined) await exchange.wait(fault.delayMs);
  if (fault.disconnect) return DISCONNECT;
  const example = findExample(responsesOf(operation), fault);
  return example && asResponseTo(exchange, example, contract);
}

function asResponseTo(exchange: Exchange, example: ResponseExample, contract: ContractModel): Outcome {
  const fitted = fitExample(example, rejectedOf(exchange));
  // Operations may share the example of a 405, but not its methods.
  const siblings = fitted.status === 405 ? contract.findPath(exchange.path)?.operations : undefined;
  const headers = siblings ? { ...fitted.headers, Allow: formatAllow(siblings) } : fitted.headers;
  const response = { ...fitted, headers };
  exchange.assertValid?.(response);
  return response;
}
