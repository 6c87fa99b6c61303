// A request with everything that an operation requires: the contract's examples, else samples. What it cannot write,
// such as XML, it leaves out.
import { isObject } from "../json.js";
import { toList } from "../lists.js";
import { concreteType, essenceOf, isJson } from "../media-type.js";
import type { MediaType, Operation, Parameter } from "../model.js";
import { mainMedia } from "../operation-responses.js";
import type { RequestTemplate } from "../request-spec.js";
import { nearestSampleOf, sampleOf } from "../sample/sample.js";
import { addCookie } from "../security.js";
import { writeSimple } from "../write-parameter.js";

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
