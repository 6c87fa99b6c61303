// A request as a case words it, and how it is sent.
import { toCurl } from "../client/curl.js";
import { type RequestSpec, type RequestTemplate, toRequestSpec } from "../client/request-spec.js";
import type { Operation } from "../contract/operations.js";
import type { Target } from "./target.js";

/** What is left out is a valid request with the target's key and subscriber. */
export interface TestRequest extends Omit<RequestTemplate, "rawBody"> {
  /** undefined for a path that the contract does not have; then `url` is set. */
  operation?: Operation | undefined;
  /** Path and query as they are sent, below the base URL. */
  url?: string;
  rawBody?: string | Buffer;
}

export function toSpec({ operation, url, rawBody, ...rest }: TestRequest, target: Target): RequestSpec<Buffer> {
  const body = rawBody === undefined ? {} : { rawBody: rawBody.toString() };
  const template = { ...rest, ...body, path: { subscriberId: target.subscriber, ...rest.path } };
  const spec = toRequestSpec(operation ?? { method: "GET", path: "" }, template, target.apiKey);
  const prefix = target.url.pathname.replace(/\/$/, "");
  return { ...spec, target: prefix + (url ?? spec.target), ...(rawBody === undefined ? {} : { body: rawBody }) };
}

const LONGEST_BODY = 500;

/** The request as a command line, a long body abridged. Keys are removed when the report is made. */
export function toAbridgedCurl({ body, ...request }: RequestSpec<Buffer>, origin: string): string {
  if (body === undefined) return toCurl(request, origin);
  const text = body.toString("latin1");
  const isLong = text.length > LONGEST_BODY;
  return toCurl({ ...request, body: isLong ? `${text.slice(0, 80)}… (${text.length} bytes)` : text }, origin);
}
