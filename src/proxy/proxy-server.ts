// The proxy as a value: listens, forwards, reports, and can be stopped. For the command line, tests and other programs.
import { type EventEmitter, setMaxListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { ConfigError } from "../config.js";
import { type Contract, loadContract } from "../contract/contract.js";
import { listen } from "../http/listener.js";
import { respondToParseError } from "../http/malformed-request.js";
import { createAnswerCheck } from "./answer-verdict.js";
import { createHandleExchange, type HandleExchange } from "./exchange.js";
import { createReporter, type ProxyEvents, type Reporter, type Summary } from "./reporter.js";
import { createRequestCheck } from "./request-verdict.js";
import { HEADER_LIMIT_BYTES, openUpstream, toUpstreamUrl } from "./upstream.js";

export type { ReportEntry } from "./report-entry.js";

export interface ProxyOptions {
  /** The base URL of the implementation; a path in it is put before every path. */
  upstream: string;
  /** Default: a free one. */
  port?: number;
  host?: string;
  /** The contract, or its file. Default: the one of this package. */
  contract?: Contract | string;
  /** Names of answers' headers that are not the contract's and yet no violation, such as a CDN's. Default: none. */
  allowedHeaders?: string[];
  /** How much of a body is kept for checking. What is larger is forwarded whole, and reported as not checked. */
  bodyLimitBytes?: number;
}

export interface RunningProxy {
  /** As in `http://127.0.0.1:4030`. */
  url: string;
  port: number;
  /** Emits `violation` and `notChecked` with a ReportEntry each, and `fault` when the check itself broke. */
  violations: EventEmitter<ProxyEvents>;
  summary(): Summary;
  /** Stops taking requests, answers those under way (for some seconds), and reports what is left to report. */
  close(): Promise<void>;
}

const BODY_LIMIT_BYTES = 5 * 1024 * 1024;

/** How long an exchange that is under way at the stop may take, as at the server. */
const GRACE_MS = 5000;

/**
 * Starts a proxy.
 * @throws ConfigError, ContractError or CannotListenError; then nothing runs.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { port = 0, host = "127.0.0.1", bodyLimitBytes = BODY_LIMIT_BYTES, allowedHeaders = [] } = options;
  const upstreamUrl = toUpstreamUrl(options.upstream);
  assertNotItself(upstreamUrl, port);
  const contract = typeof options.contract === "object" ? options.contract : await loadContract(options.contract);
  const reporter = createReporter(contract);
  const upstream = openUpstream(upstreamUrl);
  const outOfTime = new AbortController();
  setMaxListeners(0, outOfTime.signal); // one for each exchange under way; none is left behind
  const handleExchange = createHandleExchange({
    upstream,
    reporter,
    checkRequest: createRequestCheck(contract),
    checkAnswer: createAnswerCheck(contract, { bodyLimitBytes, allowedHeaders }),
    bodyLimitBytes,
    outOfTime: outOfTime.signal,
  });
  const { server, stop } = createProxyHttpServer(handleExchange, outOfTime);
  server.on("clientError", createRefuseBroken(reporter));
  const where = await listen(server, { host, port });
  return {
    ...where,
    violations: reporter.events,
    summary: reporter.summary,
    async close() {
      await stop();
      upstream.close();
    },
  };
}

function assertNotItself({ hostname, port }: URL, ownPort: number): void {
  const isLoopback = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  if (!isLoopback || ownPort === 0 || Number(port) !== ownPort) return;
  throw new ConfigError(`The upstream is the proxy itself (port ${ownPort}). Give the proxy another --port.`);
}

/** The server, and how to stop it: once all exchanges under way are over and reported. */
function createProxyHttpServer(
  handleExchange: HandleExchange,
  outOfTime: AbortController,
): { server: Server; stop(): Promise<void> } {
  const underWay = new Set<Promise<unknown>>();
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_BYTES, requestTimeout: 0 }); // an upload may take its time
  // `checkContinue` and `checkExpectation`: what the client expects is the upstream's to answer.
  for (const event of ["request", "checkContinue", "checkExpectation"] as const) {
    server.on(event, (request, response) => {
      const isOver = new Promise((resolve) => response.once("close", resolve));
      const exchange = Promise.all([handleExchange(request, response), isOver]);
      underWay.add(exchange);
      exchange.finally(() => underWay.delete(exchange));
    });
  }
  const stop = async () => {
    const isClosed = new Promise((resolve) => server.close(resolve));
    const late = setTimeout(() => {
      outOfTime.abort(); // first: who did not go on is known before the client's connection is closed
      server.closeAllConnections();
    }, GRACE_MS);
    while (underWay.size > 0) await Promise.all(underWay);
    clearTimeout(late);
    server.closeAllConnections(); // no request has come on those that are left
    await isClosed;
  };
  return { server, stop };
}

/** Answers what Node cannot read as HTTP, and reports it: the upstream never gets to see it (D-73). */
function createRefuseBroken(reporter: Reporter) {
  return function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
    respondToParseError(error, socket, HEADER_LIMIT_BYTES);
    if (!/^HPE_(?!INVALID_EOF_STATE)/.test(error.code ?? "")) return; // the client went away
    const message = `cannot be read as HTTP (${error.message}), nor forwarded; the proxy answered it`;
    reporter.report("request", reporter.begin([], "?", "?"), [{ location: "request", message, decision: "D-73" }]);
  };
}
