// Brings a response of the server into the form of a proposal. Errors get its form, such as Problem Details, JSON:API
// or `{error: {code, message}}`: members get what they can hold by type and name; constants stay; what cannot be filled
// is a sample. A status that an operation does not declare becomes the nearest one.
import type { Contract } from "../contract/contract.js";
import { isObject } from "../contract/json.js";
import { mapDefined } from "../contract/lists.js";
import { hasJson } from "../contract/media-type.js";
import { memoize } from "../contract/memoize.js";
import type { DeclaredResponse, Header, Operation } from "../contract/model.js";
import { findNearestName } from "../contract/nearest-name.js";
import { findResponse, mainMedia, rejectionStatusOf, successOf } from "../contract/operation.js";
import { readHeader } from "../contract/parameter-reader.js";
import { isStandard } from "../contract/response-check.js";
import { createHeaders, responsesOf, typeOf } from "../contract/sample/message.js";
import { fitValue, type SampleSource, sampleOf } from "../contract/sample/sample.js";
import type { Schema } from "../contract/schema.js";
import { JsonText } from "../core/domain/notifications.js";
import { codeOf, isOfHandler } from "../core/request/errors.js";
import { type Exchange, type HttpResponse, type ResponseAdapter, timeOf } from "../core/request/exchange.js";
import { counterpartOf, nearestStatus } from "./implementation.js";

/** An error as the server writes it (D-48). */
interface ServerError {
  statusCode: number;
  message: string;
  path: string;
  timestamp: string;
  code: string;
}

/** @param body the error as the server writes it, whose members are kept where the form has them. */
export function adaptError(schema: Schema, body: Readonly<Record<string, unknown>>, error: ServerError): unknown {
  const adapted = fill(schema, { body, error, name: "" });
  return schema.allows(adapted, "response") ? adapted : (withMessage(schema, error) ?? adapted);
}

interface Filling {
  body: Readonly<Record<string, unknown>>;
  error: ServerError;
  /** The name of the member. */
  name: string;
}

const MESSAGE_NAMES = ["message", "detail", "title", "description", "reason", "error_description", "msg"];
const messageMemberOf = memoize(findMessageMember);

function fill(place: Schema, { body, error, name }: Filling): unknown {
  const schema = place.alternatives.find((part) => part.types.includes("object")) ?? place.alternatives[0] ?? place;
  if ("const" in schema.flat) return schema.flat.const;
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value !== undefined && schema.allows(value)) return value;
  if (schema.types.includes("object") && (schema.members.size > 0 || name === "" || isObject(value)))
    return fillObject(schema, { body: isObject(value) ? value : body, error, name });
  if (schema.types.includes("array") && schema.flat.items) return [fill(schema.items, { body, error, name })];
  return fillScalar(schema, name, error) ?? sampleOf(schema, `${error.path} ${error.code} ${name}`);
}

function fillObject(schema: Schema, { body, error }: Filling): Record<string, unknown> {
  const messageMember = messageMemberOf(schema);
  const entries = mapDefined([...schema.members], ([name, member]): [string, unknown] | undefined => {
    const isNeeded = schema.required.includes(name);
    if (name === messageMember && member.allows(error.message)) return [name, error.message];
    const isKnown = Object.hasOwn(body, name);
    const scalar = fillScalar(member, name, error);
    if (!isNeeded && !isKnown && scalar === undefined && !isErrorPart(name)) return undefined;
    const value = scalar !== undefined && !isKnown ? scalar : fill(member, { body, error, name });
    return value === undefined ? undefined : [name, value];
  });
  const isSimilar =
    // Many forms of errors have a list of errors.
    schema.members.size === 0 ||
    [...schema.members.keys()].some((name) => name !== "errors" && ERROR_MEMBERS.has(name));
  const isOpen = isSimilar && schema.flat.additionalProperties !== false;
  const extra = Object.entries(body).filter(([name]) => isOpen && !schema.members.has(name) && ERROR_MEMBERS.has(name));
  const undeclared = schema.required.filter((name) => !schema.members.has(name));
  const added = undeclared.map((name) => [name, sampleOf(schema.member(name) ?? schema.of(true), name)]);
  return Object.fromEntries([...entries, ...extra, ...added]);
}

/** Members of the reference server's errors, which an open form of the same kind may keep. */
const ERROR_MEMBERS = new Set(["statusCode", "timestamp", "path", "message", "ctx", "errors"]);

/** True for a member that holds an error as a part: `error`, `errors`. */
function isErrorPart(name: string): boolean {
  return /^(error|errors|fault|problem)$/i.test(name);
}

function fillScalar(
  schema: Schema,
  name: string,
  { statusCode, message, path, timestamp, code }: ServerError,
): unknown {
  const fits = (value: unknown) => (schema.allows(value) ? value : undefined);
  if ("const" in schema.flat) return schema.flat.const;
  if (/^(status|statusCode|status_code|httpStatus|code)$/i.test(name))
    return fits(statusCode) ?? fits(String(statusCode)) ?? codeIn(schema, code, statusCode);
  if (/^(errorCode|error_code|type|error|name|kind)$/i.test(name)) return codeIn(schema, code, statusCode);
  if (MESSAGE_NAMES.includes(name.replace(/s$/, "")) || name === "errors") return fits(message);
  if (/^(path|instance|resource)$/i.test(name)) return fits(path);
  if (schema.flat.format === "date-time") return fits(timestamp);
  const { minimum = 0, maximum = 0 } = schema.flat;
  return minimum >= 100 && maximum <= 599 ? fits(statusCode) : undefined;
}

/** The member of an enumeration that means the error, or the server's code itself. */
function codeIn(schema: Schema, code: string, status: number): unknown {
  const { enum: values } = schema.flat;
  if (!values) return schema.flat.format === undefined && schema.allows(code) ? code : undefined;
  const texts = values.filter((value): value is string => typeof value === "string");
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");
  const exact = texts.find((text) => plain(text) === plain(code));
  const words = [WORDS[code], WORDS[status], WORDS[status < 500 ? 400 : 500]].flatMap((some) => some?.split(" ") ?? []);
  const meant = words.map((word) => texts.find((text) => plain(text).includes(word)));
  return exact ?? meant.find((text) => text !== undefined) ?? findNearestName(code, texts);
}

/** What codes are made of, by the server's code or the status; the most telling word first. */
const WORDS: Readonly<Record<string, string>> = {
  workflowCritical: "critical precondition forbidden",
  dateRangeInverted: "range",
  idempotencyKeyReused: "idempoten reuse conflict",
  400: "badrequest malformed syntax invalid validation bad",
  401: "unauthorized unauthorised unauthenticated authentication",
  402: "payment plan",
  403: "forbidden permission denied",
  404: "notfound missing",
  405: "method",
  409: "conflict progress aborted",
  413: "large size",
  415: "media unsupported",
  422: "validation unprocessable invalid",
  429: "ratelimit toomany exhausted throttle",
  500: "internal server",
  503: "unavailable",
};

/** The member that holds the message: one with a usual name, else the first text without format or enumeration. */
function findMessageMember(schema: Schema): string | undefined {
  const isText = (member: Schema | undefined) =>
    member?.types.includes("string") && !("const" in member.flat) && !member.flat.enum && !member.flat.format;
  const usual = MESSAGE_NAMES.find((name) => isText(schema.members.get(name)));
  const isCode = (name: string) => /^(code|type|status|instance|path|id|errorCode|error_code)$/i.test(name);
  return usual ?? [...schema.members].find(([name, member]) => isText(member) && !isCode(name))?.[0];
}

/** A sample with the message in its place. */
function withMessage(schema: Schema, error: ServerError): unknown {
  const sample = sampleOf(schema, `${error.path} ${error.code}`, { direction: "response" });
  if (!isObject(sample)) return sample;
  const member = messageMemberOf(schema);
  const withText = member === undefined ? sample : { ...sample, [member]: error.message };
  return schema.allows(withText, "response") ? withText : sample;
}

export function createResponseAdapter(served: Contract, implemented: Contract): ResponseAdapter {
  const { operations } = served;
  const headerNames = namesOf(operations.flatMap(({ responses }) => responses.flatMap(({ headers }) => headers)));
  return {
    adapt(operation, exchange, response) {
      if (response.mediaType !== undefined || exchange.isMocked) return response; // made from the served contract
      const source = sourceOf(exchange);
      if (response.status >= 400) return adaptErrorResponse(served, operation, { response, exchange, source });
      if (!operation) return response;
      const counterpart = counterpartOf(operation, implemented);
      const schema = counterpart && mainMedia(successOf(counterpart))?.schema;
      return adaptSuccess(operation, response, { ...source, implemented: schema });
    },
    isDeclared(operation, status, name) {
      const declared = operation && findResponse(operation, status);
      const names = declared ? namesOf(declared.headers) : headerNames;
      return names.has(name.toLowerCase()) || isStandard(name.toLowerCase(), status);
    },
  };
}

/** HEAD has the headers of GET. */
function sourceOf({ input, method, target }: Pick<Exchange, "input" | "method" | "target">): SampleSource {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  return { path: Object.values(input.path).join("/"), request: `${name} ${target}` };
}

function adaptSuccess(operation: Operation, response: HttpResponse, source: SampleSource): HttpResponse {
  const declared = findResponse(operation, response.status) ?? successOf(operation);
  if (!declared) return response;
  const headers = headersOf(declared, response, source);
  const status = findResponse(operation, response.status) ? response.status : declared.status;
  const media = mainMedia(declared);
  if (!media) return { status, headers, body: undefined };
  const body = response.body instanceof JsonText ? JSON.parse(String(response.body)) : response.body;
  return { status, headers, body: media.schema ? fitValue(media.schema, body, source) : body, ...typeOf(media.type) };
}

function adaptErrorResponse(
  served: Contract,
  operation: Operation | undefined,
  { response, exchange, source }: { response: HttpResponse; exchange: Exchange; source: SampleSource },
): HttpResponse {
  const status = operation ? statusFor(operation, response) : response.status;
  const declared = operation && findResponse(operation, status);
  const media = mainMedia(declared);
  const headers = declared ? headersOf(declared, response, source) : response.headers;
  if (declared && !media) return { status, headers, body: undefined };
  const schema = media?.schema ?? served.errorBody;
  if (media && !hasJson(media.type) && operation) {
    const example = responsesOf(operation).find((one) => one.status === status);
    return { status, headers, mediaType: media.type, body: example?.body ?? "" };
  }
  const { body } = response;
  if (!schema || !isObject(body)) return { ...response, status, headers };
  const { message = "", path = "", timestamp = timeOf(exchange).toISOString() } = body as Record<string, string>;
  const error = { statusCode: status, message, path, timestamp, code: codeOf(response) };
  const adapted = adaptError(schema, "statusCode" in body ? { ...body, statusCode: status } : body, error);
  return { status, headers, body: adapted, ...typeOf(media?.type ?? served.errorTypes[0]) };
}

/** What the handler decides becomes the nearest declared status of its class; what HTTP and validation decide stays. */
function statusFor(operation: Operation, response: HttpResponse): number {
  const { status } = response;
  if (findResponse(operation, status)) return status;
  if (status === 422) return rejectionStatusOf(operation);
  return isOfHandler(response) ? (nearestStatus(operation, status) ?? status) : status;
}

/** The headers that the response has and may have, where they are valid, and samples of those that it needs. */
function headersOf(declared: DeclaredResponse, response: HttpResponse, source: SampleSource): HttpResponse["headers"] {
  const samples = createHeaders(declared, source.path || source.request);
  const remaining = new Map(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  );
  const kept = mapDefined(declared.headers, ({ name, schema, ...header }): [string, string] | undefined => {
    const sent = remaining.get(name.toLowerCase());
    remaining.delete(name.toLowerCase());
    const isValid = sent && (!schema || schema.allows(readHeader({ name, schema, ...header }, sent.value)));
    if (isValid) return [name, sent.value];
    const sample = samples[name];
    return sample === undefined ? undefined : [name, sample];
  });
  const standard = [...remaining.values()].filter(({ name }) => isStandard(name.toLowerCase(), response.status));
  return Object.fromEntries([...kept, ...standard.map(({ name, value }) => [name, value])]);
}

function namesOf(declared: readonly Header[]): Set<string> {
  return new Set(declared.map(({ name }) => name.toLowerCase()));
}
