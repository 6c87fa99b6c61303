// What is not HTTP, or too much of it, never becomes a request: Node hands over the bare connection (D-73).
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

const KINDS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The request line and headers are larger than 16 KiB. Send fewer." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive. Send it again." },
};
const UNREADABLE = { status: 400, message: "The request cannot be read as HTTP/1.1." };

/** Answers in the shape of an error, and closes the connection: what follows on it cannot be told apart. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, message } = KINDS[error.code ?? ""] ?? UNREADABLE;
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ statusCode: status, timestamp, path: "", message, ctx: { decision: "D-73" } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
