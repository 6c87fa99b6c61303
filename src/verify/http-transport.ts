// Sends requests as they are. It uses node:http, because fetch would correct what the suite sends malformed on purpose.
import { Agent, type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import type { RequestSpec } from "../client/request-spec.js";

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Transport {
  /** @throws TargetDownError, or NoResponseError when the connection ends without a response. */
  send(request: RequestSpec<Buffer>): Promise<RawResponse>;
  close(): void;
}

/** Nothing listens at the target's address, or it does not respond any more. */
export class TargetDownError extends Error {}

/** The target accepted the request and sent no response. */
export class NoResponseError extends Error {}

const TIMEOUT_MS = 15_000;
const MOST_TIMEOUTS = 8;
const LONG_IDLE_MS = 1000;
const DOWN = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

export function openTransport(base: URL, timeoutMs = TIMEOUT_MS): Transport {
  const isTls = base.protocol === "https:";
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const open = isTls ? requestHttps : requestHttp;
  const usedAt = new WeakMap<object, number>();
  let timeouts = 0; // since the last response

  function send(spec: RequestSpec<Buffer>, isRetry = false): Promise<RawResponse> {
    const { method, target: path, headers, body } = spec;
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const options = { agent, method, path, headers: { ...headers, ...length }, timeout: timeoutMs };
      const request = open(base, options, (response) => {
        const chunks: Buffer[] = [];
        timeouts = 0;
        usedAt.set(response.socket, Date.now());
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", (error) => reject(new NoResponseError(error.message)));
        response.on("end", () => {
          const { statusCode = 0, headers: received } = response;
          resolve({ status: statusCode, headers: received, text: Buffer.concat(chunks).toString() });
        });
      });
      request.on("timeout", () => {
        const isDown = ++timeouts >= MOST_TIMEOUTS;
        request.destroy(
          isDown
            ? new TargetDownError(`${base.origin} accepts requests and responds to none.`)
            : new NoResponseError(`none within ${timeoutMs / 1000} s`),
        );
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The target may close an idle connection just as it is used again; Node leaves the retry to its caller.
        const idleMs = Date.now() - (usedAt.get(request.socket ?? request) ?? Number.POSITIVE_INFINITY);
        if (request.reusedSocket && idleMs > LONG_IDLE_MS && error.code === "ECONNRESET" && !isRetry) {
          resolve(send(spec, true));
        } else if (DOWN.has(error.code ?? "")) {
          reject(new TargetDownError(`Nothing responds at ${base.origin} (${error.code}).`));
        } else reject(error instanceof TargetDownError ? error : new NoResponseError(error.message));
      });
      request.end(body);
    });
  }

  return { send: (request) => send(request), close: () => agent.destroy() };
}
