// Sends a request as it is, over its own connection. Other clients normalize path and headers.
import { request as openRequest } from "node:http";
import { text } from "node:stream/consumers";

export interface SocketRequest {
  method?: string;
  /** Sent as it is in the request line. */
  target: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface SocketResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Undefined if the text is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies
  body: any;
}

export function sendTo(
  url: string,
  { method = "GET", target, headers = {}, body }: SocketRequest,
): Promise<SocketResponse> {
  const { hostname, port } = new URL(url);
  // Node sends no Content-Length with a GET.
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    openRequest(
      { hostname, port, method, path: target, headers: { ...length, ...headers }, agent: false },
      (response) => {
        const status = response.statusCode ?? 0;
        const all = response.headers as Record<string, string>;
        text(response).then((body) => resolve({ status, headers: all, text: body, body: toJson(body) }), reject);
      },
    )
      .on("error", reject)
      .end(body);
  });
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
