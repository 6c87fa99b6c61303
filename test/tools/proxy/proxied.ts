// A separate upstream with the proxy in front of it, and all that the proxy reports, closed when the test ends. And HTTP byte by byte,
// as fetch would not send it.
import { once } from "node:events";
import { createServer, type OutgoingHttpHeaders, type RequestListener } from "node:http";
import { connect, createServer as createSocketServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import {
  type ProxyOptions,
  type ReportEntry,
  type RunningProxy,
  startProxy,
} from "../../../src/tools/proxy/proxy-server.js";
import { listen } from "../../support/listen.js";

export const KEY = "nc-secret-4711";
export const AUTHORIZED = { authorization: `ApiKey ${KEY}` };

/** The page of an upstream that keeps the contract. */
export const PAGE = { page: 0, pageSize: 10, hasMore: false, data: [] };
export const PAGE_HEADERS = { "content-type": "application/json; charset=utf-8", "x-request-id": "r-1" };

/** An upstream that responds alike to every request: with that text or those bytes, or with a value as JSON. */
export function responding(body: unknown = PAGE, status = 200, headers: OutgoingHttpHeaders = {}): RequestListener {
  const sent = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return (_incoming, response) => void response.writeHead(status, { ...PAGE_HEADERS, ...headers }).end(sent);
}

/** Requests the list with the key. */
export const list = ({ url }: { url: string }, query = "") =>
  fetch(`${url}/v1/notifications${query}`, { headers: AUTHORIZED });

export interface Watched extends RunningProxy {
  entries: ReportEntry[];
  internalErrors: Error[];
}

const contract = await loadContract(); // once: what takes long at a start

/** Starts a proxy and records what it reports. */
export async function watch(options: ProxyOptions): Promise<Watched> {
  const proxy = await startProxy({ contract, ...options });
  const entries: ReportEntry[] = [];
  const internalErrors: Error[] = [];
  proxy.events.on("entry", (entry) => entries.push(entry));
  proxy.events.on("internalError", (error) => internalErrors.push(error));
  return { ...proxy, entries, internalErrors };
}

/** Starts an upstream and a proxy before it, both closed when the test ends. */
export async function proxied(upstream: RequestListener, options: Partial<ProxyOptions> = {}) {
  const server = createServer(upstream);
  const url = await listen(server);
  const proxy = await watch({ upstream: url, ...options });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await proxy.close();
  });
  return { proxy, server, url };
}

/** The same for an upstream that is a bare socket. */
export async function proxiedSocket(upstream: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    upstream(socket);
  });
  const proxy = await watch({ upstream: await listen(server) });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await proxy.close();
  });
  return { proxy, server };
}

/** Sends the text as it is (one byte a character) and gives all that comes back until the other side closes. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(text, "latin1");
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

/** The lines of a response's head: the status line, then the headers. */
export function headOf(response: string): string[] {
  return response.slice(0, response.indexOf("\r\n\r\n")).split("\r\n");
}

export function bodyOf(response: string): string {
  return response.slice(response.indexOf("\r\n\r\n") + 4);
}
