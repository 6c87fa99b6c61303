// The contract's verdict on an answer that has passed through: status, headers, media type and body, each with the
// clause or decision that it breaks.

import type { Contract } from "../contract/contract.js";
import type { WireResponse } from "../contract/response-check.js";
import type { Violation } from "../contract/schema-checker.js";
import { reasonOfAnswer } from "./answer-reason.js";
import { decodeBody } from "./decode-body.js";
import type { ForwardedAnswer } from "./forward.js";
import { type Breach, mergeByLocation } from "./report-entry.js";
import type { RequestVerdict } from "./request-verdict.js";

export interface AnswerVerdict {
  breaches: Breach[];
  /** Why the body was not looked at. */
  unchecked?: string;
}

interface Asked {
  method: string;
  verdict: RequestVerdict;
}

export type AnswerCheck = (asked: Asked, answer: ForwardedAnswer) => Promise<AnswerVerdict>;

// HTTP's own, beside those that the contract's check lets pass: how a body is coded, framed and relayed.
const TRANSPORT_HEADERS = new Set(["content-encoding", "trailer", "via", "proxy-connection", "te", "upgrade"]);

export interface AnswerCheckOptions {
  bodyLimitBytes: number;
  /** Names of headers that are not the contract's and that are no violation, such as a CDN's. */
  allowedHeaders: readonly string[];
}

export function createAnswerCheck(contract: Contract, options: AnswerCheckOptions): AnswerCheck {
  const declared = Object.keys(contract.document.components.headers ?? {}).map((name) => name.toLowerCase());
  const ignored = new Set([...TRANSPORT_HEADERS, ...options.allowedHeaders.map((name) => name.toLowerCase())]);
  for (const name of declared) ignored.delete(name); // allowed anyway, and held to the contract
  const parts: CheckParts = { contract, ignored, bodyLimitBytes: options.bodyLimitBytes };
  return async function checkAnswer({ method, verdict }, answer) {
    const { operation, breaches: asked, refusal } = verdict;
    const { status } = answer;
    if (verdict.isPreflight) return { breaches: [] };
    if (status < 400 && !operation) return { breaches: [] }; // another page of the upstream, not of the contract
    const accepted = status < 300 && refusal !== undefined ? [toAccepted(status, refusal, asked)] : [];
    if (accepted.length > 0 && refusal === 405) return { breaches: accepted }; // nor is its body of the contract

    const { problems, unchecked } = await checkWhole(parts, { method, verdict }, answer);
    const found = problems.map((problem) => ({
      ...problem,
      ...reasonOfAnswer(contract.document, operation, status, problem.location),
    }));
    return { breaches: mergeByLocation([...accepted, ...found]), ...(unchecked === undefined ? {} : { unchecked }) };
  };
}

/** The contract refuses such a request; an upstream that does not breaks it (D-28, D-47, D-49). */
function toAccepted(status: number, refusal: number, asked: readonly Breach[]): Breach {
  const places = asked.map(({ location }) => location).join(", ");
  const message = `${status} accepts what the contract answers ${refusal}: ${places}`;
  return { ...asked[0], location: "status", message }; // for the reason of the first
}

interface CheckParts {
  contract: Contract;
  bodyLimitBytes: number;
  /** Names in lower case of headers that are not looked at. */
  ignored: ReadonlySet<string>;
}

async function checkWhole(
  { contract, bodyLimitBytes, ignored }: CheckParts,
  { method, verdict: { operation } }: Asked,
  { status, headers, trailerNames, body, fault }: ForwardedAnswer,
): Promise<{ problems: Violation[]; unchecked?: string }> {
  const check = (value: unknown) => {
    const own = Object.entries(headers).filter(([name]) => !ignored.has(name));
    const answer: WireResponse = { status, headers: Object.fromEntries(own), body: value };
    return contract.checkResponse(operation, answer);
  };
  const trailers = trailerNames.map((name) => ({ location: `trailer.${name}`, message: "is not declared" }));
  // Without a body the contract's check sees status and headers alone; it has nothing to say of no operation.
  const head = [...(operation ? check(undefined) : []), ...trailers];
  const isUndeclared = head.some(({ location }) => location === "status");
  if (isUndeclared || method === "HEAD" || status === 204 || status === 304) return { problems: head };
  if (fault)
    return { problems: [...head, { location: "body", message: `ended before it was whole: ${fault.message}` }] };

  const bytes = body.bytes();
  if (bytes.length === 0) return { problems: [...head, { location: "body", message: "is missing" }] };
  const mediaType = toMediaType(headers["content-type"]);
  if (mediaType !== "application/json") {
    const message = `must be application/json, is ${mediaType ?? "missing"}`;
    return { problems: [...head, { location: "header.content-type", message }] };
  }
  if (body.isCut()) return { problems: head, unchecked: `the body is larger than ${bodyLimitBytes} bytes` };
  const decoded = await decodeBody(bytes, (headers["content-encoding"] ?? []).join(","), bodyLimitBytes);
  if ("unchecked" in decoded) return { problems: head, unchecked: decoded.unchecked };
  if ("fault" in decoded) return { problems: [...head, { location: "body", message: decoded.fault }] };
  const isShortened = shortenLists(decoded.value, LIST_DEPTH);
  const problems = [...check(decoded.value), ...trailers];
  return isShortened ? { problems, unchecked: `of a list, what comes after ${LIST_LENGTH} items` } : { problems };
}

// Ajv's time grows with the square of the errors found behind a $ref: a list of 50,000 wrong items holds up everything
// for seconds, forwarding included.
const LIST_LENGTH = 500;
const LIST_DEPTH = 4;

/** Cuts long lists, in place; whether there was one. */
function shortenLists(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth === 0) return false;
  const isLong = Array.isArray(value) && value.length > LIST_LENGTH;
  if (isLong) value.length = LIST_LENGTH;
  return Object.values(value).reduce<boolean>((found, child) => shortenLists(child, depth - 1) || found, isLong);
}

/** Repeated headers are one text, as the contract's check reads them. */
function toMediaType(values: readonly string[] | undefined): string | undefined {
  return values?.join(",").split(";")[0]?.trim().toLowerCase();
}
