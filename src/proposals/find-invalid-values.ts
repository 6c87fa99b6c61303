// Finds values that are sent although the served contract forbids them: from the state, from handlers, and samples. It
// adapts records and responses as for a client.
import { type Contract, implementedContract } from "../contract/contract.js";
import type { OperationId, OperationRequest } from "../contract/contract-types.js";
import type { Operation } from "../contract/model.js";
import { createMockResponse } from "../contract/sample/message.js";
import { fitValue } from "../contract/sample/sample.js";
import type { Violation } from "../contract/violation.js";
import { joinNotification } from "../core/domain/notifications.js";
import type { Exchange, HttpResponse, ResponseAdapter } from "../core/request/exchange.js";
import { handlerOf, nameOf } from "../core/request/handlers.js";
import type { Serving, Surroundings } from "../server/serving.js";
import { itemsOf, LIST } from "./record-contract.js";
import { counterpartOf, reduceInput } from "./to-handled.js";

const MAX_RECORDS = 5_000; // the newest of each environment, so that a start stays fast
const MAX_MESSAGES = 10;

/** As in `GET /v1/notifications 200 body.pageSize must be a string`. */
export function findInvalidValues(
  served: Contract,
  { status, adapter }: Pick<Serving, "status" | "adapter">,
  environments: readonly Surroundings[],
): string[] {
  const responses = served.operations.flatMap((operation) =>
    adapter && status.implemented.includes(nameOf(operation))
      ? environments.flatMap((environment) => findInvalidResponses(served, operation, { ...environment, adapter }))
      : findInvalidSamples(served, [operation]),
  );
  const records = status.implemented.includes(nameOf(LIST)) ? findInvalidRecords(served, environments) : [];
  return [...records, ...new Set(responses)].slice(0, MAX_MESSAGES);
}

/** The samples of mocked operations that their schemas forbid: no value satisfies such a schema. */
export function findInvalidSamples(served: Contract, operations = served.operations): string[] {
  return operations.flatMap((operation) => checkSuccess(served, operation, mock(operation)));
}

function mock(operation: Operation): HttpResponse {
  return createMockResponse(operation, { method: operation.method, target: operation.path });
}

function findInvalidRecords(served: Contract, environments: readonly Surroundings[]): string[] {
  const schema = itemsOf(served);
  if (!schema) return [];
  const own = itemsOf(implementedContract());
  const records = new Map<string, number>();
  for (const { state } of environments) {
    for (const { json } of state.notifications.slice(0, MAX_RECORDS)) {
      const shown = joinNotification(JSON.parse(Buffer.from(json).toString()), state);
      const value = fitValue(schema, shown, { path: "", request: "", own });
      const messages = schema.check(value, ["notification"]).map(formatMessage);
      for (const message of new Set(messages)) records.set(message, (records.get(message) ?? 0) + 1);
    }
  }
  return [...records].map(([message, count]) => `${message} (records: ${count})`);
}

/** Checks the success of a handler, for the default page size and for the largest. */
function findInvalidResponses(
  served: Contract,
  operation: Operation,
  { state, clock, plan, adapter }: Surroundings & { adapter: ResponseAdapter },
): string[] {
  const handle = handlerOf(operation)?.handle;
  const own = counterpartOf(operation, implementedContract());
  const [subscriber] = state.subscribers();
  if (!handle || !own || !subscriber) return [];
  const { method, path: target, parameters } = operation;
  const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema.flat;
  const { default: limit, maximum = limit } = schemaOf("limit") ?? {};
  const params = Object.fromEntries(parameters.map(({ name }) => [name, subscriber.subscriberId]));
  const limits = [limit, typeof maximum === "number" ? Math.min(maximum, MAX_RECORDS) : maximum];
  return limits.flatMap((size) => {
    const query = { page: schemaOf("page")?.default, limit: size };
    const input = reduceInput(operation, own, { path: params, query, body: { channels: {} } });
    if (!input) return [];
    const request = input as unknown as OperationRequest<OperationId>; // validated by reduceInput
    const { body } = handle(request, { state, now: clock.now(), plan });
    const exchange = { method, target, input: { path: params, query, body: undefined } } as unknown as Exchange;
    return checkSuccess(served, operation, adapter.adapt(operation, exchange, { status: 200, headers: {}, body }));
  });
}

/** Skips records in lists, which are checked on their own. */
function checkSuccess(served: Contract, operation: Operation, response: HttpResponse): string[] {
  const { status, mediaType = "application/json", body } = response;
  const sent = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = { ...Object.fromEntries(sent), ...(body === undefined ? {} : { "content-type": mediaType }) };
  const violations = served
    .checkResponse(operation, { status, headers, body })
    .filter(({ location }) => !/^body\.data\.\d/.test(location));
  return violations.map((violation) => `${nameOf(operation)} ${status} ${formatMessage(violation)}`);
}

/** The message is the same for every item of a list. */
function formatMessage({ location, message }: Violation): string {
  return `${location.replaceAll(/\.\d+/g, "[]")} ${message}`;
}
