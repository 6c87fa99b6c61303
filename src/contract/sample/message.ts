// Sample requests and responses: the contract's examples, else samples of its schemas.

import { isObject } from "../json.js";
import { mapDefined, toList } from "../lists.js";
import { concreteType, essenceOf, isJson, negotiate } from "../media-type.js";
import { memoize } from "../memoize.js";
import type { DeclaredResponse, MediaType, Operation, Parameter } from "../model.js";
import { mainMedia, type ResponseExample, successOf } from "../operation.js";
import { writeSimple } from "../parameter-writer.js";
import type { RequestTemplate } from "../request.js";
import { MOCKED_HEADER } from "../response-check.js";
import { addCookie } from "../security.js";
import { fitValue, nearestSampleOf, sampleOf } from "./sample.js";

type SampleResponse = Omit<ResponseExample, "name">;

export interface MockedRequest {
  method: string;
  /** Path and query. */
  target: string;
  body?: unknown;
  /** Chooses among the declared media types. */
  accept?: string | undefined;
}

/** Responds for an operation without a handler, and says so in a header. */
export function createMockResponse(operation: Operation, request: MockedRequest): SampleResponse {
  const response = createSampleResponse(operation, request);
  return { ...response, headers: { ...response.headers, [MOCKED_HEADER]: "not-implemented" } };
}

/** The success of an operation: its example, else a sample. */
export function createSampleResponse(operation: Operation, request: MockedRequest): SampleResponse {
  const declared = successOf(operation);
  if (!declared) return { status: 200, headers: {}, body: undefined };
  const media = negotiate(declared.content, request.accept);
  const randomSeed = `${request.method} ${request.target} ${JSON.stringify(request.body)}`;
  const isChosen = (one: ResponseExample) => one.status === declared.status && one.name !== GENERATED;
  const isMain = media === mainMedia(declared);
  const example = isMain ? responsesOf(operation).find(isChosen) : findExamples(declared, media)[0];
  return example ?? generate(declared, randomSeed, media);
}

const GENERATED = "generated";

/** The responses of an operation that a client can choose: for each status its valid examples, or a sample. */
export const responsesOf = memoize(({ responses }: Operation): ResponseExample[] => {
  const all = responses.flatMap((declared) => {
    const media = mainMedia(declared);
    const examples = findExamples(declared, media);
    return examples.length > 0 ? examples : [{ name: GENERATED, ...generate(declared, GENERATED, media) }];
  });
  return all.toSorted((one, other) => one.status - other.status);
});

/** The valid examples of a response. One that its schema does not allow is adapted, or dropped. */
function findExamples(declared: DeclaredResponse, media: MediaType | undefined): ResponseExample[] {
  return mapDefined(media?.examples ?? [], ({ name, value, object }) => {
    const extensions = Object.entries(object["x-headers"] ?? {}).map(([header, text]) => [header, String(text)]);
    const headers = { ...createHeaders(declared, name), ...Object.fromEntries(extensions) };
    const body = media?.isJson && media.schema ? findValid(media.schema, value, name) : { value };
    const request = object["x-request"];
    return body && { name, status: declared.status, headers, body: body.value, ...typeOf(media?.type), request };
  });
}

function findValid(
  schema: NonNullable<MediaType["schema"]>,
  value: unknown,
  name: string,
): { value: unknown } | undefined {
  const adapted = schema.allows(value, "response") ? value : fitValue(schema, value, { path: "", request: name });
  return schema.allows(adapted, "response") ? { value: adapted } : undefined;
}

/** The media type of a response; JSON is the default. */
export function typeOf(range = "application/json"): { mediaType?: string } {
  const type = concreteType(range);
  return type === "application/json" ? {} : { mediaType: type };
}

/** A sample of a response in one of its media types. */
function generate(declared: DeclaredResponse, randomSeed: string, media: MediaType | undefined): SampleResponse {
  const { status } = declared;
  const headers = createHeaders(declared, randomSeed);
  if (!media || [204, 205, 304].includes(status)) return { status, headers, body: undefined };
  const value = media.schema ? nearestSampleOf(media.schema, randomSeed, { direction: "response" }) : undefined;
  const type = concreteType(media.type);
  if (isJson(type)) return { status, headers, body: value ?? null, ...typeOf(media?.type) };
  // Without a schema: an empty body would be missing.
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "bytes");
  return { status, headers, body: text, mediaType: type };
}

/** The required headers of a response: examples, or samples. */
export function createHeaders({ headers }: DeclaredResponse, randomSeed: string): Record<string, string> {
  const needed = headers.filter(({ isRequired, name }) => isRequired && name.toLowerCase() !== "content-type");
  const entries = needed.map(({ name, example, schema, isExploded }) => {
    const value = example ?? (schema ? sampleOf(schema, `${randomSeed}/${name}`) : "text");
    return [name, writeSimple(value, isExploded).replaceAll(/[^\t\x20-\x7e]/g, "?")];
  });
  return Object.fromEntries(entries);
}

type SampleBody = Pick<RequestTemplate, "body" | "rawBody"> & { headers?: Record<string, string> };

export type SampleRequest = Required<Pick<RequestTemplate, "path" | "query"> & Pick<SampleBody, "headers">> &
  Pick<SampleBody, "body" | "rawBody">;

/**
 * @param toValue makes the value of a parameter.
 * @param example the value of the body. Default: a sample.
 */
export function sampleRequestOf(
  operation: Operation,
  toValue: (parameter: Parameter) => unknown,
  example?: unknown,
): SampleRequest {
  const media = mainMedia(operation.body);
  const sample = () => media?.schema && nearestSampleOf(media.schema, "", { direction: "request" });
  const body = media && writeBody(media, example === undefined ? sample() : example);
  // Without prototypes: a parameter may be called `__proto__`.
  const [path, query, headers] = [Object.create(null), Object.create(null), Object.create(null)];
  const request: SampleRequest = { path, query, ...body, headers: Object.assign(headers, body?.headers) };
  for (const parameter of operation.parameters) {
    const { in: place, name, isRequired, isExploded, mediaType } = parameter;
    if (!isRequired) continue;
    const value = toValue(parameter);
    const text = mediaType !== undefined && isJson(mediaType) ? JSON.stringify(value) : writeSimple(value, isExploded);
    if (place === "query") request.query[name] = value;
    else if (place === "path") request.path[name] = text;
    else if (place === "header") request.headers[name.toLowerCase()] = text;
    else request.headers.cookie = addCookie(request.headers.cookie, name, text);
  }
  return request;
}

/** The first example of a parameter, else a sample. */
export function sampleOfParameter({ examples: [example], schema }: Parameter): unknown {
  return example ?? sampleOf(schema, "", { direction: "request" });
}

const BOUNDARY = "boundary";

/** A body with its `Content-Type`; nothing for a media type that is not written here. */
function writeBody(media: MediaType, value: unknown): SampleBody {
  if (value === undefined) return {};
  const type = concreteType(media.type);
  if (isJson(type)) return { body: value, headers: { "content-type": type } };
  const fields = isObject(value) ? Object.entries(value).flatMap(toFields) : [];
  if (typeof value === "string") return { rawBody: value, headers: { "content-type": type } };
  if (essenceOf(type) === "application/x-www-form-urlencoded")
    return { rawBody: new URLSearchParams(fields).toString(), headers: { "content-type": type } };
  if (essenceOf(type) !== "multipart/form-data") return {};
  const parts = fields.map(
    ([name, text]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return {
    rawBody: `${parts.join("")}--${BOUNDARY}--\r\n`,
    headers: { "content-type": `${essenceOf(type)}; boundary=${BOUNDARY}` },
  };
}

function toFields([name, value]: [string, unknown]): [string, string][] {
  return toList(value).map((item) => [name, isObject(item) ? JSON.stringify(item) : String(item)]);
}
