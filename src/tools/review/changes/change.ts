// A difference between two contracts, and what it means to those who use them.

import type { Pointer } from "../../../contract/contract-file.js";
import type { RequestTemplate } from "../../../contract/request-spec.js";
import type { WireResponse } from "../../../contract/response-check.js";

/**
 * For clients. A compatible change may still break implementations. "undecided": neither a counterexample nor a proof was found.
 * "equivalent": the contract is written differently, and means the same.
 */
export type ChangeClass = "breaking" | "undecided" | "compatible" | "editorial" | "equivalent";

/** Clients send requests and read responses; implementations read requests and send responses. */
export type Side = "clients" | "implementations";

export type MessageSide = "request" | "response";

/** A request or response that one contract allows and the other does not. Both contracts have checked it. */
export interface Counterexample {
  /** The operation, in the contract that allows the message. */
  operation: { id: string; method: string; path: string };
  /** The request, or the one that leads to the response. */
  request: RequestTemplate;
  /** undefined where the request itself is what one of them rejects. */
  response?: WireResponse;
  allowedBy: "old" | "new";
  /** Both contracts accept the request, but it means something else. */
  isStillAccepted?: boolean;
  /** Why the other contract rejects the request or forbids the response. */
  violation: string;
}

/** A place in requests or responses of an operation. */
export interface MessagePlace {
  operation: string;
  /** As text: `200 body.data[].status`. */
  place: string;
  /** The same as steps: `["200", "body", "data", "[]", "status"]`; none for the operation itself. */
  steps: readonly string[];
}

export interface Change {
  /** Stable from run to run: operation, side, place and keyword. `--allow` names it. */
  id: string;
  class: ChangeClass;
  /** Whom it breaks. */
  breaks: Side[];
  /** Why it is not known whether it breaks a side. */
  undecided: Partial<Record<Side, string>>;
  /** undefined for changes outside of a single operation. */
  operation: string | undefined;
  side: MessageSide | "text";
  /** For people: `query.limit`, `200 body.data[].status`, with another operation's name before it; the first is of `operation`. */
  places: string[];
  /** The places of requests or responses; none for changes outside of operations. */
  at: MessagePlace[];
  /** Its places in the two files. */
  pointers: Pointer[];
  /** Which keyword of the contract changed: `enum`, `required`, `existence`. */
  keyword: string;
  sentence: string;
  /** Lines in the two files, counted from 1; undefined where the file has no such line. */
  before: number | undefined;
  after: number | undefined;
  /** For a place that is gone: the line of its nearest parent in the new file. */
  nearest?: number;
  counterexamples: Partial<Record<Side, Counterexample>>;
  /** Clauses and decisions that the place rests on, by the old contract. */
  restsOn: string[];
}

/** The defaults of a change that no request and no response shows. */
export const WITHOUT_EFFECT = {
  ...{ at: [], breaks: [], undecided: {}, counterexamples: {}, restsOn: [] },
  ...{ operation: undefined, before: undefined, after: undefined },
};
