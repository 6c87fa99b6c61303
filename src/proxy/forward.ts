// Forwards one request and its response unchanged, and copies both for checking.
// On node:http alone: http-proxy-middleware 3.0, httpxy 0.5 and fast-proxy 2.2 (tried) merge repeated request headers,
// lower-case their names and lose trailers; undici 7 rejects `Expect`. 1xx responses other than 100 are not forwarded:
// Node cannot send them as they were received.
import type { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from "node:http";
import { onAbort } from "../http/on-abort.js";
import { toHeaderPairs } from "../http/raw-headers.js";
import { type BodyCopy, createBodyCopy } from "./body-copy.js";
import { toClientHeaders, toUpstreamHeaders } from "./forwarded-headers.js";
import { isRepeatable, type Upstream } from "./upstream.js";

/** The response of the upstream. */
export interface ForwardedResponse {
  status: number;
  /** Names in lower case, each with all its values. */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
  trailerNames: string[];
  body: BodyCopy;
  /** Why the response ended early. */
  error: Error | undefined;
}

/** The client left, or stopped sending: what the upstream would have responded is unknown. */
export class ClientGoneError extends Error {}

/** The upstream did not respond within the grace period of the proxy's stop. */
export class ShutdownTimeoutError extends Error {}

export interface ForwardedExchange {
  /** The whole request body; undefined when it did not arrive in full. */
  sent: Promise<BodyCopy | undefined>;
  /** The response; without one, a ClientGoneError or the upstream's error. */
  response: Promise<ForwardedResponse | Error>;
}

interface Parties {
  request: IncomingMessage;
  response: ServerResponse;
  upstream: Upstream;
  /** Path and query, in origin form. */
  target: string;
  bodyLimitBytes: number;
  /** Aborts when the grace period of the proxy's stop is over: exchanges in progress are ended. */
  shutdownTimeout: AbortSignal;
}

/** Without a response of the upstream, the caller has to send one. */
export function forward(parties: Parties): ForwardedExchange {
  const { request, response, bodyLimitBytes } = parties;
  const body = createBodyCopy(bodyLimitBytes);
  const sent = new Promise<BodyCopy | undefined>((resolve) => {
    request.on("data", body.add);
    request.once("end", () => resolve(body));
    request.once("close", () => resolve(undefined));
    response.once("close", () => {
      if (request.headers.expect !== undefined) resolve(undefined); // responded without 100: the body may never come
    });
  });
  return { sent, response: exchange(parties) };
}

function exchange(parties: Parties): ForwardedExchange["response"] {
  const { request, response, upstream, target, shutdownTimeout } = parties;
  const method = request.method ?? "GET"; // a server's requests have one
  return new Promise((resolve) => {
    const send = (isFirst: boolean) => {
      const outgoing = begin(() =>
        upstream.request({ method, target, headers: toUpstreamHeaders(method, request.rawHeaders, upstream.host) }),
      );
      if (outgoing instanceof Error) return resolve(outgoing);
      let abort = (reason: Error) => void outgoing.destroy(reason); // the first reason counts
      const forget = onAbort(shutdownTimeout, () => abort(toStopReason(parties, outgoing)));
      response.once("close", () => {
        forget();
        if (!response.writableFinished) abort(new ClientGoneError("the client left before the end"));
      });
      let isDecided = false;

      outgoing.on("continue", () => response.writeContinue());
      outgoing.on("response", (incoming) => {
        isDecided = true;
        abort = (reason) => void incoming.destroy(reason);
        forwardResponse(incoming, parties).then(resolve);
      });
      outgoing.on("error", (error) => {
        if (isDecided) return; // of the request body; the response reports its own errors
        isDecided = true;
        const isStale = outgoing.reusedSocket && isFirst && isRepeatable(method) && !hasBody(request);
        if (!isStale || response.destroyed) return resolve(error);
        send(false);
      });
      outgoing.on("close", () => {
        request.unpipe(outgoing);
        request.resume(); // the upstream may respond early; the client is still sending
        if (!isDecided) resolve(new Error("the connection was closed without a response")); // after 101, for one
      });
      if (hasBody(request)) flushHead(outgoing);
      request.pipe(outgoing, { end: false });
      request.once("end", () => outgoing.destroyed || end(outgoing, request));
      if (request.readableEnded) outgoing.end(); // the second time
    };
    send(true);
  });
}

/** Which side is late at the stop: the client, when it still sends or does not read; else the upstream. */
function toStopReason({ request, response }: Parties, { writableNeedDrain: isUpstreamBehind }: ClientRequest): Error {
  if (!request.complete && !isUpstreamBehind)
    return new ClientGoneError("the client had not sent the whole request when the proxy stopped");
  if (response.writableNeedDrain)
    return new ClientGoneError("the client had not read the whole response when the proxy stopped");
  return new ShutdownTimeoutError("the proxy stopped before its end");
}

/** Node throws at once for a request that it cannot write. */
function begin(send: () => ClientRequest): ClientRequest | Error {
  try {
    return send();
  } catch (error) {
    return error as Error;
  }
}

/**
 * Sends the head before the first piece of the body, which may take its time. flushHeaders would write é as UTF-8:
 * Node lets what is sent with the head decide on its encoding (nodejs/node#13296), and bytes make it Latin-1.
 */
function flushHead(message: OutgoingMessage): void {
  message.write(Buffer.alloc(0));
}

function end(message: OutgoingMessage, { rawTrailers }: IncomingMessage): void {
  message.addTrailers(toHeaderPairs(rawTrailers));
  message.end();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function forwardResponse(
  incoming: IncomingMessage,
  { request, response, bodyLimitBytes }: Parties,
): Promise<ForwardedResponse | Error> {
  const status = incoming.statusCode ?? 0; // a client's responses have one
  const body = createBodyCopy(bodyLimitBytes);
  const isChunked =
    incoming.headers["transfer-encoding"] !== undefined && request.method !== "HEAD" && request.httpVersion === "1.1";
  try {
    response.sendDate = false; // the upstream's own is forwarded, or none
    response.writeHead(status, incoming.statusMessage, toClientHeaders(incoming.rawHeaders, { isChunked }));
    flushHead(response);
  } catch (error) {
    incoming.on("error", () => {}).destroy(); // a response that Node can read and cannot write
    return Promise.resolve(error as Error);
  }
  return new Promise((resolve) => {
    const finish = (error: Error | undefined) => {
      const trailerNames = toHeaderPairs(incoming.rawTrailers).map(([name]) => name.toLowerCase());
      resolve({ status, headers: incoming.headersDistinct, trailerNames, body, error });
    };
    incoming.on("data", body.add);
    incoming.on("end", () => {
      end(response, incoming);
      finish(undefined);
    });
    incoming.on("error", (error) => {
      if (error instanceof ClientGoneError) return resolve(error);
      response.destroy(); // so that the client sees that the response is incomplete
      finish(error);
    });
    incoming.pipe(response, { end: false });
  });
}
