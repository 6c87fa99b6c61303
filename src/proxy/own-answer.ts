// The answers that are the proxy's own, where the upstream gives none: in the contract's error shape, and marked with
// Via. Their statuses are not of the contract, and their messages say whose they are.
import type { ServerResponse } from "node:http";

const VIA = "1.1 notifications-contract";

export interface OwnAnswer {
  status: 501 | 502;
  target: string;
  message: string;
}

export function writeOwnAnswer(response: ServerResponse, { status, target, message }: OwnAnswer): void {
  if (response.headersSent) return void response.destroy(); // half an answer is out; it cannot be mended
  const timestamp = new Date().toISOString();
  const text = `${message} This answer is the proxy's own, not the upstream's.`;
  const body = JSON.stringify({ statusCode: status, timestamp, path: target, message: text });
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    Via: VIA,
  });
  response.end(body);
}
