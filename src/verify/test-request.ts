// A request as a case words it, and how it is sent.
import { gzipSync } from "node:zlib";
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

const MAX_BODY_LENGTH = 500;
const MAX_REQUESTS = 12;

/** Requests as lines for a shell, each of which sends what was sent. The keys are in variables. */
export function toCurlLines(requests: readonly RequestSpec<Buffer>[], { url, apiKey, otherApiKey }: Target): string {
  const secrets = { [apiKey]: "NC_API_KEY", ...(otherApiKey ? { [otherApiKey]: "NC_OTHER_API_KEY" } : {}) };
  const shown = requests.slice(-MAX_REQUESTS).map((request) => toCurlLine(request, url.origin, secrets));
  const earlier = requests.length - shown.length;
  return [...(earlier > 0 ? [`# ${earlier} requests before these`] : []), ...shown].join("\n");
}

/** What is long, or no plain text, is piped to curl. */
function toCurlLine(
  { body, ...request }: RequestSpec<Buffer>,
  origin: string,
  secrets: Record<string, string>,
): string {
  if (body === undefined) return toCurl(request, origin, secrets);
  const text = body.toString();
  const isPlain = text.length <= MAX_BODY_LENGTH && !/[^\P{C}\n]|\ufffd/u.test(text);
  if (isPlain) return toCurl({ ...request, body: text }, origin, secrets);
  const line = toCurl({ ...request, body: "" }, origin, secrets).replace(/--data-raw ''$/, "--data-binary @-");
  return `printf %s ${gzipSync(body).toString("base64")} | base64 -d | gunzip | ${line}`;
}
