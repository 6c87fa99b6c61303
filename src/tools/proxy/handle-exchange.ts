// The path of an exchange: the request is forwarded; meanwhile request and response are checked and reported. Forwarding never
// waits for a check, and no check changes what is forwarded.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Contract } from "../../contract/contract.js";
import { createFindOperation } from "../../core/operations/routes.js";
import { createCheckBehavior } from "./check-behavior.js";
import { createCheckRequest } from "./check-request.js";
import { createCheckResponse } from "./check-response.js";
import type { Exchange } from "./exchange.js";
import {
  type Client,
  type ForwardedResponse,
  type ForwardOptions,
  forward,
  readRequest,
  UnknownResponseError,
} from "./forward.js";
import { mockMissing, sendPreflight } from "./mock-missing.js";
import type { Reporter } from "./reporter.js";

export interface ExchangeOptions extends ForwardOptions {
  contract: Contract;
  reporter: Reporter;
  /** Ids of operations that are mocked without asking the upstream. */
  missing: readonly string[];
  /** Names of response headers outside the contract that are not reported. */
  allowedHeaders: readonly string[];
}

export type HandleExchange = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The handler's promise settles when the exchange has been reported. */
export function createHandleExchange(options: ExchangeOptions): HandleExchange {
  const { contract, reporter } = options;
  const { checkRequest, checkResponse, reportMissing } = createChecks(options);
  const findOperation = createFindOperation(contract.operations);
  const underWay = new Set<Exchange>();

  return async function handleExchange(request, response) {
    const { method = "GET", url = "/", headers } = request; // a server's requests have all of them
    const target = toOriginForm(url);
    const exchange = reporter.begin({ method, target, headers });
    for (const other of underWay) {
      if (other.method !== method || other.target !== target) continue;
      other.overlapping.push(exchange);
      exchange.overlapping.push(other);
    }
    underWay.add(exchange);
    for (const side of [request, response]) side.on("error", () => {}); // the client went away: `close` follows
    try {
      const handle = method === "OPTIONS" ? handlePreflight : handleRequest;
      await handle(exchange, { request, response, target });
    } catch (error) {
      reporter.reportError(error);
    } finally {
      underWay.delete(exchange);
      exchange.overlapping = []; // else each exchange would hold the one before it in memory
    }
  };

  async function handleRequest(exchange: Exchange, client: Client): Promise<void> {
    const operation = findOperation(exchange.method, pathOf(exchange));
    const body = readRequest(client.request, options);
    if (operation && options.missing.includes(operation.id)) {
      await checkRequest(exchange, await body);
      const { status } = mockMissing(contract, operation, exchange, client);
      return reporter.reportOwnResponse({ ...exchange, status });
    }
    const outcome = forwardOrRespond(client, options);
    const sent = await body;
    await checkRequest(exchange, sent);
    const forwarded = await outcome;
    if (forwarded instanceof Error) reportMissing(exchange, forwarded);
    else await checkResponse(exchange, forwarded, { isRequestKnown: sent !== undefined });
  }

  /** A preflight request belongs to CORS, not to the contract (D-51). */
  async function handlePreflight(exchange: Exchange, client: Client): Promise<void> {
    const wanted = exchange.headers["access-control-request-method"] ?? "OPTIONS";
    const operation = findOperation(wanted, pathOf(exchange));
    if (operation && options.missing.includes(operation.id)) return sendPreflight(client);
    const outcome = await forwardOrRespond(client, options);
    if (outcome instanceof Error) reportMissing(exchange, outcome);
  }
}

/** The checks of both sides. Each adds to the exchange what it learns, and reports. */
function createChecks(options: ExchangeOptions) {
  const { contract, reporter, upstream } = options;
  const findRequestViolations = createCheckRequest(contract);
  const findResponseViolations = createCheckResponse(contract, options);
  const checkBehavior = createCheckBehavior(contract, upstream.prefix);
  return {
    /** @param body undefined where it did not arrive in full: then the request is not judged. */
    async checkRequest(exchange: Exchange, body: Buffer | undefined): Promise<void> {
      const verdict = await findRequestViolations(exchange, body ?? Buffer.alloc(0));
      Object.assign(exchange, body ? verdict : { operation: verdict.operation });
      reporter.report("request", exchange, exchange.violations);
    },

    async checkResponse(
      exchange: Exchange,
      response: ForwardedResponse,
      { isRequestKnown }: { isRequestKnown: boolean },
    ): Promise<void> {
      exchange.status = response.status;
      exchange.responseHeaders = response.headers;
      const { violations, unchecked, responseBody } = await findResponseViolations(exchange, response);
      exchange.responseBody = responseBody;
      const all = [...(isRequestKnown ? checkBehavior(exchange) : []), ...violations];
      reporter.report("response", exchange, all);
      if (unchecked !== undefined) reporter.reportUnchecked(exchange, "body", unchecked);
    },

    /** Reports that the upstream has sent no response. */
    reportMissing(exchange: Exchange, error: Error): void {
      const message = `the upstream sent no response: ${toText(error)}`;
      if (error instanceof UnknownResponseError) reporter.reportUnchecked(exchange, "connection", error.message);
      else reporter.report("response", exchange, [{ location: "connection", message }]);
    },
  };
}

/** Resolves with an error where the upstream has not responded; then the proxy has. */
function forwardOrRespond(client: Client, options: ForwardOptions): Promise<ForwardedResponse | Error> {
  const { response, target } = client;
  return forward(client, options).catch((error: Error) => {
    const reason = `No response from ${options.upstream.url}: ${toText(error)}.`;
    if (!response.destroyed) respondForUpstream(response, target, reason);
    return error;
  });
}

const pathOf = ({ target }: Exchange) => target.replace(/\?.*/, "");

/** The response of the proxy itself for want of one: in the contract's error shape, with a status outside the contract. */
function respondForUpstream(response: ServerResponse, path: string, reason: string): void {
  if (response.headersSent) return void response.destroy(); // half a response has been sent
  const message = `${reason} The proxy sent this response, not the upstream.`;
  const body = JSON.stringify({ statusCode: 502, timestamp: new Date().toISOString(), path, message });
  const headers = { "Content-Type": "application/json; charset=utf-8", Via: "1.1 notifications-contract" };
  response.writeHead(502, { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
}

/** Node's message and code: for a host with several addresses the message is empty. */
function toText(error: Error): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  if (message === "" || message.includes(code)) return message || code;
  return `${message} (${code})`;
}

/** `GET http://host/path`, as clients send it to a forward proxy, is `GET /path` here (RFC 9112 §3.2.2). */
function toOriginForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return path === "" || path.startsWith("?") ? `/${path}` : path;
}
