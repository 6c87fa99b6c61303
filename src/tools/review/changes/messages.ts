// Writes messages by a contract, as its clients would write requests and its servers responses, and reads and checks
// them as the other side would: parameters and headers are texts, in the style that the contract declares; bodies are
// JSON.
import { escapePattern } from "../../../contract/format.js";
import { mapDefined } from "../../../contract/lists.js";
import { concreteType, covers } from "../../../contract/media-type.js";
import type { MediaType, Parameter, WireResponse } from "../../../contract/model.js";
import { findResponse } from "../../../contract/operation.js";
import { createReadQuery, readHeader, readOthers } from "../../../contract/parameter-text.js";
import type { RequestSpec, RequestTemplate } from "../../../contract/request.js";
import { STANDARD_HEADERS } from "../../../contract/response-check.js";
import { encodePath, splitTarget } from "../../../contract/target.js";
import { createViolation, type Violation } from "../../../contract/violation.js";
import { delimiterOf, writeQuery, writeText } from "../../../contract/write-parameter.js";
import { findRequirement, NO_KEY, writeCredentials } from "./credentials.js";
import { buildMessageSchema, type RequestMessage, type ResponseMessage } from "./message-schema.js";
import { mediaTypeNameOf, type OperationVersion, parametersIn, pathNamesOf } from "./operation-version.js";
import type { ResolvedSchema } from "./resolved-schema.js";

export const JSON_TYPE = "application/json";

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
export function writeResponse(version: OperationVersion, message: ResponseMessage): WireResponse {
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
export interface MessageViolation extends Violation {
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
