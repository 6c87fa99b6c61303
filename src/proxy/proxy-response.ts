// Responses of the proxy itself, where the upstream sends none: in the contract's error shape, with Via. Their statuses are
// outside the contract, and their messages name the proxy.
import type { ServerResponse } from "node:http";

const VIA = "1.1 notifications-contract";

export interface ProxyResponse {
  status: 501 | 502;
  target: string;
  message: string;
}

export function sendProxyResponse(response: ServerResponse, { status, target, message }: ProxyResponse): void {
  if (response.headersSent) return void response.destroy(); // half a response has been sent
  const timestamp = new Date().toISOString();
  const text = `${message} The proxy sent this response, not the upstream.`;
  const body = JSON.stringify({ statusCode: status, timestamp, path: target, message: text });
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    Via: VIA,
  });
  response.end(body);
}
