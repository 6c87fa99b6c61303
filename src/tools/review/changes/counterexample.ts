// Searches for a counterexample of a difference, by varying valid messages: the smallest one, and the contract's
// examples.

import { isObject } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import { memoize } from "../../../contract/memoize.js";
import { responseExamplesOf } from "../../../contract/operation.js";
import { valueAt } from "../../../contract/pointer.js";
import { buildRequestSpec, type RequestTemplate } from "../../../contract/request.js";
import { UnwritableError } from "../../../contract/write-parameter.js";
import type { Counterexample, MessageSide } from "./change.js";
import { NO_KEY } from "./credentials.js";
import { MEANINGS } from "./meanings.js";
import { buildMessageSchema, type RequestMessage, type ResponseMessage } from "./message-schema.js";
import {
  checkResponse,
  JSON_TYPE,
  type MessageViolation,
  readRequest,
  writeRequest,
  writeResponse,
} from "./messages.js";
import type { OperationVersion } from "./operation-version.js";
import { EACH_ITEM, exampleOf, memberOf, type SchemaDifference, UNKNOWN_MEMBER, withPart } from "./resolved-schema.js";

/** A difference from one version of an operation to another. */
export interface Search {
  side: MessageSide;
  place: string;
  from: OperationVersion;
  to: OperationVersion;
  allowedBy: Counterexample["allowedBy"];
  difference: SchemaDifference;
}

/** The number of messages to try. */
const LIMIT = 400;

export function findCounterexample(search: Search): Counterexample | undefined {
  const { side, from, allowedBy } = search;
  const { id, method, path } = from.operation;
  for (const message of createMessages(search).slice(0, LIMIT)) {
    const shown = ifWritable(() =>
      side === "request"
        ? showRequest(message as RequestMessage, search)
        : showResponse(message as ResponseMessage, search),
    );
    if (shown) return { operation: { id, method, path }, allowedBy, ...shown };
  }
  return undefined;
}

function ifWritable<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof UnwritableError) return undefined;
    throw error;
  }
}

/** Puts the values of the difference into valid messages. */
function createMessages({ side, from, difference: { keyword, valuePath: path, values } }: Search): unknown[] {
  const [smallest, ...examples] = side === "request" ? sampleRequests(from) : sampleResponses(from, path[0] ?? "");
  // The smallest update changes nothing, so nobody would see another default.
  // A response of the contract's examples also says what its texts ask for.
  const isNear = (base: unknown) => valueAt(base, path.slice(0, -1).map(stepOfFirst)) !== undefined;
  const [near] = side === "response" ? examples.filter(isNear).map(withFirstItems) : [];
  const bases = keyword === "default" ? [...examples, smallest] : [...(near ? [near] : []), smallest, ...examples];
  if (side === "response" && path.length === 1) return bases; // any response of the status shows it
  const schema = buildMessageSchema(from, side);
  return bases.flatMap((base) => values.map((value) => withPart(base, schema, path, value)));
}

const stepOfFirst = (step: string) => (step === EACH_ITEM ? 0 : step);

/** A short form of an example. */
function withFirstItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(withFirstItems);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withFirstItems(part)]));
}

type Demonstration = Pick<Counterexample, "request" | "response" | "violation" | "path" | "isStillAccepted">;

function showRequest(message: RequestMessage, { from, to, difference, place }: Search): Demonstration | undefined {
  const request = writeRequest(from, message);
  const wireRequest = buildRequestSpec(from.operation, request, "key");
  const before = readRequest(from, wireRequest);
  if (before.violations.length > 0) return undefined;
  const other = readRequest(to, wireRequest);
  const violations = other.violations.filter((one) => !one.isOverlooked || difference.keyword === "allowReserved");
  const shown = describeViolation(violations, difference);
  if (shown) return { request, violation: shown.violation };
  const isPart = difference.valuePath.join() === "body"; // a body that may be sent, but is not read
  if (!(MEANINGS.has(difference.keyword) || isPart) || violations.length > 0) return undefined;
  const isDefault = difference.keyword === "default";
  const values = [before, other].map((read) => valueAt(read.message, difference.valuePath));
  if (isDefault && values[0] !== undefined) return undefined; // whoever sends the member needs no default
  const [meant = "nothing", means = "nothing"] = (
    isDefault ? [difference.from.value, difference.to.value] : values
  ).map((value) => JSON.stringify(value));
  if (!isDefault && meant === means) return undefined;
  return { request, violation: `${place} means ${meant}, now ${means}`, isStillAccepted: true };
}

function showResponse(message: ResponseMessage, { from, to, difference }: Search): Demonstration | undefined {
  const response = writeResponse(from, message);
  if (checkResponse(from, response).length > 0) return undefined;
  const shown = describeViolation(checkResponse(to, response), difference);
  return shown && { request: anyRequest(from), response, ...shown };
}

/** Any valid request, for a counterexample that is about something else. */
export function anyRequest(version: OperationVersion): Counterexample["request"] {
  return ifWritable(() => writeRequest(version, sampleRequests(version)[0] ?? {})) ?? {};
}

const UNSPECIFIC = new Set(["path", "status", "body", "header.authorization", "header.content-type"]);
const STEPS_WITHOUT_NAME = new Set([EACH_ITEM, UNKNOWN_MEMBER]);

/** The violation at the place of the change, or of a whole part. One elsewhere would show another change. */
function describeViolation(violations: MessageViolation[], { path, keyword }: SchemaDifference) {
  const name = path.findLast((step) => !STEPS_WITHOUT_NAME.has(step)) ?? "";
  // A parameter that is an object has the names of its members in a query, or names such as `filter[state]`.
  const isOfQuery = keyword === "existence" && path[0] === "query";
  const isNear = (steps: readonly string[]) => steps.includes(name) || (isOfQuery && steps[0] === "query");
  const all = violations.filter(({ location, path: steps }) => UNSPECIFIC.has(location) || isNear(steps));
  const nearest = all.find((violation) => violation.code === keyword) ?? all[0];
  return nearest && { violation: `${nearest.location} ${nearest.message}`, path: nearest.path };
}

/** Requests that an operation accepts: the smallest, those of examples of success, and examples of bodies. */
export const sampleRequests = memoize((version: OperationVersion): RequestMessage[] => {
  const { operation } = version;
  const schema = buildMessageSchema(version, "request");
  const smallest = exampleOf(schema) as RequestMessage;
  const { security = NO_KEY } = smallest; // examples name no credentials
  const readTemplate = (template: RequestTemplate) =>
    readRequest(version, buildRequestSpec(operation, template, "key"));
  const examples = operation.responses
    .filter(({ key }) => key.startsWith("2"))
    .flatMap(({ content }) => content.flatMap((media) => media.examples));
  const fromExamples = mapDefined(examples, ({ object: { "x-request": request } }) => {
    return request && { ...readTemplate(request).message, security };
  });
  const bodies = operation.body?.content.find(({ isJson }) => isJson)?.examples ?? [];
  const withBody = (body: unknown) => ({ ...smallest, body: { [JSON_TYPE]: body } });
  const isAccepted = (message: RequestMessage) =>
    ifWritable(() => readTemplate(writeRequest(version, message)).violations.length === 0) ?? false;
  return [smallest, ...fromExamples, ...bodies.map(({ value }) => withBody(value))].filter(isAccepted);
});

/** Responses of a declared status: the smallest, which is the easiest to read, and the examples. */
function sampleResponses(version: OperationVersion, key: string): ResponseMessage[] {
  const { operation } = version;
  const schema = memberOf(buildMessageSchema(version, "response"), key);
  if (!schema) return [];
  const smallest = exampleOf(schema) as ResponseMessage[string];
  const [type = ""] = Object.keys(smallest.body ?? {});
  const declared = operation.responses.find((response) => response.key === key);
  const examples = responseExamplesOf(operation).filter(({ status }) => status === declared?.status);
  const bodies = examples.map(({ body }) => ({ ...smallest, body: { [type]: body } }));
  return [smallest, ...bodies].map((response) => ({ [key]: response }));
}
