// Error responses, in the contract's shape, to malformed, oversized or late HTTP, which never reaches the app (D-73).
import { METHODS, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { createErrorBody } from "../../core/request/errors.js";
import { JSON_TYPE, protectionOf } from "../../core/request/exchange.js";
import type { Limits } from "../../core/request/limits.js";

export type HeadLimits = Pick<Limits, "headBytes" | "headMs">;

/** Sends an error in the contract's shape and closes the connection: where the next request starts is unknown. */
export function respondToParseError(error: NodeJS.ErrnoException, socket: Duplex, limits: HeadLimits): void {
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
export function rejectRequest(message: string, response: ServerResponse): void {
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
