// What happens to one request: it is forwarded, and beside that, request and answer are judged and reported.
// Forwarding never waits for a verdict, and no verdict changes what passes.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnswerCheck } from "./answer-verdict.js";
import { ClientGoneError, forward, OutOfTimeError } from "./forward.js";
import { writeOwnAnswer } from "./own-answer.js";
import type { Breach } from "./report-entry.js";
import type { Reporter, Subject } from "./reporter.js";
import type { RequestCheck } from "./request-verdict.js";
import type { Upstream } from "./upstream.js";

export interface ExchangeParts {
  upstream: Upstream;
  reporter: Reporter;
  checkRequest: RequestCheck;
  checkAnswer: AnswerCheck;
  bodyLimitBytes: number;
  /** Aborts when the proxy stops and has waited long enough. */
  outOfTime: AbortSignal;
}

export type HandleExchange = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Makes the handler; its promise settles when all there is to report of the exchange has been reported. */
export function createHandleExchange(parts: ExchangeParts): HandleExchange {
  const { reporter } = parts;
  return async function handleExchange(request, response) {
    const method = request.method ?? "GET"; // a server's requests have one
    const subject = reporter.begin(request.rawHeaders, method, toOriginForm(request.url ?? "/"));
    for (const side of [request, response]) side.on("error", () => {}); // of a client that went away: `close` says so too
    try {
      if (isUpgrade(request)) reporter.report("request", subject, [refuseUpgrade(subject, request, response)]);
      else await pass(parts, subject, request, response);
    } catch (error) {
      reporter.reportFault(error);
    }
  };
}

async function pass(
  { upstream, reporter, checkRequest, checkAnswer, ...forwarding }: ExchangeParts,
  subject: Subject,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, target } = subject;
  const { sent, answer } = forward({ request, response, upstream, target, ...forwarding });
  const answered = answer.then((given) => {
    if (given instanceof Error && !response.destroyed) answerForUpstream(upstream, subject, response, given);
    return given;
  });

  const copy = await sent;
  const judged = await checkRequest({
    method,
    target,
    headers: request.headers,
    body: copy?.bytes() ?? Buffer.alloc(0),
  });
  // Of a body that never came to its end nobody can say what is wrong with it.
  const verdict = copy ? judged : { ...judged, breaches: [], refusal: undefined };
  subject.operation = verdict.operation;
  reporter.report("request", subject, verdict.breaches);

  const given = await answered;
  if (given instanceof ClientGoneError) return reporter.reportUnchecked(subject, "connection", given.message);
  if (given instanceof Error) return reporter.report("response", subject, [toUnanswered(given)]);
  subject.status = given.status;
  const { breaches, unchecked } = await checkAnswer({ method, verdict }, given);
  reporter.report("response", subject, breaches);
  if (unchecked !== undefined) reporter.reportUnchecked(subject, "body", unchecked);
}

function toUnanswered(error: Error): Breach {
  const why = error instanceof OutOfTimeError ? " in time" : `: ${toText(error)}`;
  return { location: "connection", message: `the upstream gave no answer${why}` };
}

function answerForUpstream(upstream: Upstream, { target }: Subject, response: ServerResponse, error: Error): void {
  const message = `No answer from ${upstream.url}: ${toText(error)}.`;
  writeOwnAnswer(response, { status: 502, target, message });
}

/** Node's message, and its code: a host with several addresses fails with an empty message. */
function toText(error: Error): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  if (message === "" || message.includes(code)) return message || code;
  return `${message} (${code})`;
}

/** A wish for HTTP/2 may be ignored (RFC 9110 §7.8), and some clients send it along with every first request. */
function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && headers.upgrade.trim().toLowerCase() !== "h2c";
}

function refuseUpgrade({ target }: Subject, request: IncomingMessage, response: ServerResponse): Breach {
  request.resume();
  const message = "Upgrades of the connection, such as to WebSocket, are not forwarded: the contract has none.";
  writeOwnAnswer(response, { status: 501, target, message });
  return { location: "header.upgrade", message: "is not of the contract; the proxy refused it with 501" };
}

/** `GET http://host/path`, as clients send it to a forward proxy, is `GET /path` here (RFC 9112 §3.2.2). */
function toOriginForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return path === "" || path.startsWith("?") ? `/${path}` : path;
}
