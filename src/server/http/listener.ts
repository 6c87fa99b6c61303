// A socket that an app listens on, from its first connection to its last response. Malformed or oversized HTTP never becomes a
// request of the app: Node passes only the connection (D-73).
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { LIMITS, type Limits } from "../../core/operations/limits.js";
import type { SwappableApp } from "./express-app.js";

export interface Listener {
  /** As in `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  /** Stops accepting requests; settles when those in progress have their responses, after a few seconds in any case. */
  stop(): Promise<void>;
}

/** How long a request that is in progress at the stop may take. */
const GRACE_MS = 5000;
/** How long a request may be under way on a kept connection at the stop. */
const IDLE_GRACE_MS = 50;

/** The system does not let us listen there. */
export class CannotListenError extends Error {
  constructor({ code, message }: NodeJS.ErrnoException, host: string, port: number) {
    super(
      code === "EADDRINUSE"
        ? `Port ${port} on ${host} is in use by another program. Choose another with --port, or --port 0 for a free one.`
        : `Cannot listen on ${host}, port ${port} (${message}). Choose another with --host or --port.`,
    );
    this.name = "CannotListenError";
  }
}

/**
 * Listens; port 0 takes a free one.
 * @param limits tests have shorter ones.
 * @param serverOptions see `createSwappableApp`.
 * @throws CannotListenError
 */
export async function startListener(
  app: RequestListener,
  where: { host: string; port: number },
  limits: Limits = LIMITS,
  serverOptions: SwappableApp["serverOptions"] = {},
): Promise<Listener> {
  const server = createLimitedServer(app, limits, serverOptions);
  const stop = trackResponses(server, limits);
  return { ...(await listen(server, where)), stop };
}

/**
 * Makes a server listen, and says where it does.
 * @throws CannotListenError
 */
export async function listen(
  server: Server,
  where: { host: string; port: number },
): Promise<Pick<Listener, "url" | "port">> {
  if (where.host === "") throw new CannotListenError(new Error("no address is given"), "", where.port); // Node would take all
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => reject(new CannotListenError(error, where.host, where.port));
    server.once("error", fail);
    server.listen(where.port, where.host, () => {
      server.off("error", fail);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const host = where.host.includes(":") ? `[${where.host}]` : where.host;
  return { url: `http://${host}:${port}`, port };
}

function createLimitedServer(
  app: RequestListener,
  limits: Limits,
  serverOptions: SwappableApp["serverOptions"],
): Server {
  const server = createServer({
    ...serverOptions,
    insecureHTTPParser: false,
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    requireHostHeader: false, // Node's own 400 has no body
  });
  server.timeout = limits.silenceMs;
  server.maxConnections = limits.connections;
  server.maxHeadersCount = 0; // Node would drop those above 2000 in silence, an Idempotency-Key among them; their size is bounded
  server.maxRequestsPerSocket = 0; // Node responds to one too many with a 503 that is not the contract's
  server.on("request", (request, response) => {
    const error = findProtocolError(request);
    if (error) rejectRequest(error, response);
    else app(request, response);
  });
  // An expectation that we do not know may be ignored (RFC 9110 §10.1.1); Node's own 417 has no body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

/**
 * Tracks the responses in progress on each connection and returns the function that stops the server. Node's own close waits
 * for ever for a connection that has sent nothing, half a head or half a body, and for a client that keeps sending requests.
 */
function trackResponses(server: Server, { headBytes, waitingRequests }: Limits): () => Promise<void> {
  const inProgress = new Set<ServerResponse>();
  const bySocket = new WeakMap<Socket, Set<ServerResponse>>(); // one connection may bring several requests at once
  const failed = new WeakSet<Socket>();
  let stopping: Promise<void> | undefined;
  let isClosed = false;
  server.on("clientError", async (error, duplex) => {
    const socket = duplex as Socket;
    if (socket.writableEnded) socket.destroy(); // it has its response, and keeps sending
    if (failed.has(socket)) return;
    failed.add(socket);
    const responses = [...(bySocket.get(socket) ?? [])];
    const failedResponse = responses.at(-1)?.req.complete === false ? responses.pop() : undefined;
    await Promise.all(responses.map((response) => new Promise((resolve) => response.once("close", resolve))));
    if (failedResponse?.headersSent)
      socket.destroy(); // a second response would be read as part of the first
    else respondToParseError(error, socket, headBytes);
  });
  server.prependListener("request", ({ socket }, response) => {
    const responses = bySocket.get(socket) ?? new Set();
    bySocket.set(socket, responses.add(response));
    inProgress.add(response);
    // Later: Node resumes the connection at the end of each request.
    if (responses.size >= waitingRequests) process.nextTick(() => responses.size >= waitingRequests && socket.pause());
    if (stopping) response.setHeader("Connection", "close");
    response.on("close", () => {
      responses.delete(response);
      inProgress.delete(response);
      if (socket.isPaused() && responses.size < waitingRequests) socket.resume();
      if (isClosed && inProgress.size === 0) server.closeAllConnections();
    });
  });

  async function stop(): Promise<void> {
    for (const response of inProgress) if (!response.headersSent) response.setHeader("Connection", "close");
    await pause(IDLE_GRACE_MS); // what is under way on a kept connection has its response
    await new Promise<void>((resolve) => {
      const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      server.close(() => {
        clearTimeout(force);
        resolve();
      });
      isClosed = true;
      if (inProgress.size === 0) server.closeAllConnections();
    });
  }
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

const CONTENT_TYPE = "application/json; charset=utf-8";

/**
 * Sends an error in the contract's shape and closes the connection: where the next request starts is unknown.
 * @param headBytes how large request line and headers may be
 */
export function respondToParseError(error: NodeJS.ErrnoException, socket: Duplex, headBytes: number): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const kind = toKind(error, headBytes);
  const body = toBody(kind);
  const head = [
    `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}`,
    `Content-Type: ${CONTENT_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  const late = setTimeout(() => socket.destroy(), LIMITS.lastResponseMs).unref();
  socket.once("close", () => clearTimeout(late));
}

function toKind({ code }: NodeJS.ErrnoException, headBytes: number): { status: number; message: string } {
  if (code === "HPE_HEADER_OVERFLOW") {
    return {
      status: 431,
      message: `The request line and headers are larger than ${headBytes / 1024} KiB. Send fewer.`,
    };
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { status: 408, message: "The request took too long to arrive. Send it again." };
  }
  return { status: 400, message: "The request is not valid HTTP/1.1." };
}

/** How a request that Node accepts violates RFC 9112 §3.2 or §6.1; undefined when it does not. */
function findProtocolError({ url = "", httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion === "1.1" && headers.host === undefined) return "The request has no Host header.";
  // A proxy in front of this server may use the other one: request smuggling.
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  );
  if (hosts.length > 1) return "The request has several Host headers.";
  if (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined) return "HTTP/1.0 has no Transfer-Encoding.";
  // Express would skip every step for it.
  if (!TARGET.test(url)) return "The target of the request is neither a path nor a URL.";
  return undefined;
}

const TARGET = /^(?:\/|\*$|[a-z]+:\/\/[^/?#])/i;

/** Rejects such a request, in its turn on the connection. */
function rejectRequest(message: string, response: ServerResponse): void {
  const body = toBody({ status: 400, message });
  const headers = { "Content-Type": CONTENT_TYPE, "Content-Length": Buffer.byteLength(body), Connection: "close" };
  response.writeHead(400, headers).end(body);
}

function toBody({ status, message }: { status: number; message: string }): string {
  const timestamp = new Date().toISOString();
  return JSON.stringify({ statusCode: status, timestamp, path: "", message, ctx: { decision: "D-73" } });
}
