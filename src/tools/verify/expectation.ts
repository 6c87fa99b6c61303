// How a case ends early: the target does not meet an expectation, or the case does not apply to it.
import { isDeepStrictEqual } from "node:util";
import type { Notification, NotificationPage } from "../../contract/contract-types.js";
import { isObject } from "../../contract/json.js";
import type { RequestSpec } from "../../contract/request.js";
import type { Violation } from "../../contract/violation.js";
import { findDifference, shortenBody } from "../difference.js";

/** The kind of a failure. */
export type FailureCode =
  | "no response"
  | "status"
  /** The response violates the contract. */
  | "contract"
  /** It breaks a law of all responses. */
  | "law"
  | "value";

export interface ExpectedAndActual {
  /** Its place: `status`, `body.data.0`, `header.allow`. */
  what: string;
  expected: unknown;
  actual: unknown;
  /** Set if the status differs, which `expected` and `actual` describe as text. */
  status?: { expected: readonly number[]; actual: number };
  /** How a list differs. Default: from the values. */
  kind?: ListDifference | "ignored" | undefined;
  /** The parameters of the query that a list is wrong by; default: those of the request. */
  parameters?: readonly string[];
}

/** The parts of a response that a report shows. */
export interface ReceivedText {
  status: number;
  body: string;
}

/** A violation with the body around it, and what it violates besides the citations of its case. */
export interface FurtherViolation {
  violation: Violation;
  received: ReceivedText;
  cites: readonly string[];
}

export interface Expectation extends ExpectedAndActual {
  /** Default: `value`. */
  code?: FailureCode;
  /** What is wrong; default: from the difference. */
  sentence?: string;
  /** What is wrong, without ids and values of records; default: the sentence. */
  title?: string;
  /** What a place is part of, in words: `preferences of ada`. */
  subject?: string;
  received?: ReceivedText;
  /** The first violation of the contract. */
  violation?: Violation | undefined;
  /** The response's violations at other places. */
  further?: readonly FurtherViolation[];
  request?: RequestSpec<Buffer> | undefined;
  /** Clauses and decisions, if not those of the case. */
  cites?: readonly string[];
  /** Clauses and decisions besides those. */
  also?: readonly string[];
  /** True if the rest of the response can still be compared, so that the case goes on. */
  isBearable?: boolean;
}

/** The target violates the contract. */
export class ExpectationError extends Error {
  /** The requests that show it, if they are not the case's latest. */
  sent?: readonly RequestSpec<Buffer>[];
  constructor(readonly expectation: Expectation) {
    super(expectation.what);
  }
}

/** The failure of a request without a response. The error's message is a sentence. */
export function describeNoResponse({ message }: Error) {
  return { code: "no response", what: "response", expected: "a response", actual: "none", sentence: message } as const;
}

export function toReceived(
  { status, text }: { status: number; text: string },
  violation?: Pick<Violation, "path">,
): ReceivedText {
  return { status, body: shortenBody(text, violation?.path?.slice(1)) };
}

/** What verify.config.json lacks for a case. */
export interface Lack {
  entry?: "subscribers" | "workflows" | "criticalWorkflow" | "unlistedWorkflows" | "keys.otherApiKey";
  capabilities?: readonly string[];
}

/** The target's data or its declared capabilities do not allow the case. */
export class NotApplicable extends Error {
  readonly lack: Lack | undefined;

  constructor(reason: string, lack?: Lack) {
    super(reason);
    this.lack = lack;
  }
}

/** @throws NotApplicable if the condition does not hold. */
export function assume(condition: boolean, reason: string, entry?: Lack["entry"]): asserts condition {
  if (!condition) throw new NotApplicable(reason, entry && { entry });
}

export interface ReceivedResponse {
  status: number;
  text: string;
  request: RequestSpec<Buffer>;
  /** Its violation of the contract, whatever the case expects. */
  violation?: ExpectationError | undefined;
  /** Explains why a law does not apply if it expects this status. */
  changeOf?: ((status: number) => string | undefined) | undefined;
}

/**
 * Expects a status first, since a wrong one explains more than the body, then that the response conforms to the
 * contract, unless the case can go on: its end reports the violation.
 */
export function expectStatus<Response extends ReceivedResponse>(response: Response, ...statuses: number[]): Response {
  const { status, text, request, changeOf } = response;
  const change = changeOf && statuses.map(changeOf).find((text) => text !== undefined);
  assume(change === undefined, String(change));
  if (statuses.includes(status)) {
    if (response.violation && !response.violation.expectation.isBearable) throw response.violation;
    return response;
  }
  const difference = { what: "status", expected: statuses.join(" or "), actual: status };
  const numbers = { expected: statuses, actual: status };
  const received = toReceived({ status, text });
  throw new ExpectationError({ code: "status", ...difference, status: numbers, received, request });
}

/** @param expectation its `expected` may be words: `later than …`. @throws ExpectationError unless it holds. */
export function expectThat(holds: boolean, expectation: Expectation): void {
  if (!holds) throw new ExpectationError(expectation);
}

/**
 * Compares JSON values, ignoring the order of members. Reports only the first difference.
 * @param what a place, or words for the body of a response: `preferences of ada`.
 */
export function expectSame(what: string, expected: unknown, actual: unknown, request?: RequestSpec<Buffer>): void {
  const isWords = what.includes(" ");
  const difference = findDifference(expected, actual, isWords ? "body" : what);
  if (!difference) return;
  const { place, path, ...values } = difference;
  if (isTexts(expected) && isTexts(actual)) {
    const { kind } = compareLists(expected, actual);
    const sentence = formatLists(what, expected, actual);
    throw new ExpectationError({ what: isWords ? what : place, ...values, kind, sentence, request });
  }
  if (path.length === 0) throw new ExpectationError({ what, ...values, request });
  throw new ExpectationError({ what: place, ...values, ...(isWords && { subject: what }), request });
}

/** Compares lists of ids that are members of a response. */
export function expectIds(
  subject: string,
  { what = "body.data", expected, actual }: { what?: string; expected: readonly string[]; actual: readonly string[] },
): void {
  if (isDeepStrictEqual(expected, actual)) return;
  const { kind } = compareLists(expected, actual);
  throw new ExpectationError({ what, expected, actual, kind, sentence: formatLists(subject, expected, actual) });
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** Compares the expected members of a page, and records by their ids. */
export function expectPage(received: NotificationPage, expected: Partial<NotificationPage>): void {
  for (const name of ["page", "pageSize", "data", "hasMore"] as const) {
    const value = expected[name];
    if (name === "data" && expected.data) expectSame("body.data", idsOf(expected.data), idsOf(received.data));
    else if (value !== undefined) expectSame(`body.${name}`, value, received[name]);
  }
}

/** The records with a `createdAt`, which is optional (D-11). */
export function datedOf(records: readonly Notification[]): (Notification & { createdAt: string })[] {
  return records.flatMap(({ createdAt, ...record }) => (createdAt === undefined ? [] : { ...record, createdAt }));
}

/** What failures call a record. Its `_id` is optional (D-11). */
export const idOf = ({ _id, transactionId }: Notification): string => _id ?? `transaction ${transactionId}`;
export const idsOf = (records: readonly Notification[]): string[] => records.map(idOf);

/** A value: JSON, truncated to a readable length. */
export function shorten(value: unknown, longest = 400): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** Two values, quoted where one is a text and the other is not: `"true"` is not `true`. */
export function formatPair(expected: unknown, actual: unknown, longest?: number): [string, string] {
  const isScalar = (value: unknown) => value !== undefined && !isObject(value) && !Array.isArray(value);
  const isQuoted = isScalar(expected) && isScalar(actual) && typeof expected !== typeof actual;
  const format = (value: unknown) => shorten(isQuoted ? JSON.stringify(value) : value, longest);
  return [format(expected), format(actual)];
}

const LONGEST = 100;
const NAMES: Readonly<Record<string, string>> = { "body.data": "The page", body: "The response" };

/** The subject of a sentence: a place as code, words as they are. */
const nameSubject = (what: string): string =>
  NAMES[what] ?? (what.includes(" ") ? `${capitalize(what)}:` : `\`${what}\``);
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `\`body.hasMore\` is true instead of false.` */
export function formatValues(what: string, expected: unknown, actual: unknown): string {
  const name = nameSubject(what);
  const [wanted, got] = formatPair(expected, actual, LONGEST);
  const verb = name.endsWith(":") ? "" : "is ";
  if (expected === undefined)
    return `${name} ${verb ? "must be absent, and is " : ""}${got}${verb ? "" : ", not none"}.`;
  if (actual !== undefined && actual !== null) return `${name} ${verb}${got} instead of ${wanted}.`;
  return `${name} ${verb}missing${isObject(expected) ? "" : `, and must be ${wanted}`}.`;
}

type ListDifference = "foreign" | "missing" | "order";

/** How two lists of texts differ. */
function compareLists(expected: readonly string[], actual: readonly string[]) {
  const missing = expected.find((item) => !actual.includes(item));
  const foreign = actual.find((item) => !expected.includes(item));
  const kind: ListDifference = foreign !== undefined ? "foreign" : missing !== undefined ? "missing" : "order";
  return { kind, missing, foreign };
}

/** Says what a list of texts lacks, and what it has in its place. */
function formatLists(what: string, expected: readonly string[], actual: readonly string[]): string {
  const { missing, foreign } = compareLists(expected, actual);
  const verb = what.includes(" ") ? "" : "has ";
  if (foreign === undefined)
    return `${nameSubject(what)} ${missing === undefined ? `${verb}another order` : `${verb ? "lacks" : "without"} ${missing}`}.`;
  const reason = missing === undefined ? "which should not be there" : `instead of ${missing}`;
  return `${nameSubject(what)} ${verb}${foreign}${missing === undefined ? "," : ""} ${reason}.`;
}
