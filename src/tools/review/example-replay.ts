// Replays the requests of examples, each in a separate environment, on the demo seed with the clock at its `asOf`, and
// under the condition of the example (`x-given`). A third shell around the server's path of a request: without Express
// and without a port.
import { readFileSync } from "node:fs";
import { type FetchExchange, openExchange, readBody } from "../../browser/fetch/fetch-exchange.js";
import type { Contract } from "../../contract/contract.js";
import { responseExamplesOf } from "../../contract/examples.js";
import { withoutPrototypes } from "../../contract/json.js";
import type { ExampleRequest, ExampleSetting, Operation } from "../../contract/model.js";
import { type RequestValues, requestSchemaOf } from "../../contract/request-schema.js";
import { buildRequestSpec } from "../../contract/request-spec.js";
import { createAdjustableClock, createFrozenClock } from "../../core/domain/clock.js";
import { bodyTextOf } from "../../core/domain/notifications.js";
import { randomHex } from "../../core/domain/random.js";
import type { Seed } from "../../core/domain/state.js";
import { handleRequest, type Shell } from "../../core/handle-request.js";
import { createExecute } from "../../core/operations/call-operation.js";
import { createErrorResponse, createInternalErrorResponse } from "../../core/operations/error-response.js";
import { DISCONNECT, rejectedOf } from "../../core/operations/exchange.js";
import { createStoredEnvironment, type Environment } from "../../core/state/environment.js";
import { createEnvironmentState } from "../../core/state/environment-state.js";
import { createInitialContents } from "../../core/state/seed-environment.js";
import { findSeedPath } from "../../server/store/seed.js";

export interface ReplayedResponse {
  status: number;
  body: unknown;
}

/** Sends the request of an example, after the requests of its setting. */
export type Replay = (
  operation: Operation,
  request: ExampleRequest,
  setting?: ExampleSetting,
) => Promise<ReplayedResponse>;

const API_KEY = "review";

export function createReplay(contract: Contract): Replay {
  const seed: Seed = JSON.parse(readFileSync(findSeedPath("demo"), "utf8"));
  const clock = createAdjustableClock(createFrozenClock(new Date(seed.asOf)));
  const contents = createInitialContents(seed, contract, API_KEY, { clock });

  return async function replay(operation, request, { requests = [], condition } = {}) {
    const state = createEnvironmentState(contents);
    const { log, isCommitting, release } = createLog(condition);
    const environment = createStoredEnvironment({ name: API_KEY, state, clock, log });
    const shell = createShell(contract, condition === "fault" ? breakEnvironment(environment) : environment);
    const send = (example: ExampleRequest) => sendRequest(shell, operation, { example, now: clock.now() });
    const pending: Promise<ReplayedResponse>[] = [];
    for (const example of requests) {
      pending.push(send(example));
      await Promise.race([pending.at(-1), isCommitting]);
    }
    const response = await send(request);
    release();
    await Promise.all(pending);
    return response;
  };
}

function createShell(contract: Contract, environment: Environment): Shell<FetchExchange> {
  return {
    contract,
    responsesOf: responseExamplesOf,
    open: (apiKey) => (apiKey === undefined || apiKey === API_KEY ? environment : undefined),
    lastStepOf: (operation) => createExecute(operation, "enterprise"),
    validate(operation, values, media) {
      const violations = requestSchemaOf(operation, media).check(values, [], "request");
      return { violations, input: withDefaults(operation, values) };
    },
    readBody,
  };
}

/** With the defaults of the operation's parameters. */
function withDefaults({ parameters }: Operation, values: RequestValues): RequestValues & { body: unknown } {
  const input = withoutPrototypes(values) as RequestValues & { body: unknown };
  for (const { in: location, name, schema } of parameters)
    if (schema.flat.default !== undefined) input[location][name] ??= schema.flat.default;
  return input;
}

async function sendRequest(
  shell: Shell<FetchExchange>,
  operation: Operation,
  { example, now }: { example: ExampleRequest; now: Date },
): Promise<ReplayedResponse> {
  const { target, ...init } = buildRequestSpec(operation, example, API_KEY);
  const request = new Request(`http://127.0.0.1${target}`, init);
  const exchange = openExchange(request, { contract: shell.contract, now, apiKey: API_KEY });
  const outcome = await handleRequest(exchange, shell).catch(
    (error: unknown) =>
      createErrorResponse(error, rejectedOf(exchange)) ??
      createInternalErrorResponse(randomHex(16), rejectedOf(exchange)),
  );
  if (outcome === DISCONNECT) throw new Error(`${operation.id}: no fault is injected, but the server disconnected`);
  const { status, body } = outcome;
  return { status, body: body === undefined ? undefined : JSON.parse(bodyTextOf(body)) };
}

/** `isCommitting` settles when a slow disk starts to store something; `release` lets it continue. */
function createLog(condition: ExampleSetting["condition"]) {
  let [announce, release] = [() => {}, () => {}];
  const isCommitting = new Promise<void>((resolve) => (announce = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  async function append(): Promise<void> {
    if (condition === "fullDisk") throw new Error("no space left");
    if (condition !== "slowDisk") return;
    announce();
    await released;
  }
  return { log: { append }, isCommitting, release };
}

/** An environment whose every use is a bug. */
function breakEnvironment(environment: Environment): Environment {
  const fail = () => {
    throw new Error("a bug");
  };
  return Object.defineProperties(environment, { state: { get: fail }, transact: { value: fail } });
}
