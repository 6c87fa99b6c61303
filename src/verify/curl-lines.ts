// Requests as lines for a shell, each of which sends what was sent. The keys are in variables.
import { gzipSync } from "node:zlib";
import { toCurl } from "../client/curl.js";
import type { RequestSpec } from "../client/request-spec.js";
import { toSecrets } from "./secrets.js";
import type { Target } from "./target.js";

const MAX_BODY_LENGTH = 500;
const MAX_REQUESTS = 12;

/** One line for each of the last requests. */
export function toCurlLines(requests: readonly RequestSpec<Buffer>[], target: Target): string {
  const secrets = toSecrets(target);
  const lines = requests.slice(-MAX_REQUESTS).map((request) => toCurlLine(request, target.url.origin, secrets));
  const earlier = requests.length - lines.length;
  return [...(earlier > 0 ? [`# ${earlier} requests before these`] : []), ...lines].join("\n");
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
