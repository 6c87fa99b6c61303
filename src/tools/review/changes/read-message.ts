// Reads messages by a contract, and checks them: as its servers would read requests, and its clients responses.
import { mapDefined } from "../../../contract/lists.js";
import { covers } from "../../../contract/media-type.js";
import type { MediaType, Parameter, WireResponse } from "../../../contract/model.js";
import { findResponse } from "../../../contract/operation-responses.js";
import { createReadQuery, readHeader, readOthers } from "../../../contract/parameter-text.js";
import type { RequestSpec } from "../../../contract/request-spec.js";
import { STANDARD_HEADERS } from "../../../contract/response-check.js";
import { splitTarget } from "../../../contract/target.js";
import type { Violation } from "../../../contract/violation.js";
import { delimiterOf } from "../../../contract/write-parameter.js";
import { findRequirement } from "./credentials.js";
import { buildMessageSchema, mediaTypeNameOf, type RequestMessage, type ResponseMessage } from "./message-schema.js";
import { type OperationVersion, parametersIn, pathNamesOf } from "./operation-version.js";
import type { ResolvedSchema } from "./resolved-schema.js";
import { JSON_TYPE } from "./write-message.js";

/** A violation with its place in words, and its steps in the message: `["body", "application/json", "channels"]`. */
export interface MessageViolation extends Violation {
  path: readonly string[];
}

/** What a contract reads in a request, and how the request violates it. */
export function readRequest(version: OperationVersion, request: RequestSpec) {
  const { operation } = version;
  const { path, query: rawQuery } = splitTarget(request.target);
  const pattern = new RegExp(`^${operation.path.replaceAll(/{[^}]+}/g, "([^/]*)")}$`);
  const texts = (pattern.exec(path)?.slice(1) ?? []).map(decodeURIComponent);
  const names = pathNamesOf(operation);
  const sent = { path: Object.fromEntries(names.map((name, index) => [name, texts[index]])), headers: request.headers };
  const others = readOthers(operation.parameters, sent);
  const query = createReadQuery(operation.parameters)(rawQuery);
  const declared = (location: "header" | "cookie") =>
    Object.fromEntries(Object.entries(others[location]).filter(([name]) => parametersIn(version, location).has(name)));
  const { "content-type": type = JSON_TYPE } = request.headers;
  const message: RequestMessage = {
    path: Object.fromEntries(names.map((name, index) => [String(index), others.path[name]])),
    query: { ...query.values, ...Object.fromEntries(query.unknown.map((name) => [name, ""])) },
    header: declared("header"),
    cookie: declared("cookie"),
    ...(operation.body && request.body !== undefined
      ? { body: { [findMediaType(operation.body.content, type)]: JSON.parse(request.body) } }
      : {}),
    security: findRequirement(version, request) ?? "none",
  };
  const violations = [
    ...checkMessage(buildMessageSchema(version, "request"), message, (steps) => findRequestWords(steps, names)),
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

type Words = Pick<Violation, "location"> & Partial<Violation>;

function checkMessage({ whole }: ResolvedSchema, message: object, toWords: (steps: readonly string[]) => Words) {
  return whole.check(message).map((violation): MessageViolation => {
    const { path = [] } = violation;
    return { ...violation, ...toWords(path), path };
  });
}

/** Checks the text of a parameter for errors that its values do not show. */
function checkText(parameter: Parameter, query: string): MessageViolation[] {
  const { name, allowsReserved, mediaType } = parameter;
  const prefix = `${encodeURIComponent(name)}=`;
  const texts = query.split("&").flatMap((pair) => (pair.startsWith(prefix) ? pair.slice(prefix.length) : []));
  const delimiter = delimiterOf(parameter);
  const about = { location: `query.${name}`, path: ["query", name] };
  const reserved = delimiter === "," ? /[:/?#[\]@!$&'()*+;=]/ : /[:/?#[\]@!$&'()*+,;=]/;
  return [
    ...(!allowsReserved && texts.some((text) => reserved.test(text))
      ? [{ ...about, message: "has reserved characters that are not encoded" }]
      : []),
    ...(mediaType === undefined && delimiter !== undefined && texts.length > 1
      ? [{ ...about, message: "occurs more than once" }]
      : []),
  ];
}

/** `body.application/json.channels` → `body.channels`. */
function findRequestWords([part = "", ...rest]: readonly string[], pathNames: readonly string[]): Words {
  if (part === "security") return { location: "header.authorization", message: "lacks what the contract requires" };
  const [name = "", ...below] = rest;
  if (part === "path") return { location: ["path", pathNames[Number(name)] ?? name, ...below].join(".") };
  return findBodyWords([part, ...rest]);
}

function findBodyWords(steps: readonly string[]): Words {
  const [part = "", ...rest] = steps;
  return { location: (part === "body" ? [part, ...rest.slice(1)] : steps).join(".") };
}

/** How a response violates a contract. Requires a body exactly where one is declared. */
export function checkResponse(version: OperationVersion, { status, headers, body }: WireResponse): MessageViolation[] {
  const declared = findResponse(version.operation, status);
  const { "content-type": type, ...others } = headers;
  const values = mapDefined(Object.entries(others), ([name, text]) => {
    const header = declared?.headers.find((one) => one.name.toLowerCase() === name);
    if (!header) return STANDARD_HEADERS.has(name) ? undefined : [name, text];
    const { schema } = header;
    return [name, schema ? readHeader({ ...header, schema }, String(text)) : text];
  });
  const message: ResponseMessage = {
    [status]: {
      header: Object.fromEntries(values),
      ...(body === undefined
        ? {}
        : { body: { [findMediaType(declared?.content ?? [], String(type ?? JSON_TYPE))]: body } }),
    },
  };
  return checkMessage(buildMessageSchema(version, "response"), message, ([, ...steps]) =>
    steps.length === 0 ? { location: "status", message: "is not declared" } : findBodyWords(steps),
  );
}
