// Requests as bytes. node:http, because fetch would mend what the suite means to send broken.
import { Agent, type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";

export interface WireRequest {
  method: string;
  /** Path and query as they are sent. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Wire {
  /** @throws TargetDownError, or NoAnswerError when the connection stays without an answer. */
  send(request: WireRequest): Promise<Received>;
  close(): void;
}

/** Nobody listens at the target's address, or whoever does says nothing. */
export class TargetDownError extends Error {}

/** The target took the request and gave no answer. */
export class NoAnswerError extends Error {}

const TIMEOUT_MS = 15_000;
const MOST_SILENCES = 8;
const LONG_IDLE_MS = 1000;
const DOWN = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

export function openWire(base: URL, timeoutMs = TIMEOUT_MS): Wire {
  const isTls = base.protocol === "https:";
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const open = isTls ? requestHttps : requestHttp;
  const usedAt = new WeakMap<object, number>();
  let silences = 0; // since the last answer

  function send({ method, path, headers, body }: WireRequest, isRetry = false): Promise<Received> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const options = { agent, method, path, headers: { ...headers, ...length }, timeout: timeoutMs };
      const request = open(base, options, (response) => {
        const chunks: Buffer[] = [];
        silences = 0;
        usedAt.set(response.socket, Date.now());
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", (error) => reject(new NoAnswerError(error.message)));
        response.on("end", () => {
          const { statusCode = 0, headers: received } = response;
          resolve({ status: statusCode, headers: received, text: Buffer.concat(chunks).toString() });
        });
      });
      request.on("timeout", () => {
        const silence = `none within ${timeoutMs / 1000} s`;
        const isDown = ++silences >= MOST_SILENCES;
        request.destroy(
          isDown ? new TargetDownError(`${base.origin} takes requests and answers none.`) : new NoAnswerError(silence),
        );
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // A connection that was idle may have been closed at the other end just now; Node asks for one more try.
        const idleMs = Date.now() - (usedAt.get(request.socket ?? request) ?? Number.POSITIVE_INFINITY);
        if (request.reusedSocket && idleMs > LONG_IDLE_MS && error.code === "ECONNRESET" && !isRetry) {
          resolve(send({ method, path, headers, body }, true));
        } else if (DOWN.has(error.code ?? "")) {
          reject(new TargetDownError(`Nothing answers at ${base.origin} (${error.code}).`));
        } else reject(error instanceof TargetDownError ? error : new NoAnswerError(error.message));
      });
      request.end(body);
    });
  }

  return { send: (request) => send(request), close: () => agent.destroy() };
}
