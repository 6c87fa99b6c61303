// One request and its answer on their way through, untouched; copies of both are kept for checking.
// On node:http alone: http-proxy-middleware 3.0, httpxy 0.5 and fast-proxy 2.2 (tried) merge repeated request headers,
// lower-case their names and lose trailers; undici 7 refuses `Expect`. 1xx answers other than 100 are not passed on:
// Node has no way to send them as they came.
import type { ClientRequest, IncomingMessage, OutgoingMessage, ServerResponse } from "node:http";
import { toHeaderPairs } from "../http/raw-headers.js";
import { type BodyCopy, createBodyCopy } from "./body-copy.js";
import { toClientHeaders, toUpstreamHeaders } from "./forwarded-headers.js";
import { isRepeatable, type Upstream } from "./upstream.js";

/** What the upstream answered. */
export interface ForwardedAnswer {
  status: number;
  /** Names in lower case, each with all its values. */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
  trailerNames: string[];
  body: BodyCopy;
  /** Why the answer ended before it was whole. */
  fault: Error | undefined;
}

/** The client left, or did not go on: what the upstream would have answered is unknown. */
export class ClientGoneError extends Error {}

/** The proxy's stop waited for the upstream, and in vain. */
export class OutOfTimeError extends Error {}

export interface ForwardedExchange {
  /** The whole request body; undefined when it never came to its end. */
  sent: Promise<BodyCopy | undefined>;
  /** The answer; an Error when there is none: a ClientGoneError, or the upstream's. */
  answer: Promise<ForwardedAnswer | Error>;
}

interface Parties {
  request: IncomingMessage;
  response: ServerResponse;
  upstream: Upstream;
  /** Path and query, in origin form. */
  target: string;
  bodyLimitBytes: number;
  /** Aborts when the proxy stops and has waited long enough: what is under way is cut. */
  outOfTime: AbortSignal;
}

/** Sends a request on and its answer back. Where there is no answer, the caller has to give one. */
export function forward(parties: Parties): ForwardedExchange {
  const { request, response, bodyLimitBytes } = parties;
  const body = createBodyCopy(bodyLimitBytes);
  const sent = new Promise<BodyCopy | undefined>((resolve) => {
    request.on("data", body.add);
    request.once("end", () => resolve(body));
    request.once("close", () => resolve(undefined));
    response.once("close", () => {
      if (request.headers.expect !== undefined) resolve(undefined); // answered without 100: the body may never come
    });
  });
  return { sent, answer: exchange(parties) };
}

function exchange(parties: Parties): ForwardedExchange["answer"] {
  const { request, response, upstream, target, outOfTime } = parties;
  const method = request.method ?? "GET"; // a server's requests have one
  return new Promise((resolve) => {
    const send = (isFirst: boolean) => {
      const outgoing = begin(() =>
        upstream.request({ method, target, headers: toUpstreamHeaders(method, request.rawHeaders, upstream.host) }),
      );
      if (outgoing instanceof Error) return resolve(outgoing);
      let cut = (reason: Error) => void outgoing.destroy(reason); // the first reason is the one that counts
      const stop = () => cut(toStopReason(parties, outgoing));
      response.once("close", () => {
        outOfTime.removeEventListener("abort", stop);
        if (!response.writableFinished) cut(new ClientGoneError("the client left before the end"));
      });
      outOfTime.addEventListener("abort", stop);
      let isDecided = false;

      outgoing.on("continue", () => response.writeContinue());
      outgoing.on("response", (incoming) => {
        isDecided = true;
        cut = (reason) => void incoming.destroy(reason);
        passBack(incoming, parties).then(resolve);
      });
      outgoing.on("error", (error) => {
        if (isDecided) return; // the rest of the body was not wanted; a broken answer says so itself
        isDecided = true;
        const isStale = outgoing.reusedSocket && isFirst && isRepeatable(method) && !hasBody(request);
        if (!isStale || response.destroyed) return resolve(error);
        send(false);
      });
      outgoing.on("close", () => {
        request.unpipe(outgoing);
        request.resume(); // an upstream may answer without reading on; the client is still sending
        if (!isDecided) resolve(new Error("the connection was closed without an answer")); // after 101, for one
      });
      if (hasBody(request)) flushHead(outgoing);
      request.pipe(outgoing, { end: false });
      request.once("end", () => outgoing.destroyed || end(outgoing, request));
      if (request.readableEnded) outgoing.end(); // the second time
    };
    send(true);
  });
}

/** Whoever is behind at the stop: the client, when it still sends, or does not take what there is; else the upstream. */
function toStopReason({ request, response }: Parties, { writableNeedDrain: isUpstreamBehind }: ClientRequest): Error {
  if (!request.complete && !isUpstreamBehind)
    return new ClientGoneError("the client had not sent all when the proxy stopped");
  if (response.writableNeedDrain) return new ClientGoneError("the client had not taken all when the proxy stopped");
  return new OutOfTimeError("the proxy stopped before its end");
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

function passBack(
  incoming: IncomingMessage,
  { request, response, bodyLimitBytes }: Parties,
): Promise<ForwardedAnswer | Error> {
  const status = incoming.statusCode ?? 0; // a client's answers have one
  const body = createBodyCopy(bodyLimitBytes);
  const isChunked =
    incoming.headers["transfer-encoding"] !== undefined && request.method !== "HEAD" && request.httpVersion === "1.1";
  try {
    response.sendDate = false; // the upstream's own passes, or none
    response.writeHead(status, incoming.statusMessage, toClientHeaders(incoming.rawHeaders, { isChunked }));
    flushHead(response);
  } catch (error) {
    incoming.on("error", () => {}).destroy(); // an answer that Node has read and yet cannot write
    return Promise.resolve(error as Error);
  }
  return new Promise((resolve) => {
    const finish = (fault: Error | undefined) => {
      const trailerNames = toHeaderPairs(incoming.rawTrailers).map(([name]) => name.toLowerCase());
      resolve({ status, headers: incoming.headersDistinct, trailerNames, body, fault });
    };
    incoming.on("data", body.add);
    incoming.on("end", () => {
      end(response, incoming);
      finish(undefined);
    });
    incoming.on("error", (error) => {
      if (error instanceof ClientGoneError) return resolve(error);
      response.destroy(); // so that the client sees that the answer is not whole
      finish(error);
    });
    incoming.pipe(response, { end: false });
  });
}
