// An HTTP server for an app, which can be replaced while the server runs: its limits, its stop, and the error
// responses, in the contract's shape, to malformed, oversized or late HTTP, which never reaches the app (D-73). It
// loads no Express, since every command knows its errors.
import { once } from "node:events";
import {
  createServer,
  IncomingMessage,
  METHODS,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Express } from "express";
import { createErrorBody } from "../../core/request/errors.js";
import { JSON_TYPE, protectionOf } from "../../core/request/exchange.js";
import { LIMITS, type Limits } from "../../core/request/limits.js";

/** What a listener passes requests to. */
export interface ListeningApp {
  handle: RequestListener;
  /** For `http.createServer`. */
  serverOptions?: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
}

/** An app that can be replaced while the server runs, as when the contract is saved. */
export interface SwappableApp extends ListeningApp {
  swap(app: Express): void;
}

/**
 * Express gives each request the prototype `app.request`, and each response `app.response`. V8 makes an object slow for
 * good when its prototype changes: updates took twice as long. So Node creates requests whose prototype is `app.request`
 * already, since the app has taken that of their class:
 *   request → AppRequest.prototype = app.request → Express's prototype of requests → IncomingMessage.prototype
 */
export function createSwappableApp(first: Express): SwappableApp {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  let current: Express;
  function swap(app: Express): void {
    Object.setPrototypeOf(AppRequest.prototype, app.request);
    Object.setPrototypeOf(AppResponse.prototype, app.response);
    Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
    current = app;
  }
  swap(first);
  return {
    handle: (request, response) => current(request, response),
    serverOptions: { IncomingMessage: AppRequest, ServerResponse: AppResponse },
    swap,
  };
}

export interface Listener {
  /** As in `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  /** Stops accepting requests, and settles when those in progress have their responses, or after `GRACE_MS`. */
  stop(): Promise<void>;
}

const GRACE_MS = 5000;
const POLL_MS = 50;

/** The system does not let us listen at the address. */
export class CannotListenError extends Error {
  override name = "CannotListenError";

  constructor({ code, message }: NodeJS.ErrnoException, host: string, port: number) {
    super(
      code === "EADDRINUSE"
        ? `Port ${port} on ${host} is in use by another program. Choose another with --port, or --port 0 for a ` +
            "free one."
        : `Cannot listen on ${host}, port ${port} (${message}). Choose another with --host or --port.`,
    );
  }
}

/**
 * @param limits shorter in tests
 * @throws CannotListenError
 */
export async function startListener(
  app: ListeningApp,
  where: { host: string; port: number },
  limits: Limits = LIMITS,
): Promise<Listener> {
  const server = createServer({
    ...app.serverOptions,
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    requireHostHeader: false, // `findProtocolError` has a body
  });
  server.timeout = limits.silenceMs;
  server.maxConnections = limits.connections;
  const stop = createStop(server, limits);
  handleRequests(server, app.handle);
  return { ...(await listen(server, where)), stop };
}

/** @throws CannotListenError */
export async function listen(
  server: Server,
  where: { host: string; port: number },
): Promise<Pick<Listener, "url" | "port">> {
  // Node would listen on every address.
  if (where.host === "") throw new CannotListenError(new Error("no address is given"), "", where.port);
  await once(server.listen(where.port, where.host), "listening").catch((error) => {
    throw new CannotListenError(error, where.host, where.port);
  });
  const { port } = server.address() as AddressInfo; // always set for a TCP server that listens
  const host = where.host.includes(":") ? `[${where.host}]` : where.host;
  return { url: `http://${host}:${port}`, port };
}

/**
 * Passes each request on, unless it violates HTTP in a way that Node accepts. For every server of ours, created with
 * `requireHostHeader: false`, since Node's own 400 has no body.
 */
export function handleRequests(
  server: Server,
  handle: RequestListener,
  onReject: (message: string, request: IncomingMessage) => void = () => {},
): void {
  // Node would silently drop headers above 2000, such as Content-Length or an Idempotency-Key; `maxHeaderSize` bounds
  // them.
  server.maxHeadersCount = 0;
  // An unknown expectation may be ignored (RFC 9110 §10.1.1); Node's own 417 has no body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("request", (request, response) => {
    const error = findProtocolError(request);
    if (error === undefined) return handle(request, response);
    rejectRequest(error, response);
    onReject(error, request);
  });
}

/** Finds violations of RFC 9112 §2.3, §3.2 and §6.1 that Node accepts. */
function findProtocolError({ url = "", httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return `The request has the version HTTP/${httpVersion}. Send HTTP/1.1.`;
  if (httpVersion === "1.1" && headers.host === undefined) return "The request has no Host header.";
  // A proxy in front of this server may use the other one: request smuggling.
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) return "The request has several Host headers.";
  if (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined) return "HTTP/1.0 has no Transfer-Encoding.";
  // Express would skip every step for it.
  if (!TARGET.test(url)) return "The target of the request is neither a path nor a URL.";
  return undefined;
}

const TARGET = /^(?:\/|\*$|[a-z]+:\/\/[^/?#])/i;

/**
 * Tracks the responses of a server, lets each arrive before its connection ends, and rejects what Node cannot parse as
 * HTTP after the responses to earlier requests.
 * @param onReject is called once for a connection
 */
export function trackResponses(
  server: Server,
  limits: HeadLimits,
  onReject: (error: NodeJS.ErrnoException) => void = () => {},
) {
  const inProgress = new Map<Duplex, Set<ServerResponse>>(); // a connection may have several: clients may pipeline
  const next = new WeakMap<ServerResponse, () => void>(); // no listener more: Node's pipeline adds seven, and warns of 11
  server.on("request", ({ socket }, response) => {
    const responses = inProgress.get(socket) ?? new Set();
    inProgress.set(socket, responses.add(response));
    response.on("close", () => {
      responses.delete(response);
      if (responses.size === 0) inProgress.delete(socket);
      next.get(response)?.();
    });
  });
  const closing = new WeakMap<Duplex, () => void>(); // after the last response, until the rest of the body is there
  // A connection that ends while a body arrives is reset, and the response to that body is lost (RFC 9112 §9.6).
  server.on("connection", (socket: Socket) => {
    const close = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      const [response] = inProgress.get(socket) ?? [];
      if (!response || response.req.complete) return close();
      closing.set(socket, close);
      response.req.resume().once("close", close);
    };
  });
  const rejected = new WeakSet<Duplex>();
  server.on("clientError", (error, socket) => {
    if (rejected.has(socket)) return; // Node parses whatever follows, too
    rejected.add(socket);
    onReject(error);
    const close = closing.get(socket);
    if (close) return close();
    const responses = [...(inProgress.get(socket) ?? [])];
    const unfinished = responses.find(({ req }) => !req.complete); // its request is malformed in the body
    const reject = () => {
      // A second response would be read as part of the first.
      if (unfinished?.headersSent) socket.destroy();
      else respondToParseError(error, socket, limits);
    };
    const earlier = responses.findLast(({ req }) => req.complete);
    if (earlier) next.set(earlier, reject);
    else reject();
  });
  return inProgress;
}

/**
 * Limits how many requests wait on a connection, and returns the function that stops the server. Node's own `close`
 * waits forever for a connection that has sent nothing or half a request, and for a client that keeps sending requests.
 */
function createStop(server: Server, limits: Limits): () => Promise<void> {
  const inProgress = trackResponses(server, limits);
  let isStopping = false;

  server.on("request", ({ socket }, response) => {
    const isFull = () => (inProgress.get(socket)?.size ?? 0) >= limits.waitingRequests;
    // In the next tick, since Node resumes the connection at the end of each request.
    if (isFull()) process.nextTick(() => isFull() && socket.pause());
    if (isStopping) response.setHeader("Connection", "close");
    response.on("close", () => {
      if (socket.isPaused() && !isFull()) socket.resume();
    });
  });

  return async function stop(): Promise<void> {
    isStopping = true;
    const responses = [...inProgress.values()].flatMap((ofSocket) => [...ofSocket]);
    for (const response of responses) if (!response.headersSent) response.setHeader("Connection", "close");
    await pause(POLL_MS); // lets a request that is in transit on a kept connection arrive
    await closeServer(server, inProgress);
  };
}

/**
 * Stops accepting connections, and settles when nothing is in progress, or after `GRACE_MS`.
 * @param onLate called before the connections are closed on which something is in progress.
 */
export async function closeServer(
  server: Server,
  inProgress: { readonly size: number },
  onLate: () => void = () => {},
): Promise<void> {
  const closed = once(server, "close");
  server.close();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
  }, GRACE_MS);
  while (inProgress.size > 0 && !isLate) await pause(POLL_MS);
  clearTimeout(timer);
  if (inProgress.size > 0) onLate();
  server.closeAllConnections();
  await closed;
}

type HeadLimits = Pick<Limits, "headBytes" | "headMs">;

/** Sends an error in the contract's shape and closes the connection: where the next request starts is unknown. */
function respondToParseError(error: NodeJS.ErrnoException, socket: Duplex, limits: HeadLimits): void {
  // As the documentation of clientError asks: no client is left to respond to.
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = explain(error, limits);
  const body = createBody(status, message);
  const headers = Object.entries(headersFor(body)).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers].join("\r\n");
  socket.end(`${head}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), limits.headMs).unref(); // even if the client keeps sending
}

function explain(
  { code, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer },
  { headBytes }: HeadLimits,
): [status: number, message: string] {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return [431, `The request line and headers are larger than ${headBytes / 1024} KiB. Send fewer.`];
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [408, "The request took too long to arrive. Send it again."];
    case "HPE_INVALID_METHOD": {
      const [method = ""] = /^[a-z]{3,10}(?= \/)/i.exec(rawPacket?.toString("latin1") ?? "") ?? [];
      const remedy = METHODS.includes(method.toUpperCase())
        ? ` Methods are case-sensitive: ${method.toUpperCase()}.`
        : "";
      return [400, `The request is not valid HTTP/1.1.${remedy}`];
    }
    default:
      return [400, "The request is not valid HTTP/1.1."];
  }
}

/** Rejects a request that Node has accepted. */
function rejectRequest(message: string, response: ServerResponse): void {
  const body = createBody(400, message);
  response.writeHead(400, headersFor(body)).end(body);
}

function headersFor(body: string) {
  const length = Buffer.byteLength(body);
  return { "Content-Type": JSON_TYPE, ...protectionOf(), "Content-Length": length, Connection: "close" };
}

function createBody(status: number, message: string): string {
  const ctx = { code: "malformedHttp", decision: "D-73" };
  const request = { path: "", now: new Date(), redact: (text: string) => text };
  return JSON.stringify(createErrorBody({ status, message, ctx }, request));
}
