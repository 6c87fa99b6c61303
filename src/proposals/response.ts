// Brings an error of the server into the form that a proposal gives to errors: Problem Details, JSON:API,
// `{error: {code, message}}` and the like. Members get what they can hold by type and name; constants stay; what cannot
// be filled is a sample. A status that an operation does not declare becomes the nearest one.

import { isObject } from "../contract/json.js";
import { mapDefined } from "../contract/lists.js";
import { memoize } from "../contract/memoize.js";
import type { Operation } from "../contract/model.js";
import { findNearestName } from "../contract/nearest-name.js";
import { sampleOf } from "../contract/sample/sample.js";
import type { Schema } from "../contract/schema.js";
import { HANDLER_STATUSES } from "../core/request/errors.js";

/** An error as the server writes it (D-48). */
export interface ServerError {
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
  const own = Object.hasOwn(body, name) ? body[name] : undefined;
  if (own !== undefined && schema.allows(own)) return own;
  if (schema.types.includes("object") && (schema.members.size > 0 || name === "" || isObject(own)))
    return fillObject(schema, { body: isObject(own) ? own : body, error, name });
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
  const isOwnForm =
    // Many forms of errors have a list of errors.
    schema.members.size === 0 || [...schema.members.keys()].some((name) => name !== "errors" && OWN_MEMBERS.has(name));
  const isOpen = isOwnForm && schema.flat.additionalProperties !== false;
  const extra = Object.entries(body).filter(([name]) => isOpen && !schema.members.has(name) && OWN_MEMBERS.has(name));
  const others = schema.required.filter((name) => !schema.members.has(name));
  const added = others.map((name) => [name, sampleOf(schema.member(name) ?? schema.of(true), name)]);
  return Object.fromEntries([...entries, ...extra, ...added]);
}

/** Members of the server's own form, which an open form of the same kind may keep. */
const OWN_MEMBERS = new Set(["statusCode", "timestamp", "path", "message", "ctx", "errors"]);

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

/** What HTTP, authentication and validation decide says something else. */
const OTHERS = new Set([401, 405, 406, 408, 411, 412, 413, 414, 415, 417, 422, 426, 428, 429, 431]);

/** The nearest declared status of the class, first of those that no handler has; undefined if there is none. */
export function nearestStatus({ responses }: Operation, status: number): number | undefined {
  const ofClass = responses
    .map((response) => response.status)
    .filter((declared) => Math.floor(declared / 100) === Math.floor(status / 100) && !OTHERS.has(declared));
  const distanceOf = (declared: number) =>
    Math.abs(declared - status) + (HANDLER_STATUSES.includes(declared) ? 100 : 0);
  return ofClass.toSorted((one, other) => distanceOf(one) - distanceOf(other))[0];
}
