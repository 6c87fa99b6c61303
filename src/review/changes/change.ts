// A difference between two contracts, and what it means to those who use them.
import type { Pointer } from "../../contract/contract-file.js";
import type { ExampleRequest } from "../../contract/openapi-document.js";
import type { WireResponse } from "../../contract/response-check.js";

export type ChangeClass = "breaking" | "compatible" | "editorial";

/** A request or response that demonstrates a breaking change. Both contracts have checked it. */
export interface Witness {
  /** Of the old contract. */
  operation: { id: string; method: string; path: string };
  /** The request, or the one that leads to the response. */
  request: ExampleRequest;
  /** undefined where the request itself breaks. */
  response?: WireResponse;
  /** Both contracts accept the request, but it means something else. */
  isStillAccepted?: boolean;
  /** The server's address; undefined where it makes no difference. */
  origin?: string;
  /** Why the new contract rejects the request, or the old one forbids the response. */
  violation: string;
}

export interface Change {
  /** Stable from run to run: operation, side, place and keyword. `--allow` names it. */
  id: string;
  class: ChangeClass;
  /** undefined for changes outside of a single operation. */
  operation: string | undefined;
  side: "request" | "response" | "text";
  /** Locations in requests or responses: `query.limit`, `200 body.data[].status`. */
  places: string[];
  sentence: string;
  /** Lines in the two files, counted from 1; undefined where the file has no such line. */
  before: number | undefined;
  after: number | undefined;
  witness?: Witness;
}

/** A difference whose witness is still to be searched for. */
export interface CandidateChange {
  side: "request" | "response";
  place: string;
  keyword: string;
  sentence: string;
  before?: Pointer | undefined;
  after?: Pointer | undefined;
  class: "breaking" | "compatible";
  /** Possible witnesses, the likeliest first. Only of breaking changes. */
  requests?: () => ExampleRequest[];
  responses?: () => WireResponse[];
}
