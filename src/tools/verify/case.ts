// The suite's cases and their results.
import type { Violation } from "../../contract/violation.js";
import { KNOWN_OPERATIONS, type KnownOperation } from "../model/operations.js";
import type { Capability } from "./declared-target.js";
import {
  type ExpectedAndActual,
  expectStatus,
  type FailureCode,
  type FurtherViolation,
  type Lack,
  type ReceivedText,
} from "./expectation.js";
import type { TestContext } from "./test-context.js";
import type { TestRequest } from "./test-request.js";

/** What many cases take for granted; a case of `root-laws.ts` tests each. */
export type Assumption = "stored updates" | "clock";

export interface About {
  /** `query.limit` */
  place?: string;
  /** What a request violates there: `maximum`. */
  keyword?: string;
}

export interface Case {
  /** `listNotifications › query.limit › maximum › 51` */
  id: string;
  /** Clauses and decisions. */
  cites: readonly string[];
  /** Not applicable if the contract has changed one of these. */
  operations?: readonly KnownOperation[];
  /** Not applicable unless the target declares these. */
  needs?: readonly Capability[];
  /** True if it changes the target's state; such cases run one after the other. */
  changes?: boolean;
  /** What it sends for the target to reject, in the plural: `Unknown members`. Default: from the status. */
  rejects?: string;
  /** The value that it sends for the target to reject, and why: `"x" must be an integer`. */
  sends?: string;
  /** What of a request it is about. */
  about?: About;
  /** What others take for granted, if it tests that. */
  establishes?: Assumption;
  /** Where one of these does not hold, a failure of the case follows from that. */
  assumes?: readonly Assumption[];
  /** @throws ExpectationError or NotApplicable. Any other error is one of the suite itself. */
  run(context: TestContext): Promise<unknown>;
}

/** `error`: the suite itself failed, not the target. */
export const OUTCOMES = ["pass", "fail", "not applicable", "error"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Failure extends ExpectedAndActual {
  code: FailureCode;
  /** What is wrong: `Expected 405, got 501.` */
  sentence: string;
  /** The same without ids and values of records. */
  title?: string;
  /** The response, where its status or form is wrong. */
  received?: ReceivedText | undefined;
  violation?: Violation | undefined;
  /** The response's violations at other places. */
  further?: readonly FurtherViolation[] | undefined;
  /** The place that the error of a valid request names. */
  named?: string | undefined;
  /** The probable cause, in a sentence. */
  hypothesis?: string | undefined;
  /** The parameters of the request's query. */
  query?: readonly string[];
  /** The value that was sent, and the rule that it violates. */
  sent?: string | undefined;
  /** True for an update with an idempotency key. */
  isKeyed?: boolean;
  cites: string[];
  /** The smallest request that shows it. */
  curl?: string | undefined;
  /** What the case failed by after a violation of the contract with which it could go on. */
  next?: Failure | undefined;
  /** True if the case went on to its end, and found nothing else. */
  isComplete?: boolean;
}

export interface Result {
  id: string;
  cites: string[];
  outcome: Outcome;
  ms: number;
  about?: About;
  establishes?: Assumption;
  assumes?: readonly Assumption[];
  /** Why the case is not applicable, or the stack of the error. */
  reason?: string;
  /** What would make the case applicable, if it is a declaration. */
  lack?: Lack;
  failure?: Failure;
  /** True if the case passes when it runs alone. */
  isBesideOthers?: boolean;
  /** The `match` of the exception that excuses a failure. */
  exception?: string;
}

/** A rule that the document implies, rather than a keyword of the contract. */
interface Law extends Omit<Case, "id" | "operations"> {
  title: string;
}

/** Creates a law from its sentence, what it follows from, and its check. */
export const law = (title: string, cites: Law["cites"], run: Law["run"], about?: About): Law => ({
  title,
  cites,
  run,
  ...(about && { about }),
});

/** The law of one row: each request has one of the statuses. */
export const statusLaw = (
  title: string,
  cites: Law["cites"],
  requests: TestRequest | readonly TestRequest[],
  statuses: number | readonly number[],
  about?: About,
): Law => {
  const run: Law["run"] = async ({ restart, send }) => {
    for (const request of [requests].flat()) {
      restart();
      expectStatus(await send(request), ...[statuses].flat());
    }
  };
  return law(title, cites, run, about);
};

/** Shared by the laws of one subject. */
interface Subject extends Pick<Case, "needs" | "changes" | "assumes" | "rejects" | "about"> {
  /** Default: both operations. */
  operation?: KnownOperation;
  topic?: string;
}

/** Of laws that read what an update has stored. */
export const STORED = { needs: ["stateful"], changes: true, assumes: ["stored updates"] } as const;

/** Turns the laws of a subject into cases named after it. */
export function createCases({ operation, topic, ...shared }: Subject, laws: readonly Law[]): Case[] {
  const subject = [operation, topic].filter((name) => name !== undefined);
  const operations = operation === undefined ? KNOWN_OPERATIONS : [operation];
  return laws.map(({ title, ...law }) => ({ operations, ...shared, ...law, id: [...subject, title].join(" › ") }));
}
