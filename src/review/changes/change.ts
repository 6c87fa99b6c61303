// A difference of two contracts, and what it means to those who use them.

import type { Pointer } from "../../contract/contract-file.js";
import type { ExampleRequest } from "../../contract/openapi-document.js";
import type { WireResponse } from "../../contract/response-check.js";

export type ChangeClass = "breaking" | "compatible" | "editorial";

/** What shows that a change breaks. A program has found it, and both contracts have judged it. */
export interface Witness {
  /** Of the old contract. */
  operation: { id: string; method: string; path: string };
  /** The request, or the one that leads to the answer. */
  request: ExampleRequest;
  /** undefined where the request itself is what breaks. */
  answer?: WireResponse;
  /** Both contracts accept the request, and mean something else by it. */
  isStillAccepted?: boolean;
  /** Where it is sent to; undefined where that makes no difference. */
  origin?: string;
  /** Why the new contract refuses the request, or the old one forbids the answer. */
  objection: string;
}

export interface Change {
  /** Stable from run to run: operation, side, place and keyword. `--allow` names it. */
  id: string;
  class: ChangeClass;
  /** undefined for what belongs to no single operation. */
  operation: string | undefined;
  side: "request" | "answer" | "text";
  /** Where in requests or answers, as people write it: `query.limit`, `200 body.data[].status`. */
  places: string[];
  sentence: string;
  /** Lines in the two files, counted from 1; undefined where there is nothing to point at. */
  before: number | undefined;
  after: number | undefined;
  witness?: Witness;
}

/** A difference before it is judged: what could show it is tried by both contracts. */
export interface Suspicion {
  side: "request" | "answer";
  place: string;
  keyword: string;
  sentence: string;
  before: Pointer | undefined;
  after: Pointer | undefined;
  class: "breaking" | "compatible";
  /** False where a witness has to tell. */
  isCertain: boolean;
  /** Requests or answers that may show it, the likeliest first. Only for what may break. */
  requests?: () => ExampleRequest[];
  answers?: () => WireResponse[];
}
