// Forwards a request and its response unchanged, and copies both for checking.
// Uses node:http alone: http-proxy-middleware 3.0, httpxy 0.5 and fast-proxy 2.2 (tried) merge repeated request headers
// and lower-case their names. Each request opens its own connection, so none reuses one that the upstream has just
// closed. Trailers and 1xx responses are not forwarded.
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline } from "node:stream/promises";
import { urlToHttpOptions } from "node:url";
import { mapDefined } from "../../contract/lists.js";
import { ConfigError } from "../../core/options.js";
import type { ResponseHeaders } from "./round-trip.js";

/** Node's own limit of 16 KB would reject headers that the other side accepts. */
export const HEADER_LIMIT_BYTES = 64 * 1024;

/** A larger body is forwarded in full, and reported as not checked. */
export const BODY_LIMIT_BYTES = 5 * 1024 * 1024;

/** The implementation behind the proxy. */
export type Upstream = ReturnType<typeof openUpstream>;

/** @throws ConfigError unless the text is the base URL of a server. */
export function openUpstream(text: string) {
  const url = parseBaseUrl(text);
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const { protocol, hostname, port } = urlToHttpOptions(url);
  const prefix = url.pathname.replace(/\/$/, "");
  return {
    /** `https://host/prefix`, without a trailing slash. */
    url: url.origin + prefix,
    /** The value of `Host`. */
    host: url.host,
    /** The path of the URL, which is prepended to every path. */
    prefix,
    /** Opens a request with path and query as the client sent them. */
    request(method: string, target: string, headers: string[]): ClientRequest {
      const path = target === "*" ? target : prefix + target;
      const more = { agent: false, maxHeaderSize: HEADER_LIMIT_BYTES } as const;
      const outgoing = send({ protocol, hostname, port, method, path, headers, ...more });
      outgoing.maxHeadersCount = 0; // Node would silently drop the upstream's headers above 2000
      return outgoing;
    },
  };
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    const remedy = URL.canParse(`http://${text}`) ? ` Did you mean http://${text}?` : "";
    throw new ConfigError(`The upstream must be an http or https URL, such as http://127.0.0.1:4010.${remedy}`);
  }
  if (url.username + url.password + url.search + url.hash === "") return url;
  throw new ConfigError("The upstream is a base URL: no user, query or fragment. Credentials belong to the requests.");
}

export interface ForwardOptions {
  upstream: Upstream;
  /** Aborts when the grace period of the proxy's stop ends, before the connections to clients are closed. */
  graceOver: AbortSignal;
}

/** A client's request, and the response to it. */
export interface Client {
  request: IncomingMessage;
  response: ServerResponse;
  /** Path and query, in origin form. */
  target: string;
}

/** The response of the upstream. */
export interface ForwardedResponse {
  status: number;
  headers: ResponseHeaders;
  body: Buffer;
  /** Why the response ended early. */
  error: Error | undefined;
}

/** The client left or the proxy stopped first, so the upstream's response is unknown. */
export class UnknownResponseError extends Error {}

/** Copies the body; resolves with undefined if it did not arrive in full. */
export function readRequest(request: IncomingMessage): Promise<Buffer | undefined> {
  const readCopy = copyBody(request);
  const { socket } = request;
  return new Promise((resolve) => {
    const onClose = () => resolve(undefined);
    socket.once("close", onClose); // the request emits nothing more once it has its response
    request.once("end", () => {
      socket.off("close", onClose);
      resolve(readCopy());
    });
  });
}

/** Rejects with an UnknownResponseError or the upstream's error; the caller then has to respond. */
export function forward(client: Client, options: ForwardOptions): Promise<ForwardedResponse> {
  const { request, response, target } = client;
  const { upstream, graceOver } = options;
  const outgoing = upstream.request(request.method ?? "GET", target, buildUpstreamHeaders(request, upstream.host));
  const abort = () => void outgoing.destroy(decideCloseReason(client, graceOver));
  response.once("close", abort);
  if (hasBody(request)) flushHead(outgoing);
  request.pipe(outgoing);
  outgoing.on("close", () => {
    request.unpipe(outgoing);
    request.resume(); // the upstream may have responded before the client finished sending
  });
  return new Promise((resolve, reject) => {
    outgoing.on("response", (incoming) => {
      response.off("close", abort); // from here on, the pipeline ends both
      resolve(forwardResponse(incoming, client, options));
    });
    // Neither has an effect after a response, which reports its own errors.
    outgoing.on("error", reject);
    outgoing.on("close", () => reject(new Error("the connection was closed without a response"))); // such as after 101
  });
}

/** Tells why the connection to the client closed early. */
export function decideCloseReason({ request, response }: Client, graceOver: AbortSignal): Error {
  if (!graceOver.aborted) return new UnknownResponseError("the client left before the end");
  const isUpstreamLate = request.complete && !response.headersSent;
  return isUpstreamLate
    ? new Error("the proxy stopped before it came")
    : new UnknownResponseError("the proxy stopped before the end");
}

/**
 * Sends the head before the body, which may come late. flushHeaders would write é as UTF-8: Node takes the encoding
 * from what is sent with the head (nodejs/node#13296), and bytes make it Latin-1.
 */
function flushHead(message: OutgoingMessage): void {
  message.write(Buffer.alloc(0));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

async function forwardResponse(
  incoming: IncomingMessage,
  client: Client,
  options: ForwardOptions,
): Promise<ForwardedResponse> {
  const { response } = client;
  const status = incoming.statusCode ?? 0; // always set on a client's response
  const readCopy = copyBody(incoming);
  try {
    response.sendDate = false; // the upstream's own is forwarded, or none
    const headers = keepEndToEnd(incoming.rawHeaders, ["transfer-encoding"]); // Node adds its own to chunked bodies
    response.writeHead(status, incoming.statusMessage, headers.flat());
  } catch (error) {
    incoming.destroy(); // Node reads some heads that it refuses to write
    throw error;
  }
  flushHead(response);
  let isClientsEnd = false; // the reason of the pipeline does not tell: newer versions of Node abort the upstream first
  response.once("close", () => {
    isClientsEnd = !incoming.errored;
  });
  const error = await pipeline(incoming, response).then(
    () => undefined,
    (reason: Error) => (isClientsEnd ? decideCloseReason(client, options.graceOver) : reason),
  );
  if (error instanceof UnknownResponseError) throw error;
  return { status, headers: incoming.headersDistinct, body: readCopy(), error };
}

/** Copies a body up to the limit, plus one byte that shows that it is larger. */
function copyBody(stream: IncomingMessage): () => Buffer {
  const chunks: Buffer[] = [];
  let room = BODY_LIMIT_BYTES + 1;
  stream.on("data", (chunk: Buffer) => {
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  return () => Buffer.concat(chunks);
}

// Without Upgrade, the upstream stays at HTTP/1.1, which is always allowed (RFC 9110 §7.8).
const HOP_BY_HOP = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade"];

// They say where a message ends and for whom it is, so no option of Connection removes them: the rest of the body would
// be read as a second request.
const FRAMING = ["content-length", "transfer-encoding", "host"];

/** Node sends these without a body by default. */
const BODILESS = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"];

/**
 * The request headers for the upstream, names and values in turn as in `rawHeaders`. `Host` names the upstream;
 * Transfer-Encoding stays, since the body is framed the same way.
 */
function buildUpstreamHeaders({ method = "", rawHeaders, headers }: IncomingMessage, host: string): string[] {
  const forwarded = keepEndToEnd(rawHeaders).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === "host" ? host : value,
  ]);
  if (headers.host === undefined) forwarded.push("Host", host); // HTTP/1.0
  // Node would announce a chunked body; a length of 0 says that there is none (RFC 9110 §8.6).
  const isEmpty = headers["transfer-encoding"] === undefined && headers["content-length"] === undefined;
  if (isEmpty && !BODILESS.includes(method)) forwarded.push("Content-Length", "0");
  return forwarded;
}

/**
 * Keeps all headers in order and case, except those of one connection (RFC 9110 §7.6.1). Adds no Via: servers such as
 * nginx respond differently to it, and this proxy only observes.
 */
function keepEndToEnd(raw: readonly string[], dropped: readonly string[] = []): [name: string, value: string][] {
  const pairs = mapDefined(raw, (name, index): [string, string] | undefined =>
    index % 2 === 0 ? [name, raw[index + 1] ?? ""] : undefined,
  );
  const names = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((option) => option.trim().toLowerCase()))
    .filter((option) => !FRAMING.includes(option));
  const all = new Set([...HOP_BY_HOP, ...names, ...dropped]);
  return pairs.filter(([name]) => !all.has(name.toLowerCase()));
}
