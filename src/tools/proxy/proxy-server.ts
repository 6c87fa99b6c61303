// `startProxy`: listens, forwards, reports, and can be stopped. The command line, tests and other programs share it.

import type { EventEmitter } from "node:events";
import { createServer } from "node:http";
import { type Contract, loadContract } from "../../contract/contract.js";
import { ConfigError } from "../../core/options.js";
import { LIMITS } from "../../core/request/limits.js";
import { isLoopback } from "../../server/config.js";
import { closeServer, handleRequests, listen, trackResponses } from "../../server/http/listener.js";
import { HEADER_LIMIT_BYTES, openUpstream, type Upstream } from "./forwarding.js";
import { createHandleRequest, type HandleRequest } from "./proxy-request.js";
import { createReporter, type ProxyEvents, type Reporter, type Summary } from "./reporter.js";
import { createViolation } from "./round-trip.js";

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
