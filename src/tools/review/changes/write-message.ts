// Writes messages by a contract: parameters and headers are texts, in the style that it declares; bodies are JSON.

import { concreteType, isJson } from "../../../contract/media-type.js";
import { findResponse } from "../../../contract/operation-responses.js";
import { writeSimple } from "../../../contract/parameter-text.js";
import type { RequestTemplate } from "../../../contract/request-spec.js";
import type { WireResponse } from "../../../contract/response-check.js";
import { NO_KEY, writeCredentials } from "./credentials.js";
import type { RequestMessage, ResponseMessage } from "./message-schema.js";
import {
  type OperationVersion,
  parametersIn,
  pathNamesOf,
  type ReviewedParameter,
  serializationOf,
} from "./operation-version.js";

export const JSON_TYPE = "application/json";

/** A value that the styles of OpenAPI cannot write, such as an object in an object. */
export class UnwritableError extends Error {}

/** @throws UnwritableError */
export function writeRequest(version: OperationVersion, message: RequestMessage): RequestTemplate {
  const { path = {}, query = {}, header = {}, cookie = {}, body = {}, security = NO_KEY } = message;
  const credentials = writeCredentials(security);
  const names = pathNamesOf(version.operation);
  const all = (location: string, values: Record<string, unknown>) => {
    const parameters = parametersIn(version, location);
    return Object.entries(values).map(([name, value]) => [name, value, parameters.get(name)] as const);
  };
  const rawQuery = [
    ...all("query", query).flatMap(([name, value, parameter]) => writeQuery(name, value, parameter)),
    ...credentials.query,
  ];
  const [type = JSON_TYPE, content] = Object.entries(body).at(-1) ?? [];
  const cookies = all("cookie", cookie).map(([name, value, parameter]) => `${name}=${writeText(value, parameter)}`);
  const mediaType = concreteType(type);
  return {
    path: Object.fromEntries(
      all("path", path).map(([key, value, parameter]) => [names[Number(key)] ?? key, writeText(value, parameter)]),
    ),
    ...(rawQuery.length > 0 ? { rawQuery: rawQuery.join("&") } : {}),
    headers: {
      ...Object.fromEntries(
        all("header", header).map(([name, value, parameter]) => [name, writeText(value, parameter)]),
      ),
      ...(cookies.length > 0 ? { cookie: cookies.join("; ") } : {}),
      ...credentials.headers,
      ...(mediaType === JSON_TYPE ? {} : { "content-type": mediaType }),
    },
    ...(content === undefined ? {} : { body: content }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function toScalar(value: unknown): string {
  if (typeof value === "object" && value !== null) throw new UnwritableError("an object or a list in another one");
  return String(value);
}

/** Writes a parameter of the path, a header or a cookie, or a header of a response. */
function writeText(value: unknown, parameter: ReviewedParameter | undefined): string {
  if (parameter?.content) return writeContent(value, parameter);
  const { style, explode } = parameter ? serializationOf(parameter) : { style: "simple", explode: false };
  if (style !== "simple" && style !== "form") throw new UnwritableError(`the style ${style}`);
  if (Array.isArray(value)) return value.map(toScalar).join(",");
  if (!isObject(value)) return toScalar(value);
  if (style === "form" && explode) throw new UnwritableError("an object whose members are cookies");
  return Object.entries(value)
    .map(([name, member]) => `${name}${explode ? "=" : ","}${toScalar(member)}`)
    .join(",");
}

function writeContent(value: unknown, { content = {} }: ReviewedParameter): string {
  const [mediaType = ""] = Object.keys(content);
  if (isJson(mediaType)) return JSON.stringify(value);
  return toScalar(value);
}

const DELIMITERS: Readonly<Record<string, string>> = { form: ",", spaceDelimited: " ", pipeDelimited: "|" };

/** The delimiter between the values of a list; undefined if the parameter is repeated. */
export function delimiterOf(parameter: ReviewedParameter): string | undefined {
  const { style, explode } = serializationOf(parameter);
  return explode && style !== "simple" ? undefined : (DELIMITERS[style] ?? ",");
}

/** Writes the pairs of a query parameter. */
function writeQuery(name: string, value: unknown, parameter: ReviewedParameter | undefined): string[] {
  const toPair = (key: string, text: string) => `${encodeURIComponent(key)}=${encodeText(text, parameter)}`;
  if (!parameter) return [value].flat().map((item) => toPair(name, String(item)));
  if (parameter.content) return [toPair(name, writeContent(value, parameter))];
  const { style, explode } = serializationOf(parameter);
  const delimiter = delimiterOf(parameter);
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, member]) => [key, toScalar(member)] as const);
    if (style === "deepObject") return members.map(([key, text]) => toPair(`${name}[${key}]`, text));
    if (style === "form" && explode) return members.map(([key, text]) => toPair(key, text));
    return [toPair(name, members.flat().join(delimiter))];
  }
  if (style === "deepObject") throw new UnwritableError("no object in the style deepObject");
  const texts = [value].flat().map(toScalar);
  const values = delimiter === undefined || texts.length < 2 ? texts : [texts.join(delimiter)];
  return values.map((text) => toPair(name, text));
}

function encodeText(text: string, parameter: ReviewedParameter | undefined): string {
  const encoded = encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  if (!parameter?.allowReserved) return encoded;
  return encoded
    .replaceAll(/%(2F|3A|3B|3F|40|21|24|2C|2[789a])/g, decodeURIComponent)
    .replaceAll(parameter["x-literal-plus"] ? "%2B" : "%20", "+"); // a plus sign or a blank (D-67)
}

/** @throws UnwritableError */
export function writeResponse(version: OperationVersion, message: ResponseMessage): WireResponse {
  const [[status = "", { header = {}, body = {} }] = ["", {}]] = Object.entries(message);
  const [[type, content] = []] = Object.entries(body).slice(-1);
  const declared = findResponse(version.operation, Number(status))?.headers ?? [];
  const headers = Object.entries(header).map(([name, value]) => {
    const { mediaType, isExploded } = declared.find((one) => one.name.toLowerCase() === name) ?? {};
    const isText = mediaType !== undefined && !isJson(mediaType);
    if (mediaType !== undefined) return [name, isText ? toScalar(value) : JSON.stringify(value)];
    return [name, writeSimple(value, isExploded)];
  });
  return {
    status: Number(status),
    headers: { ...(type === undefined ? {} : { "content-type": concreteType(type) }), ...Object.fromEntries(headers) },
    body: content,
  };
}
