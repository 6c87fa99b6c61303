// Reads messages by a contract, and checks them: as its servers would read requests, and its clients responses.

import { isJson, type Operation } from "../../../contract/operations.js";
import { createReadQuery } from "../../../contract/parameter-text.js";
import type { RequestSpec } from "../../../contract/request-spec.js";
import { isOfMediaType, STANDARD_HEADERS, type WireResponse } from "../../../contract/response-check.js";
import { splitTarget } from "../../../contract/target.js";
import type { Violation } from "../../../contract/violation.js";
import { findRequirement } from "./credentials.js";
import { type RequestMessage, type ResponseMessage, toMediaTypeName, toMessageSchema } from "./message-schema.js";
import {
  type OperationVersion,
  parametersIn,
  pathNamesOf,
  type ReviewedParameter,
  serializationOf,
} from "./operation-version.js";
import { type ResolvedSchema, stepInto, violationsOf } from "./resolved-schema.js";
import { readScalar, readText } from "./text-values.js";
import { delimiterOf, findDeclared, headersOf, JSON_TYPE } from "./write-message.js";

/** The location of a violation is in words; `path` has its steps in the message, joined by dots: `.body.application/json.a`. */
export interface MessageViolation extends Omit<Violation, "path"> {
  path: string;
}

/** What a contract reads in a request, and how the request violates it. */
export function readRequest(version: OperationVersion, request: RequestSpec) {
  const { operation } = version;
  const schema = toMessageSchema(version, "request");
  const [path = "", rawQuery = ""] = request.target.split(/\?(.*)/s);
  const positions = new RegExp(`^${operation.path.replaceAll(/{[^}]+}/g, "([^/]*)")}$`).exec(path)?.slice(1) ?? [];
  const query = readQuery(version, schema, request.target);
  const toValues = (location: string, textOf: (key: string, parameter: ReviewedParameter) => string | undefined) =>
    Object.fromEntries(
      [...parametersIn(version, location)].flatMap(([key, parameter]) => {
        const text = textOf(key, parameter);
        const own = stepInto(stepInto(schema, location) ?? schema, key);
        return text === undefined || !own ? [] : [[key, readValue(own, text, parameter)]];
      }),
    );
  const cookies = readCookies(request.headers.cookie);
  const { "content-type": type = JSON_TYPE } = request.headers;
  const message: RequestMessage = {
    path: toValues("path", (position) => decodeURIComponent(positions[Number(position)] ?? "")),
    query: query.values,
    header: toValues("header", (name) => request.headers[name]),
    cookie: toValues("cookie", (name) => cookies.get(name)),
    ...(operation.object.requestBody && request.body !== undefined
      ? { body: { [findMediaType(operation.object.requestBody.content, type)]: JSON.parse(request.body) } }
      : {}),
    security: findRequirement(version, request) ?? "none",
  };
  const violations = [
    ...toMessageViolations(schema, message, (place) => toRequestWords(place, operation)),
    ...[...parametersIn(version, "query").values()].flatMap((one) => checkText(one, rawQuery)),
  ];
  return { message, violations };
}

function readCookies(header: string | undefined): Map<string, string> {
  return new Map(
    (header ?? "").split("; ").flatMap((pair) => {
      const [name, text] = pair.split(/=(.*)/s);
      return name === undefined || text === undefined ? [] : [[name, text]];
    }),
  );
}

/** The name by which a contract declares a media type; the type itself if it does not. */
function findMediaType(content: object, mediaType: string): string {
  const names = Object.keys(content).map(toMediaTypeName);
  const wanted = toMediaTypeName(mediaType);
  return names.find((name) => name === wanted) ?? names.find((name) => isOfMediaType(name, wanted)) ?? wanted;
}

/** Reads the query as the server does; objects, which it does not read, by their style. */
function readQuery(version: OperationVersion, schema: ResolvedSchema, target: string) {
  const parameters = parametersIn(version, "query");
  const pairs = [...new URLSearchParams(target.replace(/^[^?]*\??/, ""))];
  const { contract, operation } = version;
  const known = contract.model.operations.find(
    ({ method, path }) => method === operation.method && path === operation.path,
  );
  const { texts, unknown: names } = createReadQuery(known?.parameters ?? [])(splitTarget(target).query);
  const whole = stepInto(schema, "query") ?? schema;
  const used = new Set<string>();
  const values = [...parameters].flatMap(([name, parameter]): [string, unknown][] => {
    const own = stepInto(whole, name);
    if (!own) return [];
    const members = readMembers(own, parameter, pairs);
    for (const member of members.used) used.add(member);
    if (members.value !== undefined) return [[name, members.value]];
    const text = texts[name];
    return text === undefined ? [] : [[name, readValue(own, text, parameter)]];
  });
  const unknown = names.filter((name) => !used.has(name)).map((name): [string, unknown] => [name, ""]);
  return { values: Object.fromEntries([...values, ...unknown]) };
}

/** Reads an object whose members are pairs of the query: `filter[a]=1`, or `a=1` where the style explodes it. */
function readMembers(schema: ResolvedSchema, parameter: ReviewedParameter, pairs: readonly [string, string][]) {
  const { style, explode } = serializationOf(parameter);
  const nameOf = (key: string): string | undefined => {
    if (parameter.content) return undefined;
    if (style === "deepObject") return new RegExp(`^${escapeText(parameter.name)}\\[([^\\]]*)\\]$`).exec(key)?.[1];
    return style === "form" && explode && isDeclared(schema, key) ? key : undefined;
  };
  const own = pairs.flatMap(([key, text]) => {
    const name = nameOf(key);
    return name === undefined ? [] : [{ key, name, text }];
  });
  const members = own.map(({ name, text }) => [name, readScalar(stepInto(schema, name), text)]);
  const value = own.length > 0 ? Object.fromEntries(members) : undefined;
  return { value: value as unknown, used: own.map(({ key }) => key) };
}

const isDeclared = ({ parts }: ResolvedSchema, name: string) =>
  parts.some(({ properties = {}, type }) => [type].flat().includes("object") && Object.hasOwn(properties, name));

const escapeText = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function readValue(schema: ResolvedSchema, text: string | string[], parameter: ReviewedParameter): unknown {
  if (parameter.content) return typeof text === "string" ? readContent(text, parameter) : text;
  const delimiter = delimiterOf(parameter);
  const { explode } = serializationOf(parameter);
  return readText(schema, text, { delimiter, isExploded: explode });
}

/** Stands for a text that is no JSON, which no schema allows. */
const NO_JSON = Symbol("no JSON");

function readContent(text: string, { content = {} }: ReviewedParameter): unknown {
  const [mediaType = ""] = Object.keys(content);
  if (!isJson(mediaType)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}

function toMessageViolations(
  schema: ResolvedSchema,
  message: object,
  toWords: (place: string) => Pick<Violation, "location"> & Partial<Violation>,
): MessageViolation[] {
  const noJson = findValues(message, NO_JSON).map((path): MessageViolation => {
    return { ...toWords(path.slice(1)), path, message: "must be JSON" } as MessageViolation;
  });
  if (noJson.length > 0) return noJson;
  return violationsOf(schema, message).map((violation) => {
    return { ...violation, ...toWords(violation.location.slice(1)), path: violation.location };
  });
}

function findValues(value: unknown, wanted: unknown, path = ""): string[] {
  if (value === wanted) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => findValues(child, wanted, `${path}.${key}`));
}

/** Checks the text of a parameter for errors that its values no longer show. */
function checkText(parameter: ReviewedParameter, query: string): MessageViolation[] {
  const { name, allowReserved } = parameter;
  const delimiter = delimiterOf(parameter);
  const pairs = query.split("&").filter((pair) => pair.startsWith(`${name}=`));
  const texts = pairs.map((pair) => pair.slice(name.length + 1));
  const about = { location: `query.${name}`, path: `.query.${name}` };
  const reserved = delimiter === "," ? /[:/?#[\]@!$&'()*+;=]/ : /[:/?#[\]@!$&'()*+,;=]/;
  return [
    ...(!allowReserved && texts.some((text) => reserved.test(text))
      ? [{ ...about, message: "has reserved characters that are not encoded" }]
      : []),
    ...(delimiter !== undefined && texts.length > 1 ? [{ ...about, message: "is there more than once" }] : []),
  ];
}

/** `body.application/json.channels` → `body.channels`. */
function toRequestWords(written: string, operation: Operation): Pick<Violation, "location"> & Partial<Violation> {
  const place = written.replace(/^path\.(\d+)/, (_all, position) => `path.${pathNamesOf(operation)[position]}`);
  if (place === "security") return { location: "header.authorization", message: "lacks what the contract requires" };
  return toBodyWords(place);
}

const MEDIA_TYPE = /^body\.([\w*-]+\/(?:[\w.+-]+?json|[^.]+))(\..*)?$/;

function toBodyWords(place: string): Pick<Violation, "location"> & Partial<Violation> {
  const [, type, below = ""] = MEDIA_TYPE.exec(place) ?? [];
  return { location: type === undefined ? place : `body${below}` };
}

/** How a response violates a contract. Requires a body exactly where one is declared. */
export function checkResponse(version: OperationVersion, { status, headers, body }: WireResponse): MessageViolation[] {
  const schema = toMessageSchema(version, "response");
  const responses = stepInto(schema, String(status));
  const declared = headersOf(version, String(status));
  const { "content-type": type, ...others } = headers;
  const own = Object.entries(others).filter(([name]) => declared.has(name) || !STANDARD_HEADERS.has(name));
  const headerSchema = responses && stepInto(responses, "header");
  const values = own.map(([name, text]) => {
    const header = declared.get(name);
    const value = header && headerSchema && stepInto(headerSchema, name);
    return [name, value ? readValue(value, String(text), header) : text];
  });
  const { content = {} } = findDeclared(version, String(status));
  const message: ResponseMessage = {
    [status]: {
      header: Object.fromEntries(values),
      ...(body === undefined ? {} : { body: { [findMediaType(content, String(type ?? JSON_TYPE))]: body } }),
    },
  };
  return toMessageViolations(schema, message, (place) => toResponseWords(place));
}

function toResponseWords(written: string): Pick<Violation, "location"> & Partial<Violation> {
  const [, part] = written.split(/\.(.*)/s);
  return part === undefined ? { location: "status", message: "is not declared" } : toBodyWords(part);
}
