// A WHATWG request on its way to a response, whatever contract it is held to. Its body is read as the Express server's
// parsers do: JSON or text in UTF-8, or bytes, possibly compressed (D-50, D-52, D-53).

import { isObject } from "../../contract/json.js";
import { contentOf, essenceOf, findMedia, toBinaryText } from "../../contract/media-type.js";
import type { ContractModel, MediaType, Operation } from "../../contract/model.js";
import { joinTarget, splitTarget } from "../../contract/target.js";
import { pause } from "../../core/domain/clock.js";
import { randomHex } from "../../core/domain/random.js";
import type { OptionRule } from "../../core/options.js";
import { BODY_ERRORS } from "../../core/request/errors.js";
import { DISCONNECT, type Exchange } from "../../core/request/exchange.js";
import { LIMITS } from "../../core/request/limits.js";
import { redactorOf } from "../../core/request/redactor.js";
import type { ParsedBody } from "../../core/request/validate.js";

export interface FetchExchange extends Exchange {
  request: Request;
  /** True if the request is outside of the base path. */
  isOutside: boolean;
}

interface ExchangeParts {
  contract: ContractModel;
  now: Date;
  apiKey: string;
  /** By default, a request is as it was sent. */
  forward?: ReturnType<typeof createGateway>;
}

export function openExchange(request: Request, { contract, now, apiKey, forward }: ExchangeParts): FetchExchange {
  const { pathname, search } = new URL(request.url);
  const sent = toHeaderRecord(request.headers);
  const original = { target: pathname + search, authorization: sent.authorization };
  const forwarded = forward ? forward(original) : original;
  const { target, authorization } = forwarded ?? original;
  const { path } = splitTarget(target);
  const headers = { ...sent, ...(authorization !== undefined && { authorization }) };
  return {
    id: randomHex(16),
    request,
    isOutside: forwarded === undefined,
    method: request.method,
    path,
    target,
    headers,
    serverTime: now,
    input: { path: {}, query: {}, body: undefined },
    responseHeaders: {},
    wait: (ms) => pause(ms, request.signal),
    redactor: () => redactorOf(contract, { headers, target }, apiKey),
  };
}

/** Lower-cases names: happy-dom keeps the case in which they were set. */
export function toHeaderRecord(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]));
}

export async function readBody(
  exchange: FetchExchange,
  operation: Operation,
): Promise<ParsedBody | undefined | typeof DISCONNECT> {
  const { request } = exchange;
  const received = await receiveBody(request).catch(() => undefined);
  if (!received || request.signal.aborted) return DISCONNECT;
  exchange.sentBody = received.bytes;
  return parseBody(request, received, operation.body?.content);
}

export interface ReceivedBody {
  bytes: Uint8Array;
  /** True if the rest was not read. */
  isCut: boolean;
}

const MOST_SENT = 2 * LIMITS.bodyBytes; // compression may make a body slightly longer

/** Reads up to a limit that no valid body exceeds. @throws the error that ends an upload early */
export async function receiveBody(request: Request): Promise<ReceivedBody> {
  const { body, signal } = request;
  // An environment without streams.
  if (body === undefined) return { bytes: new Uint8Array(await request.arrayBuffer()), isCut: false };
  return body === null ? { bytes: new Uint8Array(), isCut: false } : read(body, MOST_SENT, signal);
}

/**
 * Parses a body; the bytes stand for one of a form that is not declared. Undefined if there is none.
 * @throws RequestError
 */
export async function parseBody(
  { headers, body }: Request,
  received: ReceivedBody,
  declared: readonly MediaType[] = [],
): Promise<ParsedBody | undefined> {
  if (body === null) return undefined;
  const type = headers.get("content-type") ?? undefined;
  const [, ...parameters] = (type ?? "").toLowerCase().split(";");
  const isUnsupported = type === undefined || !(essenceOf(type) === "application/json" || findMedia(declared, type));
  if (isUnsupported) return received.bytes.byteLength === 0 ? undefined : { value: received.bytes };
  const content = contentOf(type);
  const charsets = parameters.flatMap((parameter) => /^\s*charset="?([^"\s]+)/.exec(parameter)?.[1] ?? []);
  const [charset = "utf-8"] = content === "bytes" ? [] : charsets;
  if (!charset.startsWith("utf-")) throw BODY_ERRORS.charset();
  const bytes = await decompress(received, headers.get("content-encoding")?.toLowerCase() || "identity");
  if (received.isCut || bytes.byteLength > LIMITS.bodyBytes) throw BODY_ERRORS.tooLarge(LIMITS.bodyBytes);
  if (charset !== "utf-8") throw BODY_ERRORS.otherUtf();
  if (bytes.byteLength === 0) return undefined;
  if (content === "bytes") return { value: toBinaryText(bytes) };
  const text = decode(bytes);
  return { value: content === "json" ? parse(text) : text };
}

async function decompress({ bytes, isCut }: ReceivedBody, encoding: string): Promise<Uint8Array> {
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip" && encoding !== "deflate") throw BODY_ERRORS.encoding();
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream(encoding));
  const decoded = await read(stream, LIMITS.bodyBytes).catch(() => {
    throw isCut ? BODY_ERRORS.tooLarge(LIMITS.bodyBytes) : BODY_ERRORS.undecodable();
  });
  if (decoded.isCut) throw BODY_ERRORS.tooLarge(LIMITS.bodyBytes); // a small body may expand to a very large one
  return decoded.bytes;
}

/** Reads until the limit is exceeded or the signal aborts. */
async function read(stream: ReadableStream<Uint8Array>, most: number, signal?: AbortSignal): Promise<ReceivedBody> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", stop);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      chunks.push(chunk.value);
      length += chunk.value.length;
      if (length <= most) continue;
      stop();
      break;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return { bytes, isCut: length > most };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw BODY_ERRORS.notUtf8();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw BODY_ERRORS.notJson(error as SyntaxError);
  }
}

export interface GatewayOptions {
  /** The path below which the API is, as in `/api`. Default: none. */
  basePath?: string;
  /** Requests without a key have the built-in one, or `apiKey`. */
  isKeyless?: boolean;
  /** Names in the place of subscriber ids, as in `{ me: "ines-moreau" }`. */
  subscriberAliases?: Readonly<Record<string, string>>;
}

export const GATEWAY_OPTIONS: Record<keyof GatewayOptions, OptionRule> = {
  basePath: ["a path such as /api", (path: unknown) => typeof path === "string" && /^\/[^?#\s]*[^/?#\s]$/.test(path)],
  isKeyless: ["true or false", (value: unknown) => typeof value === "boolean"],
  subscriberAliases: ['an object such as { me: "ines-moreau" }', isAliases],
};

function isAliases(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((id) => typeof id === "string" && id !== "");
}

/** The parts of a request that a gateway changes. */
export interface Forwarded {
  /** Path and query. */
  target: string;
  authorization: string | undefined;
}

/** Creates the function that changes a request. It returns undefined for one outside of the base path. */
export function createGateway({ basePath = "", isKeyless, subscriberAliases = {} }: GatewayOptions, apiKey: string) {
  const aliases = Object.entries(subscriberAliases).map(([name, id]) => [name, encodeURIComponent(id)] as const);
  const replace = (text: string) => aliases.find(([name]) => encodeURIComponent(name) === text)?.[1] ?? text;

  return function forward({ target, authorization }: Forwarded): Forwarded | undefined {
    const { path, query } = splitTarget(target);
    if (basePath !== "" && path !== basePath && !path.startsWith(`${basePath}/`)) return undefined;
    const inner = path
      .slice(basePath.length)
      .replace(/^(\/v\d+\/subscribers\/)([^/]+)/, (_match, start: string, id: string) => start + replace(id));
    const innerQuery = query?.replaceAll(
      /((?:^|&)subscriberIds=)([^&]*)/g,
      (_match, start: string, id: string) => start + replace(id),
    );
    const hasKey = authorization !== undefined && !/^(ApiKey)? *$/.test(authorization);
    return {
      target: joinTarget(inner || "/", innerQuery),
      authorization: isKeyless && !hasKey ? `ApiKey ${apiKey}` : authorization,
    };
  };
}
