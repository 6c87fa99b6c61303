// Runs one case, and turns what it throws into an outcome. A failure shows its requests as lines for a shell.
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { mapDefined } from "../../contract/lists.js";
import { formatCurl, type RequestSpec } from "../../contract/request.js";
import { queryOf } from "../../contract/target.js";
import { plural } from "../../contract/violation.js";
import type { Exception } from "../exceptions.js";
import type { Case, Failure, Result } from "./case.js";
import { basicOf, NEAR_KEYS, nearKeysOf, type Target } from "./declared-target.js";
import {
  capitalize,
  describeNoResponse,
  type Expectation,
  formatValues,
  NotApplicable,
  toReceived,
} from "./expectation.js";
import { TargetDownError } from "./http-transport.js";
import { isAcceptance, severityOf } from "./report/causes.js";
import type { Session } from "./session.js";
import { createTestContext, type TestContext } from "./test-context.js";
import type { TestResponse } from "./test-request.js";

export async function runCase(testCase: Case, session: Session): Promise<Result> {
  const context = createTestContext(session, testCase.operations !== undefined && testCase.operations.length > 0);
  const started = performance.now();
  const error = await run(testCase, context).catch((thrown: unknown) => thrown);
  session.isDown ||= error instanceof TargetDownError;
  const outcome = decideOutcome(testCase, error, context);
  return { ...createResult(testCase), ms: Math.round(performance.now() - started), ...outcome };
}

async function run(testCase: Case, context: TestContext): Promise<void> {
  const { operations = [], needs = [] } = testCase;
  for (const operation of operations) context.assumeUnchanged(operation);
  context.require(...needs);
  await testCase.run(context);
}

export function createNotApplicable(testCase: Case, reason: string): Result {
  return { ...createResult(testCase), outcome: "not applicable", reason };
}

/**
 * True if a text is part of a case's name, or one of its citations: `D-26` names all sentences of the decision.
 * `document` names all cases that a clause requires, `decision` all others.
 */
export function isSelected({ id, cites }: Pick<Case, "id" | "cites">, text: string): boolean {
  return id.includes(text) || isCited(cites, text) || severityOf(cites) === text;
}

function isCited(cites: readonly string[], text: string): boolean {
  return cites.some((cite) => cite === text || (text.startsWith("D-") && cite.startsWith(`${text}.`)));
}

function decideOutcome(
  testCase: Case,
  error: unknown,
  context: TestContext,
): Partial<Result> & Pick<Result, "outcome"> {
  if (error instanceof TargetDownError)
    return { outcome: "fail", failure: createFailure(testCase, describeNoResponse(error), context) };
  const found = context.findErrors(error);
  if (found.length === 0 && error === undefined) return { outcome: "pass" };
  if (found.length === 0 && error instanceof NotApplicable)
    return { outcome: "not applicable", reason: error.message, ...(error.lack && { lack: error.lack }) };
  if (found.length === 0) return { outcome: "error", reason: String(error instanceof Error ? error.stack : error) };
  const failures = found.map(({ expectation, sent = context.sent }) =>
    createFailure(testCase, expectation, { ...context, sent }),
  );
  const exceptionOf = (failure: Failure) =>
    context.target.except.find(({ match }) => isSelected(testCase, match) || isCited(failure.cites, match));
  const [failure, next] = failures.filter((candidate) => !exceptionOf(candidate));
  if (failure)
    return { outcome: "fail", failure: { ...failure, next, ...(error === undefined && { isComplete: true }) } };
  const { match, reason } = mapDefined(failures, exceptionOf)[0] as Exception;
  return { outcome: "not applicable", reason: `excepted: ${match}, ${reason}`, exception: match };
}

type Shown = Pick<TestContext, "target" | "latest" | "sent" | "concurrent">;

function createFailure(testCase: Case, expectation: Expectation, { sent, target, latest, concurrent }: Shown): Failure {
  const { request, cites = testCase.cites, also = [], code = "value", subject: _subject, ...difference } = expectation;
  const requests = selectRequests(sent, request, concurrent);
  const curl = requests.length > 0 ? formatCurlLines(requests, target, { concurrent }) : undefined;
  const response = latest();
  const isShown = response !== undefined && isDeepStrictEqual(response.request, request ?? requests.at(-1));
  const isRejection = expectation.status?.actual === 422 && isAcceptance(expectation.status);
  const named = isRejection && isShown ? findNamed(response) : undefined;
  const reason = named === undefined ? "" : `, because of ${named}`;
  const hypothesis = isRejection ? `A valid request was rejected${reason}.` : undefined;
  const sentence = formatSentence(testCase, { code, ...expectation });
  // A response that breaks the contract by itself says nothing of what the case is about.
  const violated = code === "contract" && also.length > 0 ? also : [...cites, ...also];
  const query = namesOfQuery(requests.at(-1));
  const place = code === "value" && expectation.what.startsWith("body.") ? expectation.what.split(".") : undefined;
  const received = isShown && place ? { received: toReceived(response, { path: place }) } : {};
  const isKeyed = requests.some(({ headers }) => headers["idempotency-key"] !== undefined);
  const shown = {
    sentence,
    sent: testCase.sends,
    named,
    hypothesis,
    query,
    isKeyed,
    cites: [...new Set(violated)],
    curl,
  };
  return { code, ...received, ...difference, ...shown };
}

const namesOfQuery = ({ target = "" }: Partial<RequestSpec<Buffer>> = {}) => [...new Set(queryOf(target).keys())];

type Requests = readonly RequestSpec<Buffer>[];

/** The requests that show a failure: those up to the one that failed, and those that were sent at the same time. */
function selectRequests(
  sent: Requests,
  failed: RequestSpec<Buffer> | undefined,
  concurrent: Shown["concurrent"],
): Requests {
  const last = failed ? sent.findLastIndex((other) => isDeepStrictEqual(other, failed)) : sent.length - 1;
  if (last === -1) return failed ? [failed] : [];
  let end = last + 1;
  if (concurrent.has(sent[last] as RequestSpec<Buffer>))
    while (end < sent.length && concurrent.has(sent[end] as RequestSpec<Buffer>)) end++;
  return sent.slice(0, end).filter((request, index) => concurrent.has(request) || isNeeded(request, index, end));
}

/** True if a failure shows a request: earlier reads do not matter. */
function isNeeded({ method, headers }: RequestSpec<Buffer>, index: number, count: number): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return !isRead || headers["idempotency-key"] !== undefined || index === count - 1;
}

function formatSentence(testCase: Case, expectation: Expectation): string {
  const { sentence, status, subject, violation, what, expected, actual } = expectation;
  if (sentence !== undefined) return sentence;
  if (status) return formatStatus(testCase, status);
  if (violation) return `${violation.location === "status" ? "" : `\`${violation.location}\` `}${violation.message}.`;
  if (subject === undefined) return formatValues(what, expected, actual);
  return `${capitalize(subject)}: ${formatValues(what.slice("body.".length), expected, actual)}`;
}

/** `Expected 405, got 501.`, or `Unknown members are accepted: expected 422, got 200.` */
function formatStatus({ rejects }: Case, status: NonNullable<Failure["status"]>): string {
  const { expected, actual } = status;
  const statuses = `xpected ${expected.join(" or ")}, got ${actual}.`;
  if (isAcceptance(status) || actual >= 300) return `E${statuses}`;
  return `${rejects ?? REJECTED_BY[expected[0] ?? 0] ?? "Invalid requests"} are accepted: e${statuses}`;
}

/** What a server rejects with a status. */
const REJECTED_BY: Readonly<Record<number, string>> = {
  401: "Requests without a valid key",
  402: "Times outside of the plan's window",
  404: "Paths and names that do not exist",
  405: "Methods that the contract lacks",
  413: "Bodies that are too large",
  415: "Bodies of other media types",
};

function createResult({ id, cites, assumes, about, establishes }: Case): Omit<Result, "outcome"> {
  return {
    id,
    cites: [...cites],
    ms: 0,
    ...(about && { about }),
    ...(establishes && { establishes }),
    ...(assumes && { assumes }),
  };
}

const MAX_BODY_LENGTH = 500;
const MAX_REQUESTS = 12;

interface CurlOptions {
  /** Requests that were sent at once, which a shell sends in the background. */
  concurrent?: ReadonlySet<RequestSpec<Buffer>>;
}

/** One command for each of the last requests. */
export function formatCurlLines(
  requests: readonly RequestSpec<Buffer>[],
  target: Target,
  { concurrent }: CurlOptions = {},
): string {
  const secrets = secretsOf(target);
  const shown = requests.slice(-MAX_REQUESTS);
  const earlier = requests.length - shown.length;
  const lines = shown.flatMap((request, index) => {
    const line = formatCurlLine(request, target.url.origin, secrets);
    if (!concurrent?.has(request)) return [line];
    const next = shown[index + 1];
    return [`${line} &`, ...(next && concurrent.has(next) ? [] : ["wait"])];
  });
  return [...(earlier > 0 ? [`# ${plural(earlier, "request")} before`] : []), ...lines].join("\n");
}

/** Maps each form of a target's keys to the text that a shell expands to it within double quotes. */
function secretsOf({ apiKey, otherApiKey }: Target): Record<string, string> {
  const keys = { NC_API_KEY: apiKey, ...(otherApiKey ? { NC_OTHER_API_KEY: otherApiKey } : {}) };
  return Object.fromEntries(
    Object.entries(keys).flatMap(([variable, key]) => [
      [basicOf(key), `$(printf %s "x:$${variable}" | base64 | tr -d '\\n')`],
      [encodeURIComponent(key), `$(printf %s "$${variable}" | od -An -v -tx1 | tr -d '\\n' | tr ' ' %)`],
      ...nearKeysOf(key).map(([title, text]) => [text, NEAR_KEYS[title]?.toShell(variable)]),
      [key, `$${variable}`], // last, so that it wins where forms are equal
    ]),
  );
}

/** Pipes a body to curl if it is long, or not plain text. */
function formatCurlLine(
  { body, ...request }: RequestSpec<Buffer>,
  origin: string,
  secrets: Record<string, string>,
): string {
  if (body === undefined) return formatCurl(request, origin, secrets);
  const text = body.toString();
  const isPlain = text.length <= MAX_BODY_LENGTH && !/[^\P{C}\n]|\ufffd/u.test(text);
  if (isPlain) return formatCurl({ ...request, body: text }, origin, secrets);
  const line = formatCurl({ ...request, body: "" }, origin, secrets).replace(/--data-raw ''$/, "--data-binary @-");
  return `printf %s ${gzipSync(body).toString("base64")} | base64 -d | gunzip | ${line}`;
}

/** The place that the error of a valid request names. */
function findNamed(response: TestResponse | undefined): string | undefined {
  const [location] = Object.keys((response?.body as { errors?: object } | undefined)?.errors ?? {});
  return location;
}
