// One exchange: the request is forwarded; meanwhile request and response are checked and reported. Forwarding never waits
// for a check, and no check changes what is forwarded.
import type { IncomingMessage, ServerResponse } from "node:http";
import { ClientGoneError, forward, ShutdownTimeoutError } from "./forward.js";
import type { BehaviorCheck } from "./judged-exchange.js";
import { sendProxyResponse } from "./proxy-response.js";
import { type CitedViolation, mergeByLocation } from "./report-entry.js";
import type { Reporter, Subject } from "./reporter.js";
import type { RequestCheck } from "./request-verdict.js";
import type { ResponseCheck } from "./response-verdict.js";
import type { Upstream } from "./upstream.js";

export interface ExchangeParts {
  upstream: Upstream;
  reporter: Reporter;
  checkRequest: RequestCheck;
  checkResponse: ResponseCheck;
  checkBehavior: BehaviorCheck;
  bodyLimitBytes: number;
  /** Aborts when the proxy stops and its grace period is over. */
  shutdownTimeout: AbortSignal;
}

export type HandleExchange = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The handler's promise settles when the exchange has been reported. */
export function createHandleExchange(parts: ExchangeParts): HandleExchange {
  const { reporter } = parts;
  const updates = new Set<Update>();
  return async function handleExchange(request, response) {
    const method = request.method ?? "GET"; // a server's requests have one
    const subject = reporter.begin(request.rawHeaders, method, toOriginForm(request.url ?? "/"));
    for (const side of [request, response]) side.on("error", () => {}); // the client went away: `close` follows
    const place = `${method} ${subject.target}`;
    const update: Update = { place, sent: undefined, others: [...updates].filter((other) => other.place === place) };
    for (const other of update.others) other.others.push(update);
    updates.add(update);
    try {
      if (isUpgrade(request)) reporter.report("request", subject, [rejectUpgrade(subject, request, response)]);
      else await forwardAndCheck({ ...parts, update }, subject, request, response);
    } catch (error) {
      reporter.reportError(error);
    } finally {
      updates.delete(update);
      update.others = []; // what overlaps with what overlaps would never be forgotten
    }
  };
}

/** A request, with those of the same method and target that are under way at the same time. */
interface Update {
  place: string;
  /** The body, once it has arrived. */
  sent: unknown;
  others: Update[];
}

/** What one update has set, another of the same subscriber at the same time may have changed. */
function isContested({ others }: Update, channel: string): boolean {
  return others.some(({ sent }) => {
    const { channels } = (sent ?? {}) as { channels?: object };
    return channels === undefined || channel in channels;
  });
}

async function forwardAndCheck(
  {
    upstream,
    reporter,
    checkRequest,
    checkResponse,
    checkBehavior,
    update,
    ...forwarding
  }: ExchangeParts & { update: Update },
  subject: Subject,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, target } = subject;
  const forwarded = forward({ request, response, upstream, target, ...forwarding });
  const outcome = forwarded.response.then((result) => {
    if (result instanceof Error && !response.destroyed) respondForUpstream(upstream, subject, response, result);
    return result;
  });

  const copy = await forwarded.sent;
  const body = copy?.bytes() ?? Buffer.alloc(0);
  update.sent = parseSent(body);
  const checked = await checkRequest({ method, target, headers: request.headers, body });
  // A body that did not arrive in full cannot be checked.
  const verdict = copy ? checked : { ...checked, violations: [], rejection: undefined };
  subject.operation = verdict.operation;
  reporter.report("request", subject, verdict.violations);

  const result = await outcome;
  if (result instanceof ClientGoneError) return reporter.reportUnchecked(subject, "connection", result.message);
  if (result instanceof Error) return reporter.report("response", subject, [toMissingResponse(result)]);
  subject.status = result.status;
  const { violations, unchecked, value } = await checkResponse({ method, verdict }, result);
  const behavior = copy
    ? checkBehavior({
        method,
        target,
        headers: request.headers,
        sent: update.sent,
        verdict,
        status: result.status,
        responseHeaders: result.headers,
        received: value,
        isContested: (channel) => isContested(update, channel),
        report: (violation) => reporter.report("response", subject, [violation]),
      })
    : [];
  reporter.report("response", subject, mergeByLocation([...violations, ...behavior]));
  if (unchecked !== undefined) reporter.reportUnchecked(subject, "body", unchecked);
}

/** A compressed body is left to the upstream. */
function parseSent(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function toMissingResponse(error: Error): CitedViolation {
  const why = error instanceof ShutdownTimeoutError ? " in time" : `: ${toText(error)}`;
  return { location: "connection", message: `the upstream sent no response${why}` };
}

function respondForUpstream(upstream: Upstream, { target }: Subject, response: ServerResponse, error: Error): void {
  const message = `No response from ${upstream.url}: ${toText(error)}.`;
  sendProxyResponse(response, { status: 502, target, message });
}

/** Node's message and code: for a host with several addresses the message is empty. */
function toText(error: Error): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  if (message === "" || message.includes(code)) return message || code;
  return `${message} (${code})`;
}

/** An offer of HTTP/2 may be ignored (RFC 9110 §7.8); some clients send it with every first request. */
function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && headers.upgrade.trim().toLowerCase() !== "h2c";
}

function rejectUpgrade({ target }: Subject, request: IncomingMessage, response: ServerResponse): CitedViolation {
  request.resume();
  const message = "Upgrades of the connection, such as to WebSocket, are not forwarded: the contract has none.";
  sendProxyResponse(response, { status: 501, target, message });
  return { location: "header.upgrade", message: "is not in the contract; the proxy rejected it with 501" };
}

/** `GET http://host/path`, as clients send it to a forward proxy, is `GET /path` here (RFC 9112 §3.2.2). */
function toOriginForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return path === "" || path.startsWith("?") ? `/${path}` : path;
}
