// Writes messages by a contract: parameters and headers are texts, in the style that it declares; bodies are JSON.
import { concreteType } from "../../../contract/media-type.js";
import type { Parameter, WireResponse } from "../../../contract/model.js";
import { findResponse } from "../../../contract/operation-responses.js";
import type { RequestTemplate } from "../../../contract/request-spec.js";
import { writeQuery, writeText } from "../../../contract/write-parameter.js";
import { NO_KEY, writeCredentials } from "./credentials.js";
import type { RequestMessage, ResponseMessage } from "./message-schema.js";
import { type OperationVersion, parametersIn, pathNamesOf } from "./operation-version.js";

export const JSON_TYPE = "application/json";

/** @throws UnwritableError */
export function writeRequest(version: OperationVersion, message: RequestMessage): RequestTemplate {
  const { path = {}, query = {}, header = {}, cookie = {}, body = {}, security = NO_KEY } = message;
  const credentials = writeCredentials(security);
  const names = pathNamesOf(version.operation);
  const all = (location: Parameter["in"], values: Record<string, unknown>) => {
    const parameters = parametersIn(version, location);
    return Object.entries(values).map(([name, value]) => [name, value, parameters.get(name)] as const);
  };
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

/** @throws UnwritableError */
export function writeResponse(version: OperationVersion, message: ResponseMessage): WireResponse {
  const [[status = "", { header = {}, body = {} }] = ["", {}]] = Object.entries(message);
  const [[type, content] = []] = Object.entries(body).slice(-1);
  const declared = findResponse(version.operation, Number(status))?.headers ?? [];
  const headers = Object.entries(header).map(([name, value]) => {
    const header = declared.find((one) => one.name.toLowerCase() === name);
    return [name, writeText(value, header && { ...header, style: "simple" })];
  });
  return {
    status: Number(status),
    headers: { ...(type === undefined ? {} : { "content-type": concreteType(type) }), ...Object.fromEntries(headers) },
    body: content,
  };
}
