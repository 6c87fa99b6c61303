// What is not HTTP, or too much of it, never becomes a request: Node hands over the bare connection (D-73).
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { LIMITS } from "./limits.js";

const KINDS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `The request line and headers are larger than ${LIMITS.headBytes / 1024} KiB. Send fewer.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive. Send it again." },
};
const UNREADABLE = { status: 400, message: "The request cannot be read as HTTP/1.1." };
const HOSTLESS = { status: 400, message: "The request has no Host header (RFC 9112 §3.2)." };
const CONTENT_TYPE = "application/json; charset=utf-8";

/** Answers in the shape of an error, and closes the connection: what follows on it cannot be told apart. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const kind = KINDS[error.code ?? ""] ?? UNREADABLE;
  const body = toBody(kind);
  const head = [
    `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}`,
    `Content-Type: ${CONTENT_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** This one is readable, and in its turn on the connection. */
export function answerHostless(response: ServerResponse): void {
  const body = toBody(HOSTLESS);
  const headers = { "Content-Type": CONTENT_TYPE, "Content-Length": Buffer.byteLength(body), Connection: "close" };
  response.writeHead(HOSTLESS.status, headers).end(body);
}

function toBody({ status, message }: { status: number; message: string }): string {
  const timestamp = new Date().toISOString();
  return JSON.stringify({ statusCode: status, timestamp, path: "", message, ctx: { decision: "D-73" } });
}
