// The entry of this folder: serves a contract that the handlers do not implement. Requests are reduced to what the
// handlers know, by the names that they know; responses are adapted to the served contract; and values are found that
// are sent although it forbids them.
import type { Contract } from "../contract/contract.js";
import type { OperationId, OperationRequest } from "../contract/contract-types.js";
import { implementedContract } from "../contract/implemented.js";
import { isEqual, isObject } from "../contract/json.js";
import { mapDefined } from "../contract/lists.js";
import { negotiate } from "../contract/media-type.js";
import { memoize } from "../contract/memoize.js";
import type { Operation, Parameter } from "../contract/model.js";
import { formatOperation, mainMedia, successOf } from "../contract/operation.js";
import { readText } from "../contract/parameter-reader.js";
import { createMockResponse, responsesOf } from "../contract/sample/message.js";
import { fitValue } from "../contract/sample/sample.js";
import type { Schema } from "../contract/schema.js";
import type { Violation } from "../contract/violation.js";
import { joinNotification } from "../core/domain/notifications.js";
import type { Exchange, HttpResponse, RequestInput, ResponseAdapter } from "../core/request/exchange.js";
import { createExecute, createMockOperation, handlerOf, type Implementation } from "../core/request/handlers.js";
import type { Serving, Surroundings } from "../server/serving.js";
import { compareContracts, counterpartOf, findParameter } from "./implementation.js";
import { itemsOf, LIST, recordContractOf } from "./record-contract.js";
import { createResponseAdapter } from "./response.js";

/** What a server does with a proposal. */
export const serveProposal = memoize((proposal: Contract): Serving => {
  const implemented = implementedContract();
  const { implementation, isReal } = compareContracts(proposal, implemented);
  const adapter = createResponseAdapter(proposal, implemented);
  return {
    records: recordContractOf(proposal),
    implementation,
    createLastStep(operation, plan) {
      const mock = createMockOperation(operation);
      if (!isReal(operation)) return mock;
      const execute = createExecute(operation, plan);
      const counterpart = counterpartOf(operation, implemented) as Operation; // a real operation has one
      return (exchange) => {
        const input = reduceInput(operation, counterpart, exchange.input, exchange.headers);
        return input && takesMainMedia(operation, exchange) ? execute(exchange, input) : mock(exchange);
      };
    },
    responsesOf,
    adapter,
    findInvalidValues: (environments) => findInvalidValues(proposal, { implementation, adapter }, environments),
  };
});

/** False if the client prefers another media type of the success than the one that handlers and Prism make. */
export function takesMainMedia(operation: Operation, { headers }: Pick<Exchange, "headers">): boolean {
  const declared = successOf(operation);
  return !declared || negotiate(declared.content, headers.accept?.toString()) === mainMedia(declared);
}

/**
 * Undefined for an update that sends a member or a parameter without effect: it is mocked, since it would do something
 * else than it says. So is one in another media type than JSON, which no handler reads.
 */
function reduceInput(
  operation: Operation,
  handled: Operation,
  input: RequestInput,
  headers: Exchange["headers"] = {},
): RequestInput | undefined {
  if (operation.method !== "get" && !isKnown(operation, handled, { ...input, headers })) return undefined;
  return { path: reducePath(operation, input.path), query: reduceQuery(handled, input.query), body: input.body };
}

/** Renames the path's parameters by their order. */
function reducePath(operation: Operation, path: RequestInput["path"]): RequestInput["path"] {
  const names = (template = "") => [...template.matchAll(/{([^}]*)}/g)].map(([, name = ""]) => name);
  const handledNames = names(handlerOf(operation)?.path);
  return Object.fromEntries(names(operation.path).map((name, index) => [handledNames[index] ?? name, path[name]]));
}

function reduceQuery({ parameters }: Operation, query: RequestInput["query"]): RequestInput["query"] {
  const entries = mapDefined(parameters, ({ name, in: where, schema }) => {
    const sent = query[name] ?? schema.flat.default;
    const value = typeof sent === "string" ? readText(schema, sent) : sent;
    return where === "query" && value !== undefined ? [name, value] : undefined;
  });
  return Object.fromEntries(entries);
}

/** Headers that clients send with every request. They say nothing about what an update does. */
const AMBIENT = /^(accept(-.*)?|origin|prefer|referer|traceparent|tracestate|user-agent|x-(correlation|request)-id)$/i;

/** True if the handler knows all that a request sends. */
function isKnown(
  operation: Operation,
  handled: Operation,
  { query, headers, body }: RequestInput & Pick<Exchange, "headers">,
): boolean {
  const isSent = ({ name, in: where, schema }: Parameter) => {
    const header = where === "header" && !AMBIENT.test(name) ? headers[name.toLowerCase()] : undefined;
    const sent = where === "query" ? query[name] : header && readText(schema, header.toString());
    return sent !== undefined && !isEqual(sent, schema.flat.default);
  };
  if (operation.parameters.some((parameter) => isSent(parameter) && !findParameter(handled, parameter))) return false;
  const schema = mainMedia(handled.body)?.schema;
  return !schema || (isObject(body) && !hasUnknown(schema, body, mainMedia(operation.body)?.schema));
}

/** True if a value has a member that the handler does not know, unless it is the served contract's default. */
function hasUnknown(handled: Schema, value: unknown, served: Schema | undefined): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    const [known, declared] = [handled, served].map((schema) => schema?.members.get(name));
    return known ? hasUnknown(known, member, declared) : !isEqual(member, declared?.flat.default);
  });
}

const MAX_RECORDS = 5_000; // the newest of each environment, so that a start stays fast
const MAX_MESSAGES = 10;

/** As in `GET /v1/notifications 200 body.pageSize must be a string`. */
function findInvalidValues(
  served: Contract,
  { implementation, adapter }: { implementation: Implementation; adapter: ResponseAdapter },
  environments: readonly Surroundings[],
): string[] {
  const responses = served.operations.flatMap((operation) =>
    implementation.implemented.includes(formatOperation(operation))
      ? environments.flatMap((environment) => findInvalidResponses(served, operation, { ...environment, adapter }))
      : findInvalidSamples(served, [operation]),
  );
  const records = implementation.implemented.includes(formatOperation(LIST))
    ? findInvalidRecords(served, environments)
    : [];
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
  const implemented = itemsOf(implementedContract());
  const records = new Map<string, number>();
  for (const { state } of environments) {
    for (const { json } of state.notifications.slice(0, MAX_RECORDS)) {
      const shown = joinNotification(JSON.parse(Buffer.from(json).toString()), state);
      const value = fitValue(schema, shown, { path: "", request: "", implemented });
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
  const handled = counterpartOf(operation, implementedContract());
  const [subscriber] = state.subscribers();
  if (!handle || !handled || !subscriber) return [];
  const { method, path: target, parameters } = operation;
  const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema.flat;
  const { default: limit, maximum = limit } = schemaOf("limit") ?? {};
  const params = Object.fromEntries(parameters.map(({ name }) => [name, subscriber.subscriberId]));
  const limits = [limit, typeof maximum === "number" ? Math.min(maximum, MAX_RECORDS) : maximum];
  return limits.flatMap((size) => {
    const query = { page: schemaOf("page")?.default, limit: size };
    const input = reduceInput(operation, handled, { path: params, query, body: { channels: {} } });
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
  return violations.map((violation) => `${formatOperation(operation)} ${status} ${formatMessage(violation)}`);
}

/** The message is the same for every item of a list. */
function formatMessage({ location, message }: Violation): string {
  return `${location.replaceAll(/\.\d+/g, "[]")} ${message}`;
}
