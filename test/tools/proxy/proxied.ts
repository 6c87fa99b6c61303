// An upstream behind the proxy, and everything that the proxy reports, closed when the test ends. Raw HTTP for what
// fetch would not send.
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
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

/** A page that conforms to the contract. */
export const PAGE = { page: 0, pageSize: 10, hasMore: false, data: [] };
export const PAGE_HEADERS = { "content-type": "application/json; charset=utf-8", "x-request-id": "r-1" };

/** An upstream with one response to every request: a text, bytes, or a value as JSON. */
export function responding(body: unknown = PAGE, status = 200, headers: OutgoingHttpHeaders = {}): RequestListener {
  const sent = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return (_incoming, response) => void response.writeHead(status, { ...PAGE_HEADERS, ...headers }).end(sent);
}

/** Requests the list with the key. */
export const list = ({ url }: { url: string }, query = "") =>
  fetch(`${url}/v1/notifications${query}`, { headers: AUTHORIZED });

/** Sends an update with the key. A text is sent as it is. */
export const update = ({ url }: { url: string }, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/v2/subscribers/ada/preferences`, {
    method: "PATCH",
    headers: { ...AUTHORIZED, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

export interface Watched extends RunningProxy {
  entries: ReportEntry[];
  internalErrors: Error[];
}

const contract = await loadContract(); // once, since it takes most of the time of a start

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

/**
 * Sends a request, by default for the list, through a proxy; returns the proxy once it has reported the whole exchange.
 */
export async function exchanged(
  upstream: RequestListener,
  options: Partial<ProxyOptions> = {},
  send: (proxy: Watched) => Promise<Response> = list,
): Promise<Watched> {
  const { proxy } = await proxied(upstream, options);
  await (await send(proxy)).text().catch(() => {}); // fetch rejects a body that it cannot decompress
  await proxy.close();
  return proxy;
}

/** Everything that a proxy reports until it has closed. */
export async function reported(proxy: Watched): Promise<ReportEntry[]> {
  await proxy.close();
  return proxy.entries;
}

/** The next request that an upstream receives. */
export async function received(server: Server): Promise<{ incoming: IncomingMessage; response: ServerResponse }> {
  const [incoming, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  return { incoming, response };
}

/** The same as `proxied`, for an upstream that is a bare socket. */
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

/**
 * Sends a text as it is, one byte a character, and reads until the other side closes: the lines of the head, and the
 * body.
 */
export async function sendRaw(url: string, text: string): Promise<{ head: string[]; body: string }> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(text, "latin1");
  await once(socket, "close");
  const [head = "", body = ""] = Buffer.concat(chunks)
    .toString("latin1")
    .split(/\r\n\r\n(.*)/s);
  return { head: head.split("\r\n"), body };
}
