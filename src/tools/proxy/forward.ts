// Forwards one request and its response unchanged, and copies both for checking.
// On node:http alone: http-proxy-middleware 3.0, httpxy 0.5 and fast-proxy 2.2 (tried) merge repeated request headers,
// lower-case their names and lose trailers; undici 7 rejects `Expect`. 1xx responses other than 100 are not forwarded:
// Node cannot send them as they were received.
import type { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { onAbort } from "../../server/http/delay-response.js";
import { toHeaderPairs } from "../../server/http/redactor.js";
import type { ResponseHeaders } from "./exchange.js";
import type { Upstream } from "./upstream.js";

export interface ForwardOptions {
  upstream: Upstream;
  /** A body is copied up to this limit, and one byte more where it is larger. */
  bodyLimitBytes: number;
  /** Aborts when the grace period of the proxy's stop is over: exchanges in progress are ended. */
  graceOver: AbortSignal;
}

/** The two sides of the client. */
interface Client {
  request: IncomingMessage;
  response: ServerResponse;
  /** Path and query, in origin form. */
  target: string;
  /** True if a response with this status is not forwarded. */
  isWithheld(status: number): boolean;
}

export interface Forwarding {
  /** Undefined when it did not arrive in full. */
  requestBody: Promise<Buffer | undefined>;
  /** Rejects with a ClientGoneError or the upstream's error: then the caller has to respond. */
  response: Promise<ForwardedResponse>;
}

/** The response of the upstream. */
export interface ForwardedResponse {
  status: number;
  headers: ResponseHeaders;
  trailerNames: string[];
  body: Buffer;
  /** Why the response ended early. */
  error: Error | undefined;
  /** Nothing of it was forwarded. */
  isWithheld?: boolean;
}

/** The client left, or stopped sending: what the upstream would have responded is unknown. */
export class ClientGoneError extends Error {}

/** The upstream did not respond within the grace period of the proxy's stop. */
export class StopTimeoutError extends Error {}

export function forward(client: Client, options: ForwardOptions): Forwarding {
  return {
    requestBody: readRequest(client.request, client.response, options),
    response: send(client, options).catch((error: Error) => {
      if (error instanceof StaleConnectionError && !client.response.destroyed) return send(client, options);
      throw error;
    }),
  };
}

/** A copy of the body; undefined when it did not arrive in full. */
export function readRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: ForwardOptions,
): Promise<Buffer | undefined> {
  const readCopy = copyBody(request, options);
  return new Promise((resolve) => {
    request.once("end", () => resolve(readCopy()));
    request.once("close", () => resolve(undefined));
    response.once("close", () => {
      if (request.headers.expect !== undefined) resolve(undefined); // responded without 100: the body may never come
    });
  });
}

/** The upstream has closed an idle connection just as it was used. The request may be sent again. */
class StaleConnectionError extends Error {}

async function send(client: Client, options: ForwardOptions): Promise<ForwardedResponse> {
  const { request, response, target } = client;
  const { upstream, graceOver } = options;
  const method = request.method ?? "GET"; // a server's requests have one
  const isPooled = (method === "GET" || method === "HEAD") && !hasBody(request); // else it must not be sent twice
  const outgoing = upstream.request(method, target, { headers: toUpstreamHeaders(request, upstream.host), isPooled });
  let abort = (reason: Error) => void outgoing.destroy(reason); // the first reason counts
  const forget = onAbort(graceOver, () => abort(toStopReason(client, outgoing)));
  const onClose = () => {
    forget();
    if (!response.writableFinished) abort(clientLeft());
  };
  response.once("close", onClose);

  outgoing.on("continue", () => response.writeContinue());
  if (hasBody(request)) flushHead(outgoing);
  request.once("end", () => outgoing.addTrailers(toHeaderPairs(request.rawTrailers)));
  request.pipe(outgoing);
  outgoing.on("close", () => {
    request.unpipe(outgoing);
    request.resume(); // the upstream may respond early; the client is still sending
  });
  return new Promise((resolve, reject) => {
    outgoing.on("response", (incoming) => {
      abort = (reason) => void incoming.destroy(reason);
      resolve(forwardResponse(incoming, client, options));
    });
    // After a response, both mean nothing: the response reports its own errors.
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
      if (isStale) {
        forget();
        response.off("close", onClose); // the next try has its own
      }
      reject(isStale ? new StaleConnectionError(error.message) : error);
    });
    outgoing.on("close", () => reject(new Error("the connection was closed without a response"))); // after 101, for one
  });
}

const clientLeft = () => new ClientGoneError("the client left before the end");

/** Which side is late at the stop: the client, when it still sends or does not read; else the upstream. */
function toStopReason({ request, response }: Client, { writableNeedDrain: isUpstreamBehind }: ClientRequest): Error {
  if (!request.complete && !isUpstreamBehind)
    return new ClientGoneError("the client had not sent the whole request when the proxy stopped");
  if (response.writableNeedDrain)
    return new ClientGoneError("the client had not read the whole response when the proxy stopped");
  return new StopTimeoutError("the proxy stopped before its end");
}

/**
 * Sends the head before the first piece of the body, which may take its time. flushHeaders would write é as UTF-8:
 * Node lets what is sent with the head decide on its encoding (nodejs/node#13296), and bytes make it Latin-1.
 */
function flushHead(message: OutgoingMessage): void {
  message.write(Buffer.alloc(0));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

async function forwardResponse(
  incoming: IncomingMessage,
  { request, response, isWithheld }: Client,
  options: ForwardOptions,
): Promise<ForwardedResponse> {
  const status = incoming.statusCode ?? 0; // a client's responses have one
  if (isWithheld(status)) {
    incoming.on("error", () => {}).resume();
    const nothing = { headers: {}, trailerNames: [], body: Buffer.alloc(0), error: undefined };
    return { status, ...nothing, isWithheld: true };
  }
  const readCopy = copyBody(incoming, options);
  try {
    response.sendDate = false; // the upstream's own is forwarded, or none
    response.writeHead(status, incoming.statusMessage, toClientHeaders(incoming, request));
  } catch (error) {
    incoming.destroy(); // a response that Node can read and cannot write
    throw error;
  }
  flushHead(response);
  incoming.once("end", () => response.addTrailers(toHeaderPairs(incoming.rawTrailers)));
  const error = await pipeline(incoming, response).then(
    () => undefined,
    (reason: NodeJS.ErrnoException) => (reason.code === "ERR_STREAM_PREMATURE_CLOSE" ? clientLeft() : reason),
  );
  if (error instanceof ClientGoneError) throw error;
  const trailerNames = toHeaderPairs(incoming.rawTrailers).map(([name]) => name.toLowerCase());
  return { status, headers: incoming.headersDistinct, trailerNames, body: readCopy(), error };
}

function copyBody(stream: IncomingMessage, { bodyLimitBytes }: ForwardOptions): () => Buffer {
  const chunks: Buffer[] = [];
  let room = bodyLimitBytes + 1;
  stream.on("data", (chunk: Buffer) => {
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  return () => Buffer.concat(chunks);
}

// Without Upgrade, the upstream stays at HTTP/1.1, as it may with it (RFC 9110 §7.8).
const HOP_BY_HOP = ["connection", "keep-alive", "proxy-connection", "te", "upgrade"];

// A Connection header that names one of these would change what the message says or where it ends.
const NEVER_NAMED = ["content-length", "transfer-encoding", "host", "authorization"];

/** Methods whose requests Node sends without a body unless told otherwise. */
const BODILESS = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"];

/**
 * The headers of a request for the upstream: names and values in turn, as in `rawHeaders`. `Host` names the upstream,
 * and Transfer-Encoding stays, as the body is framed anew in the same way.
 */
function toUpstreamHeaders({ method = "", rawHeaders, headers }: IncomingMessage, host: string): string[] {
  const isChunked = headers["transfer-encoding"] !== undefined;
  const forwarded = keepEndToEnd(rawHeaders, isChunked ? [] : ["trailer"]).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === "host" ? host : value,
  ]);
  if (headers.host === undefined) forwarded.push("Host", host); // HTTP/1.0
  // Node would announce a chunked body; that there is none is said with a length (RFC 9110 §8.6).
  const isEmpty = !isChunked && headers["content-length"] === undefined;
  if (isEmpty && !BODILESS.includes(method)) forwarded.push("Content-Length", "0");
  return forwarded;
}

/** The headers of a response for the client. Node adds Transfer-Encoding itself where it sends chunks. */
function toClientHeaders({ rawHeaders, headers }: IncomingMessage, request: IncomingMessage): string[] {
  const isSentInChunks =
    headers["transfer-encoding"] !== undefined && request.method !== "HEAD" && request.httpVersion === "1.1";
  const dropped = ["transfer-encoding", ...(isSentInChunks ? [] : ["trailer"])]; // without chunks there are no trailers
  return keepEndToEnd(rawHeaders, dropped).flat();
}

/**
 * All headers, in their order and case, except those of one connection (RFC 9110 §7.6.1). No Via is added: servers such as nginx
 * respond differently to it, and this proxy only observes.
 */
function keepEndToEnd(raw: readonly string[], dropped: readonly string[]): [name: string, value: string][] {
  const pairs = toHeaderPairs(raw);
  const names = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((option) => option.trim().toLowerCase()))
    .filter((option) => !NEVER_NAMED.includes(option));
  const all = new Set([...HOP_BY_HOP, ...names, ...dropped]);
  return pairs.filter(([name]) => !all.has(name.toLowerCase()));
}
