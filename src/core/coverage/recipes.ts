// Code to paste that shows a part of the contract on the demo seed: calls of the client, in JavaScript.
import { mapDefined, toList } from "../../contract/lists.js";
import type { DeclaredResponse, ExampleObject, Operation, Parameter } from "../../contract/model.js";
import { mainMedia } from "../../contract/operation-responses.js";
import { sampleOf } from "../../contract/values/example.js";

/** The calls that cause a response, from the requests of its examples; of one example, if it is named. */
export function findCalls(operation: Operation, response: DeclaredResponse, name?: string): string[] {
  const examples = (mainMedia(response)?.examples ?? []).filter(
    (example) => name === undefined || example.name === name,
  );
  return mapDefined(examples, ({ object }) => formatExampleCall(operation, object));
}

/** Undefined if the client cannot cause it: without a key, malformed, under another condition, by a preference. */
function formatExampleCall(
  operation: Operation,
  { "x-request": request, "x-given": setting }: ExampleObject,
): string | undefined {
  const { operation: of = operation.id, method, path, query = {}, headers = {}, rawBody, bodyBytes } = request ?? {};
  const isMalformed = rawBody !== undefined && headers["content-type"] === undefined;
  const isOdd = Object.entries(headers).some(([name, value]) => value === null || name.toLowerCase() === "prefer");
  if (!request || setting || of !== operation.id || isMalformed || isOdd) return undefined;
  const members = Object.entries(query).map(([member, value]) => {
    const parameter = operation.parameters.find(({ name }) => name === member);
    const isList = parameter?.schema.types.includes("array");
    return `"${member}":${formatDate(value) ?? JSON.stringify(isList ? toList(value) : value)}`;
  });
  const body = JSON.stringify(request.body ?? (rawBody && mainMedia(operation.body)?.examples[0]?.value));
  return formatCall(operation, {
    method: method?.toLowerCase(),
    path,
    query: members.join(),
    body: bodyBytes ? body?.replace("{", `{"padding":"x".repeat(${bodyBytes}),`) : body,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
  });
}

/** Examples are written for this time. */
const EXAMPLES_NOW = Date.parse("2026-11-02T09:00:00Z");

/** A date as long ago as in an example; undefined for any other value. */
function formatDate(value: unknown): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value))) return undefined;
  return `new Date(Date.now() - ${EXAMPLES_NOW - Date.parse(String(value))}).toISOString()`;
}

/** In JavaScript, but for path and headers. */
interface Call {
  method?: string | undefined;
  path?: Record<string, string> | undefined;
  /** Members, separated by commas. */
  query?: string;
  body?: string | undefined;
  headers?: object | undefined;
}

/** A call of the client, in JavaScript: its own method of the operation, or `request`. */
export function formatCall(operation: Operation, call: Call): string {
  const { id, parameters } = operation;
  const { method = operation.method, path = {}, query, body, headers } = call;
  const options = headers ? [JSON.stringify({ headers })] : [];
  const isOwn = method === operation.method;
  if (isOwn && id === "listNotifications") return `${id}(${[`{${query}}`, ...options].join(", ")})`;
  if (isOwn && id === "updatePreferences") {
    const { subscriberId = "ines-moreau" } = path;
    return `${id}(${[JSON.stringify(subscriberId), body ?? '{"channels":{}}', ...options].join(", ")})`;
  }
  const required = (place: Parameter["in"]) => {
    const own = parameters.filter((parameter) => parameter.in === place && parameter.isRequired);
    return own.map((parameter) => {
      return `"${parameter.name}":${JSON.stringify(path[parameter.name]) ?? formatExample(parameter)}`;
    });
  };
  const queries = [...required("query"), ...(query ? [query] : [])];
  const input = { path: required("path").join(), query: queries.join(), body };
  const parts = mapDefined(Object.entries(input), ([name, value]) =>
    value ? `"${name}":${name === "body" ? value : `{${value}}`}` : undefined,
  );
  return `request(${[`"${method} ${operation.path}"`, `{${parts.join()}}`, ...options].join(", ")})`;
}

/** A fixed date would some day be outside of a plan's retention. */
export function formatExample({ name, schema, examples }: Parameter): string {
  const [example = sampleOf(schema, name)] = examples;
  return schema.flat.format === "date-time" ? "new Date(Date.now() - 6e4).toISOString()" : JSON.stringify(example);
}
