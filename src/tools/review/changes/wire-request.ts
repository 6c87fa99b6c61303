// Writes requests by the parameters of one contract, and reads and checks them by those of another.
import type { SchemaObject } from "../../../contract/openapi-document.js";
import type { Operation } from "../../../contract/operations.js";
import type { RequestSpec, RequestTemplate } from "../../../contract/request-spec.js";
import { toTyped } from "../../../contract/response-check.js";
import type { Violation } from "../../../contract/violation.js";
import { createReadQuery } from "../../../core/operations/check-request.js";
import { findRequirement, NO_KEY, writeCredentials } from "./credentials.js";
import { type RequestMessage, toMessageSchema } from "./message-schema.js";
import { type OperationVersion, parametersIn, pathNamesOf, type ReviewedParameter } from "./operation-version.js";
import { violationsOf } from "./resolved-schema.js";

export const JSON_TYPE = "application/json";

/** The delimiter between the values of a list; undefined if the parameter is repeated. Other styles are not supported. */
function delimiterOf({ style = "form", explode = true }: ReviewedParameter): string | undefined {
  return style === "form" && explode ? undefined : ",";
}

export function writeRequest({ operation }: OperationVersion, message: RequestMessage): RequestTemplate {
  const { path = {}, query = {}, header = {}, body = {}, security = NO_KEY } = message;
  const credentials = writeCredentials(security);
  const parameters = parametersIn(operation, "query");
  const names = pathNamesOf(operation);
  const written = Object.entries(query).flatMap(([name, value]) =>
    writeTexts([value].flat().map(String), parameters.get(name)).map((text) => `${encodeURIComponent(name)}=${text}`),
  );
  const rawQuery = [...written, ...credentials.query];
  const [type = JSON_TYPE, content] = Object.entries(body).at(-1) ?? [];
  const headers = Object.fromEntries(Object.entries(header).map(([name, value]) => [name, String(value)]));
  return {
    path: Object.fromEntries(Object.entries(path).map(([position, value]) => [names[Number(position)], String(value)])),
    ...(rawQuery.length > 0 ? { rawQuery: rawQuery.join("&") } : {}),
    headers: { ...headers, ...credentials.headers, ...(type === JSON_TYPE ? {} : { "content-type": type }) },
    ...(content === undefined ? {} : { body: content }),
  };
}

function writeTexts(texts: string[], parameter: ReviewedParameter | undefined): string[] {
  const delimiter = parameter && delimiterOf(parameter);
  const values = delimiter === undefined || texts.length < 2 ? texts : [texts.join(delimiter)];
  return values.map((text) => {
    const encoded = encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
    if (!parameter?.allowReserved) return encoded;
    return encoded
      .replaceAll(/%(2F|3A|3B|3F|40|21|24|2C|2[789a])/g, decodeURIComponent)
      .replaceAll(parameter["x-literal-plus"] ? "%2B" : "%20", "+"); // a plus sign or a blank (D-67)
  });
}

export function readRequest(version: OperationVersion, request: RequestSpec) {
  const { operation } = version;
  const [path = "", rawQuery = ""] = request.target.split(/\?(.*)/s);
  const positions = new RegExp(`^${operation.path.replaceAll(/{[^}]+}/g, "([^/]*)")}$`).exec(path)?.slice(1) ?? [];
  const { values, unknown } = createReadQuery(operation)(request.target);
  const toValues = (location: string, textOf: (key: string) => string | string[] | undefined) =>
    Object.fromEntries(
      [...parametersIn(operation, location)].flatMap(([key, parameter]) => {
        const text = textOf(key);
        return text === undefined ? [] : [[key, toValue(text, parameter)]];
      }),
    );
  const { "content-type": type = JSON_TYPE } = request.headers;
  const message: RequestMessage = {
    path: toValues("path", (position) => decodeURIComponent(positions[Number(position)] ?? "")),
    query: {
      ...toValues("query", (name) => values[name] as string | string[]),
      ...Object.fromEntries(unknown.map((name) => [name, ""])),
    },
    header: toValues("header", (name) => request.headers[name]),
    ...(operation.object.requestBody && request.body !== undefined
      ? { body: { [type]: JSON.parse(request.body) } }
      : {}),
    security: findRequirement(version, request) ?? "none",
  };
  const violations = violationsOf(toMessageSchema(version, "request"), message).map((violation) =>
    toWords(violation, operation),
  );
  const queries = [...parametersIn(operation, "query").values()];
  return { message, violations: [...violations, ...queries.flatMap((one) => checkText(one, rawQuery))] };
}

function toValue(text: string | string[], parameter: ReviewedParameter): unknown {
  const { items = {}, type }: SchemaObject = parameter.schema ?? {};
  const delimiter = delimiterOf(parameter);
  if (type !== "array") return Array.isArray(text) ? text : toTyped(text, [type].flat());
  const texts = [text].flat().flatMap((part) => (delimiter === undefined ? [part] : part.split(delimiter)));
  return texts.map((item) => toTyped(item, [items.type].flat()));
}

/** Checks the text of a parameter for errors that its values no longer show. */
function checkText(parameter: ReviewedParameter, query: string): Violation[] {
  const { name, allowReserved } = parameter;
  const delimiter = delimiterOf(parameter);
  const pairs = query.split("&").filter((pair) => pair.startsWith(`${name}=`));
  const texts = pairs.map((pair) => pair.slice(name.length + 1));
  const location = `query.${name}`;
  const reserved = delimiter ? /[:/?#[\]@!$&'()*+;=]/ : /[:/?#[\]@!$&'()*+,;=]/;
  return [
    ...(!allowReserved && texts.some((text) => reserved.test(text))
      ? [{ location, message: "has reserved characters that are not encoded" }]
      : []),
    ...(delimiter !== undefined && texts.length > 1 ? [{ location, message: "is there more than once" }] : []),
  ];
}

/** `.body.application/json.channels` → `body.channels`. */
function toWords({ location, message, keyword }: Violation, operation: Operation): Violation {
  const place = location
    .slice(1)
    .replace(/^path\.(\d+)/, (_all, position) => `path.${pathNamesOf(operation)[position]}`);
  if (place === "security") return { location: "header.authorization", message: "lacks what the contract requires" };
  const [, type, below = ""] = /^body\.([\w-]+\/[\w.+-]+?json|[^.]+)(\..*)?$/.exec(place) ?? [];
  if (type === undefined) return { location: place, message };
  if (below === "" && keyword === "additionalProperties")
    return { location: "header.content-type", message: `${type} is not read` };
  return { location: `body${below}`, message };
}
