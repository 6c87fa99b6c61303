// Searches for a counterexample of a difference, by varying valid messages: the smallest one, and the contract's
// examples. One side writes them by its contract, and the other one reads and checks them by its own.
import { escapePattern } from "../../../contract/format.js";
import { isObject } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import { concreteType, covers } from "../../../contract/media-type.js";
import { memoize } from "../../../contract/memoize.js";
import type { MediaType, Parameter, WireResponse } from "../../../contract/model.js";
import { findResponse, responseExamplesOf } from "../../../contract/operation.js";
import { createReadQuery, readHeader, readOthers } from "../../../contract/parameter-reader.js";
import { delimiterOf, UnwritableError, writeQuery, writeText } from "../../../contract/parameter-writer.js";
import { valueAt } from "../../../contract/pointer.js";
import { buildRequestSpec, type RequestSpec, type RequestTemplate } from "../../../contract/request.js";
import { STANDARD_HEADERS } from "../../../contract/response-check.js";
import { encodePath, splitTarget } from "../../../contract/target.js";
import { createViolation, type Violation } from "../../../contract/violation.js";
import type { Counterexample, MessageSide } from "./change.js";
import { findRequirement, NO_KEY, writeCredentials } from "./credentials.js";
import { MEANINGS } from "./meanings.js";
import { buildMessageSchema, type RequestMessage, type ResponseMessage } from "./message-schema.js";
import {
  EACH_ITEM,
  exampleOf,
  memberOf,
  type ResolvedSchema,
  type SchemaDifference,
  UNKNOWN_MEMBER,
  withPart,
} from "./resolved-schema.js";
import { mediaTypeNameOf, type OperationVersion, parametersIn, pathNamesOf } from "./reviewed-contract.js";

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

const JSON_TYPE = "application/json";

/** @throws UnwritableError */
export function writeRequest(version: OperationVersion, message: RequestMessage): RequestTemplate {
  const { path = {}, query = {}, header = {}, cookie = {}, body = {}, security = NO_KEY } = message;
  const credentials = writeCredentials(version, security);
  const all = (location: Parameter["in"], values: Record<string, unknown>) => {
    const parameters = parametersIn(version, location);
    return Object.entries(values).map(([name, value]) => [name, value, parameters.get(name)] as const);
  };
  const writeTexts = (location: Parameter["in"], values: Record<string, unknown>) =>
    Object.fromEntries(all(location, values).map(([name, value, parameter]) => [name, writeText(value, parameter)]));
  const rawQuery = [
    ...all("query", query).flatMap(([name, value, parameter]) => writeQuery(name, value, parameter)),
    ...credentials.query,
  ];
  const [type = JSON_TYPE, content] = Object.entries(body).at(-1) ?? [];
  const cookies = [
    ...all("cookie", cookie).map(([name, value, parameter]) => `${name}=${writeText(value, parameter)}`),
    ...credentials.cookies,
  ];
  const mediaType = concreteType(type);
  return {
    path: writeTexts("path", path),
    ...(rawQuery.length > 0 ? { rawQuery: rawQuery.join("&") } : {}),
    headers: {
      ...writeTexts("header", header),
      ...(cookies.length > 0 ? { cookie: cookies.join("; ") } : {}),
      ...credentials.headers,
      ...(mediaType === JSON_TYPE ? {} : { "content-type": mediaType }),
    },
    ...(content === undefined ? {} : { body: content }),
  };
}

/** @throws UnwritableError */
function writeResponse(version: OperationVersion, message: ResponseMessage): WireResponse {
  const [[key = "", { header = {}, body = {} }] = ["", {}]] = Object.entries(message);
  const [[type, content] = []] = Object.entries(body).slice(-1);
  const { status = 0, headers: declared = [] } = version.operation.responses.find((one) => one.key === key) ?? {};
  const headers = Object.entries(header).map(([name, value]) => {
    const header = declared.find((one) => one.name.toLowerCase() === name);
    return [name, writeText(value, header)];
  });
  return {
    status,
    headers: { ...(type === undefined ? {} : { "content-type": concreteType(type) }), ...Object.fromEntries(headers) },
    body: content,
  };
}

/** A violation with its place in words, and its steps in the message: `["body", "application/json", "channels"]`. */
interface MessageViolation extends Violation {
  path: readonly string[];
  /** True if servers read the message all the same. */
  isOverlooked?: boolean;
}

/** What a contract reads in a request, and how the request violates it. */
export function readRequest(version: OperationVersion, request: RequestSpec) {
  const { operation } = version;
  const { path, query: rawQuery } = splitTarget(request.target);
  const literals = operation.path.split(/{[^}]+}/).map((literal) => escapePattern(encodePath(literal)));
  const texts = new RegExp(`^${literals.join("([^/]+)")}$`).exec(path)?.slice(1).map(decodeURIComponent) ?? [];
  const names = pathNamesOf(operation);
  const sent = { path: Object.fromEntries(names.map((name, index) => [name, texts[index]])), headers: request.headers };
  const pathAndHeaders = readOthers(operation.parameters, sent);
  const query = createReadQuery(operation)(rawQuery);
  const declared = (location: "path" | "header" | "cookie") =>
    Object.fromEntries(
      Object.entries(pathAndHeaders[location]).filter(([name]) => parametersIn(version, location).has(name)),
    );
  const { "content-type": type = JSON_TYPE } = request.headers;
  const message: RequestMessage = {
    path: declared("path"),
    query: { ...query.values, ...Object.fromEntries(query.unknown.map((name) => [name, ""])) },
    header: declared("header"),
    cookie: declared("cookie"),
    ...(operation.body && request.body !== undefined
      ? { body: { [findMediaType(operation.body.content, type)]: JSON.parse(request.body) } }
      : {}),
    security: findRequirement(version, request) ?? "none",
  };
  const violations: MessageViolation[] = [
    ...checkMessage(buildMessageSchema(version, "request"), message, 0),
    ...query.repeated.map((name) => {
      const path = ["query", name];
      return { ...createViolation("explode", path), path };
    }),
    ...[...parametersIn(version, "query").values()].flatMap((one) => checkText(one, rawQuery ?? "")),
  ];
  return { message, violations };
}

/** The name by which a contract declares a media type; the type itself if it does not. */
function findMediaType(content: readonly MediaType[], mediaType: string): string {
  const names = content.map(({ type }) => mediaTypeNameOf(type));
  const wanted = mediaTypeNameOf(mediaType);
  return names.find((name) => name === wanted) ?? names.find((name) => covers(name, wanted)) ?? wanted;
}

/** @param outer the number of steps around the parts of the message: a response's status */
function checkMessage({ whole }: ResolvedSchema, message: object, outer: number): MessageViolation[] {
  return whole.check(message).map((violation) => {
    const { path = [], code } = violation;
    const [part = "", name = "", ...below] = path.slice(outer);
    const about = (location: string, text = violation.message) => ({ ...violation, location, message: text, path });
    if (part === "") return about("status", "is not declared");
    if (part === "security") return about("header.authorization", "lacks what the contract requires");
    if (part !== "body") return about([part, name, ...below].join("."));
    const isOfType = below.length === 0 && code === "additionalProperties";
    return isOfType ? about(part, `is not declared as ${name}`) : about([part, ...below].join("."));
  });
}

/** Checks the text of a parameter for errors that its values do not show. */
function checkText(parameter: Parameter, query: string): MessageViolation[] {
  const { name, allowsReserved } = parameter;
  const prefix = `${encodeURIComponent(name)}=`;
  const texts = query.split("&").flatMap((pair) => (pair.startsWith(prefix) ? pair.slice(prefix.length) : []));
  const reserved = delimiterOf(parameter) === "," ? /[:/?#[\]@!$&'()*+;=]/ : /[:/?#[\]@!$&'()*+,;=]/;
  const isReserved = !allowsReserved && texts.some((text) => reserved.test(text));
  const about = { location: `query.${name}`, path: ["query", name] };
  return isReserved ? [{ ...about, message: "has reserved characters that are not encoded", isOverlooked: true }] : [];
}

/** How a response violates a contract. Requires a body exactly where one is declared. */
export function checkResponse(version: OperationVersion, { status, headers, body }: WireResponse): MessageViolation[] {
  const declared = findResponse(version.operation, status);
  const { "content-type": type, ...remaining } = headers;
  const values = mapDefined(Object.entries(remaining), ([name, text]) => {
    const header = declared?.headers.find((one) => one.name.toLowerCase() === name);
    if (!header) return STANDARD_HEADERS.has(name) ? undefined : [name, text];
    const { schema } = header;
    return [name, schema ? readHeader({ ...header, schema }, String(text)) : text];
  });
  const message: ResponseMessage = {
    [declared?.key ?? status]: {
      header: Object.fromEntries(values),
      ...(body === undefined
        ? {}
        : { body: { [findMediaType(declared?.content ?? [], String(type ?? JSON_TYPE))]: body } }),
    },
  };
  return checkMessage(buildMessageSchema(version, "response"), message, 1);
}
