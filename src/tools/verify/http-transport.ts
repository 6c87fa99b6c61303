// Sends requests as they are, at the pace that the target sets. Uses node:http, because fetch would correct malformed
// requests.
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { parseRetryAfterMs } from "../../browser/client/result.js";
import type { RequestSpec } from "../../contract/request.js";
import { findDecoder } from "../model/response-laws.js";
import type { Target } from "./declared-target.js";

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface SendOptions {
  signal?: AbortSignal | undefined;
  isNewConnection?: boolean;
}

export type Transport = ReturnType<typeof openTransport>;

/** Nothing listens at the target's address, its certificate is not trusted, or it does not respond any more. */
export class TargetDownError extends Error {}

/** The target accepted the request and sent no response. */
export class NoResponseError extends Error {}

const TIMEOUT_MS = 15_000;
const MAX_TIMEOUTS = 8;
const STARVED = 0.9; // the share of the time that the event loop was busy
const MAX_WAIT_MS = 60_000;
const MAX_TOTAL_WAIT_MS = 180_000; // of one request
const LEAST_WAIT_MS = 50; // "Retry-After: 0" is less than a second
const MAX_CONNECTIONS = 80; // as many requests are under way at once
const MAX_BYTES = 64 * 1024 * 1024;
const CLOSED = new Set(["ECONNRESET", "EPIPE"]);
const DOWN = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/** @param onWait is called before each wait for the target's rate limit. */
export function openTransport(target: Pick<Target, "url" | "connection">, onWait?: (milliseconds: number) => void) {
  const { url: base, connection: { headers: added = {}, timeoutMs = TIMEOUT_MS } = {} } = target;
  const isTls = base.protocol === "https:";
  const pool = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const agent = isTls ? new TlsAgent(pool) : new Agent(pool);
  const openRequest = isTls ? requestHttps : requestHttp;
  const used = new WeakSet<object>(); // connections; Node does not mark those that a waiting request gets as reused
  let timeouts = 0; // since the last response
  let opensAt = 0; // when the target accepts requests again

  /** @param connections `false` opens a new connection. */
  function open(spec: RequestSpec<Buffer>, connections: typeof agent | false = agent): ClientRequest {
    const { method, target: path } = spec;
    const headers = writeHeaders({ ...spec, headers: { ...added, ...spec.headers } });
    return openRequest(base, { agent: connections, method, path, headers });
  }

  function sendOnce(spec: RequestSpec<Buffer>, connections: typeof agent | false = agent): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const request = open(spec, connections);
      let isReused = false;
      request.on("socket", (socket) => {
        isReused = used.has(socket);
        limitTime(request);
      });
      request.on("response", (response) => {
        timeouts = 0;
        used.add(response.socket);
        receive(response).then(resolve, reject);
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The target may close an idle connection just as it is used again; Node leaves the retry to its caller.
        if (isReused && CLOSED.has(error.code ?? "")) resolve(sendOnce(spec, false));
        else reject(describeError(error, base));
      });
      request.end(spec.body);
    });
  }

  /** A response may be late because this process had no time to read it: then the target gets more. */
  function limitTime(request: ClientRequest): void {
    const start = performance.eventLoopUtilization();
    const timer = setTimeout(() => {
      const { utilization } = performance.eventLoopUtilization(start);
      if (utilization > STARVED) limitTime(request);
      else request.destroy(createTimeout());
    }, timeoutMs);
    request.on("close", () => clearTimeout(timer));
  }

  function createTimeout(): Error {
    timeouts += 1;
    if (timeouts < MAX_TIMEOUTS) return new NoResponseError(`The server did not respond within ${timeoutMs / 1000} s.`);
    return new TargetDownError(`${base.origin} accepts requests, but does not respond.`);
  }

  async function waitForTurn(signal?: AbortSignal): Promise<void> {
    const waitMs = opensAt - Date.now();
    if (waitMs > 0) await wait(waitMs, undefined, signal ? { signal } : {});
  }

  /**
   * The signal ends the wait, but no request in flight.
   * @throws TargetDownError, or NoResponseError if the connection ends without a response.
   */
  async function send(spec: RequestSpec<Buffer>, { signal, isNewConnection }: SendOptions = {}): Promise<RawResponse> {
    const lastAt = Date.now() + MAX_TOTAL_WAIT_MS;
    for (;;) {
      await waitForTurn(signal);
      const response = await sendOnce(spec, isNewConnection ? false : agent);
      const waitMs = decideWait(response);
      if (waitMs === undefined || Date.now() + waitMs > lastAt) return response;
      opensAt = Math.max(opensAt, Date.now() + waitMs);
      onWait?.(waitMs);
    }
  }

  /** Closes the connection as soon as the request is written, or some time later. */
  async function breakOff(spec: RequestSpec<Buffer>, afterMs: number): Promise<void> {
    await waitForTurn();
    const request = open(spec).end(spec.body);
    request.on("socket", (socket) => used.add(socket)); // a response may come first, and then the connection is kept
    request.on("finish", () => setTimeout(() => request.destroy(), afterMs));
    await new Promise<void>((resolve, reject) => {
      request.on("error", (error) => {
        const reason = describeError(error, base);
        if (reason instanceof TargetDownError) reject(reason); // any other error is that of the closed connection
      });
      request.on("close", resolve);
    });
  }

  return { send, breakOff, close: () => agent.destroy() };
}

function describeError(error: NodeJS.ErrnoException, { origin, protocol }: URL): Error {
  const { code = "" } = error;
  if (isTransportError(error)) return error;
  if (DOWN.has(code))
    return new TargetDownError(`Nothing responds at ${origin} (${code}). Start the server, or correct --url.`);
  const isOfTls = protocol === "https:" && /CERT|SIGNED|ALTNAME|EPROTO|SSL|TLS/.test(code);
  if (CLOSED.has(code)) return new NoResponseError("The server closed the connection without a response.");
  if (!isOfTls) return new NoResponseError(`The server's response is not valid HTTP (${error.message}).`);
  return new TargetDownError(`No TLS connection to ${origin}: ${error.message} (${code}). ${TLS_REMEDY}`);
}

const isTransportError = (error: Error): boolean =>
  error instanceof TargetDownError || error instanceof NoResponseError;

const CUT_OFF = "The server closed the connection in the middle of the body.";

async function receive(response: IncomingMessage): Promise<RawResponse> {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  // Events take half the time of an iterator.
  await new Promise<void>((resolve, reject) => {
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("end", resolve);
    response.on("error", (error) => reject(isTransportError(error) ? error : new NoResponseError(CUT_OFF)));
  });
  // Without Accept-Encoding, any coding is acceptable (RFC 9110 §12.5.3).
  const decode = chunks.length > 0 ? findDecoder(headers["content-encoding"]) : undefined;
  const bytes = Buffer.concat(chunks);
  // A body that cannot be decoded is no JSON.
  const decoded = decode ? await decode(bytes, { maxOutputLength: MAX_BYTES }).catch(() => bytes) : bytes;
  return { status, headers, text: decoded.toString() };
}

const TLS_REMEDY =
  "Set NODE_EXTRA_CA_CERTS for a certificate that Node does not trust, or use http:// for a server without TLS.";

/** A value with line breaks is a repeated header. */
function writeHeaders({ headers, body }: RequestSpec<Buffer>): Record<string, string | string[]> {
  const isFramed = headers["transfer-encoding"] !== undefined || body === undefined;
  const length = isFramed ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const all = Object.entries({ ...headers, ...length });
  return Object.fromEntries(all.map(([name, value]) => [name, value.includes("\n") ? value.split("\n") : value]));
}

/** The wait that a 429 requests; undefined if it requests none, or too long a one. */
function decideWait({ status, headers }: RawResponse): number | undefined {
  const text = headers["retry-after"];
  if (status !== 429 || text === undefined) return undefined;
  const waitMs = parseRetryAfterMs(text);
  return waitMs <= MAX_WAIT_MS ? Math.max(waitMs, LEAST_WAIT_MS) : undefined;
}
