// `startProxy` listens. The path of a request: it is forwarded while both sides are checked and reported. Forwarding never waits for a check,
// and no check changes what is forwarded.
import type { EventEmitter } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { type Contract, loadContract } from "../../contract/contract.js";
import { isJson } from "../../contract/media-type.js";
import type { Operation } from "../../contract/model.js";
import { MOCKED_HEADER } from "../../contract/response-check.js";
import { createMockResponse } from "../../contract/sample/message.js";
import { ConfigError } from "../../core/options.js";
import { type HttpResponse, protectionOf } from "../../core/request/exchange.js";
import { LIMITS } from "../../core/request/limits.js";
import { isLoopback } from "../../server/config.js";
import { closeServer, handleRequests, listen, trackResponses } from "../../server/http/listener.js";
import { createCheckBehavior } from "./behavior.js";
import {
  type Client,
  decideCloseReason,
  type ForwardedResponse,
  type ForwardOptions,
  forward,
  HEADER_LIMIT_BYTES,
  openUpstream,
  readRequest,
  UnknownResponseError,
  type Upstream,
} from "./forwarding.js";
import { createReporter, type ProxyEvents, type Reporter, type Summary } from "./reporter.js";
import { createViolation, type RoundTrip } from "./round-trip.js";
import { createCheckRequest, createCheckResponse } from "./violations.js";

export type { ReportEntry } from "./reporter.js";

export interface ProxyOptions {
  /** The base URL of the implementation; its path is prepended to every path. */
  upstream: string;
  /** Default: a free port. */
  port?: number;
  host?: string;
  /** The contract, or its file. Default: the one of this package. */
  contract?: Contract | string;
  /** Ids of operations that the upstream lacks: the proxy mocks them. Default: none. */
  missing?: readonly string[];
}

export interface RunningProxy {
  /** As in `http://127.0.0.1:4030`. */
  url: string;
  port: number;
  events: EventEmitter<ProxyEvents>;
  summary(): Summary;
  /** Stops accepting requests; finishes and reports those in progress, for up to 5 s. */
  close(): Promise<void>;
}

/**
 * Starts a proxy.
 * @throws ConfigError, ContractError or CannotListenError; then nothing runs.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { port = 0, host = "127.0.0.1", missing = [] } = options;
  const upstream = openUpstream(options.upstream);
  assertNotItself(upstream, port);
  const contract = typeof options.contract === "object" ? options.contract : await loadContract(options.contract);
  assertOperations(missing, contract);
  const reporter = createReporter(contract, upstream.url);
  const graceOver = new AbortController();
  const parts = { contract, reporter, upstream, missing, graceOver: graceOver.signal };
  const { server, stop } = createProxyHttpServer(createHandleRequest(parts), { graceOver, reporter });
  trackResponses(server, { headBytes: HEADER_LIMIT_BYTES, headMs: LIMITS.headMs }, ({ code = "", message }) => {
    // Any other error: the client went away.
    if (/^HPE_(?!INVALID_EOF_STATE)/.test(code)) reportMalformed(message, reporter);
  });
  const where = await listen(server, { host, port });
  return { ...where, events: reporter.events, summary: reporter.summary, close: stop };
}

function assertOperations(ids: readonly string[], { operations }: Contract): void {
  const known = operations.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new ConfigError(`The contract has no operation ${unknown} that could be mocked. It has ${known.join(", ")}.`);
}

function assertNotItself({ url }: Upstream, proxyPort: number): void {
  const { hostname, port } = new URL(url);
  if (!isLoopback(hostname.replaceAll(/[[\]]/g, "")) || proxyPort === 0 || Number(port) !== proxyPort) return;
  throw new ConfigError(`The upstream is the proxy itself (port ${proxyPort}). Give the proxy another --port.`);
}

/** `stop` waits until all exchanges in progress are reported. */
function createProxyHttpServer(
  handleRequest: HandleRequest,
  { graceOver, reporter }: { graceOver: AbortController; reporter: Reporter },
) {
  const inProgress = new Set<Promise<unknown>>();
  const requestTimeout = 0; // an upload may take its time
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_BYTES, requestTimeout, requireHostHeader: false });
  handleRequests(
    server,
    (request, response) => {
      const isOver = new Promise((resolve) => response.once("close", resolve));
      const exchange = Promise.all([handleRequest(request, response), isOver]);
      inProgress.add(exchange);
      exchange.finally(() => inProgress.delete(exchange));
    },
    (message) => reportMalformed(message, reporter),
  );
  const stop = async () => {
    await closeServer(server, inProgress, () => graceOver.abort()); // so that the report knows which side was late
    while (inProgress.size > 0) await Promise.all(inProgress);
  };
  return { server, stop };
}

/** Reports what is no valid HTTP; it is not forwarded (D-73). */
function reportMalformed(reason: string, reporter: Reporter): void {
  const message = `is not valid HTTP (${reason}), so it is not forwarded; the proxy responded`;
  const exchange = reporter.begin({ method: "?", target: "?", headers: {} });
  reporter.report("request", exchange, [createViolation("request", message, "D-73")]);
}

interface HandlerOptions extends ForwardOptions {
  contract: Contract;
  reporter: Reporter;
  /** Ids of operations that are mocked without asking the upstream. */
  missing: readonly string[];
}

export type HandleRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The handler's promise settles when the response has been reported. */
export function createHandleRequest(options: HandlerOptions): HandleRequest {
  const { contract, reporter } = options;
  const findRequestViolations = createCheckRequest(contract);
  const findResponseViolations = createCheckResponse(contract);
  const checkBehavior = createCheckBehavior(contract, options.upstream.prefix);
  const underWay = new Set<RoundTrip>();

  return async function handle(request, response) {
    const { method = "GET", url = "/", headers } = request; // always set on a server's request
    const target = originFormOf(url);
    const roundTrip = reporter.begin({ method, target, headers });
    roundTrip.overlapping = [...underWay].filter((other) => other.method === method && other.target === target);
    for (const other of roundTrip.overlapping) other.overlapping.push(roundTrip);
    underWay.add(roundTrip);
    for (const side of [request, response]) side.on("error", () => {}); // the client went away: `close` follows
    try {
      const client = { request, response, target };
      await (method === "OPTIONS" ? handlePreflight(roundTrip, client) : handleRequest(roundTrip, client));
    } catch (error) {
      reporter.reportError(error);
    } finally {
      underWay.delete(roundTrip);
      reporter.finish(roundTrip);
      roundTrip.overlapping = []; // or each would keep the one before it in memory
    }
  };

  async function handleRequest(roundTrip: RoundTrip, client: Client): Promise<void> {
    const operation = contract.findOperation(roundTrip.method, pathOf(roundTrip));
    const body = readRequest(client.request);
    if (operation && options.missing.includes(operation.id)) {
      const sent = await body;
      if (sent === undefined) return reportMissing(roundTrip, decideCloseReason(client, options.graceOver));
      await checkRequest(roundTrip, sent);
      roundTrip.status = mockMissing(operation, roundTrip, client).status;
      return reporter.reportOwnResponse(roundTrip);
    }
    const outcome = forwardOrRespond(client, options);
    const sent = await body;
    await checkRequest(roundTrip, sent);
    const forwarded = await outcome;
    if (forwarded instanceof Error) return reportMissing(roundTrip, forwarded);
    await checkResponse(roundTrip, forwarded, { isRequestKnown: sent !== undefined });
  }

  /** A preflight request belongs to CORS, not to the contract (D-51). */
  async function handlePreflight(roundTrip: RoundTrip, client: Client): Promise<void> {
    const wanted = roundTrip.headers["access-control-request-method"] ?? "OPTIONS";
    const operation = contract.findOperation(wanted, pathOf(roundTrip));
    if (operation && options.missing.includes(operation.id)) return sendPreflight(client);
    const outcome = await forwardOrRespond(client, options);
    if (outcome instanceof Error) reportMissing(roundTrip, outcome);
  }

  /** @param body undefined if it did not arrive in full; the request is then not judged. */
  async function checkRequest(roundTrip: RoundTrip, body: Buffer | undefined): Promise<void> {
    const verdict = await findRequestViolations(roundTrip, body ?? Buffer.alloc(0));
    Object.assign(roundTrip, body ? verdict : { operation: verdict.operation }, { sent: body });
    reporter.report("request", roundTrip, roundTrip.violations);
  }

  async function checkResponse(
    roundTrip: RoundTrip,
    response: ForwardedResponse,
    { isRequestKnown }: { isRequestKnown: boolean },
  ): Promise<void> {
    const { status, headers: responseHeaders, body: received } = response;
    Object.assign(roundTrip, { status, responseHeaders, received });
    const { violations, unchecked, responseBody } = await findResponseViolations(roundTrip, response);
    roundTrip.responseBody = responseBody;
    reporter.report("response", roundTrip, [...(isRequestKnown ? checkBehavior(roundTrip) : []), ...violations]);
    if (unchecked !== undefined) reporter.reportUnchecked(roundTrip, "body", unchecked);
  }

  function reportMissing(roundTrip: RoundTrip, error: Error): void {
    const message = `the upstream sent no response: ${describeError(error)}`;
    if (error instanceof UnknownResponseError) reporter.reportUnchecked(roundTrip, "connection", error.message);
    else reporter.report("response", roundTrip, [{ location: "connection", message }]);
  }
}

/**
 * Responds for an upstream that lacks the operation, as `serve` would without an implementation. A page of another
 * origin may read the response, since the upstream, which would say so, gets no request.
 */
function mockMissing(
  operation: Operation,
  { method, target, requestBody, rejected }: RoundTrip,
  { request, response }: Client,
): HttpResponse {
  const { accept } = request.headers;
  const mocked = rejected ?? createMockResponse(operation, { method, target, body: requestBody, accept });
  const { status, headers, body, mediaType = "application/json; charset=utf-8" } = mocked;
  const text = body === undefined ? "" : isJson(mediaType) ? JSON.stringify(body) : String(body);
  response.writeHead(status, {
    ...headers,
    ...protectionOf(mediaType),
    ...(body === undefined ? {} : { "Content-Type": mediaType, "Content-Length": Buffer.byteLength(text) }),
    ...buildCorsHeaders(request, { "Access-Control-Expose-Headers": [MOCKED_HEADER, ...Object.keys(headers)].join() }),
    [MOCKED_HEADER]: "missing-upstream",
  });
  response.end(text);
  return mocked;
}

/** Responds to the preflight request of an operation that the upstream lacks. */
function sendPreflight({ request, response }: Client): void {
  const { "access-control-request-method": method = "", "access-control-request-headers": names = "" } =
    request.headers;
  const allowed = { "Access-Control-Allow-Methods": method, "Access-Control-Allow-Headers": names };
  response.writeHead(204, buildCorsHeaders(request, allowed)).end();
}

function buildCorsHeaders(
  { headers: { origin } }: IncomingMessage,
  more: Record<string, string>,
): Record<string, string> {
  return origin === undefined ? {} : { "Access-Control-Allow-Origin": origin, Vary: "Origin", ...more };
}

/** Resolves with an error if the upstream did not respond; the proxy then has. */
function forwardOrRespond(client: Client, options: HandlerOptions): Promise<ForwardedResponse | Error> {
  const { response, target } = client;
  return forward(client, options).catch((error: Error) => {
    const reason = `No response from ${options.upstream.url}: ${describeError(error)}.`;
    if (!response.destroyed) respondForUpstream(response, options.reporter.redactTarget(target), reason);
    return error;
  });
}

const pathOf = ({ target }: RoundTrip) => target.replace(/\?.*/, "");

/** Responds in the upstream's place: in the contract's error shape, with a status outside the contract. */
function respondForUpstream(response: ServerResponse, path: string, reason: string): void {
  if (response.headersSent) return void response.destroy(); // half a response has been sent
  const message = `${reason} The proxy sent this response, not the upstream.`;
  const body = JSON.stringify({ statusCode: 502, timestamp: new Date().toISOString(), path, message });
  const type = "application/json; charset=utf-8";
  const headers = { "Content-Type": type, ...protectionOf(type), Via: "1.1 notifications-contract" };
  response.sendDate = true;
  // With its own reason phrase: Node would repeat the upstream's, which may be what could not be written.
  response.writeHead(502, STATUS_CODES[502], { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
}

/** Node's error has no message for a host with several addresses. */
function describeError({ message, code = "" }: NodeJS.ErrnoException): string {
  return message || code;
}

/** `GET http://host/path`, as clients send it to a forward proxy, is `GET /path` here (RFC 9112 §3.2.2). */
function originFormOf(target: string): string {
  const path = target.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  return path === "" || path.startsWith("?") ? `/${path}` : path;
}
