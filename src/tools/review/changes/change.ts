// A change between two contracts, and whom it breaks.

import type { WireResponse } from "../../../contract/model.js";
import type { Pointer } from "../../../contract/pointer.js";
import type { RequestTemplate } from "../../../contract/request.js";

/**
 * What a change means to clients, the heaviest class first. A compatible change may still break implementations.
 * "undecided": neither a counterexample nor a proof was found. "note": says something about messages that are the same.
 * "equivalent": written differently, with the same meaning.
 */
export const CHANGE_CLASSES = ["breaking", "undecided", "compatible", "note", "editorial", "equivalent"] as const;
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** Clients send requests and read responses; implementations read requests and send responses. */
export type Side = "clients" | "implementations";

export type MessageSide = "request" | "response";

/**
 * Who breaks if the old contract allows messages that the new one does not (`lost`), or the new one more than the old
 * (`gained`). Clients send requests and have to be able to read every response; implementations the other way round.
 */
export function whoBreaks(side: MessageSide): { lost: Side; gained: Side } {
  return side === "request"
    ? { lost: "clients", gained: "implementations" }
    : { lost: "implementations", gained: "clients" };
}

/** A request or response that one contract allows and the other does not, checked by both. */
export interface Counterexample {
  /** As the contract that allows the message has it. */
  operation: { id: string; method: string; path: string };
  /** The request, or the one that leads to the response. */
  request: RequestTemplate;
  /** Absent if one of them rejects the request itself. */
  response?: WireResponse;
  allowedBy: "old" | "new";
  /** True if both contracts accept the request, with different meanings. */
  isStillAccepted?: boolean;
  /** Why the other contract rejects the request or forbids the response. */
  violation: string;
  /** The steps to what a response violates: `["200", "body", "application/json", "data", "0"]`. */
  path?: readonly string[];
}

/** A place in requests or responses of an operation. */
export interface MessagePlace {
  operation: string;
  /** As text: `200 body.data[].status`. */
  place: string;
  /** As steps: `["200", "body", "data", "[]", "status"]`; none for the operation itself. */
  steps: readonly string[];
}

export interface Change {
  /** Stable from run to run: operation, side, place and keyword. `--allow` names it. */
  id: string;
  class: ChangeClass;
  /** Whom it breaks. */
  breaks: Side[];
  /** Why it is unknown whether it breaks a side. */
  undecided: Partial<Record<Side, string>>;
  /** undefined for changes outside of a single operation. */
  operation: string | undefined;
  side: MessageSide | "text";
  /** As text; the first is of `operation`, others may begin with the name of another operation. */
  places: string[];
  /** None for changes outside of operations. */
  at: MessagePlace[];
  /** Places in the two files. */
  pointers: Pointer[];
  /** The changed keyword of the contract: `enum`, `required`, `existence`. */
  keyword: string;
  sentence: string;
  /** The sentence in the verdict, where that is another one: `at most 20, was 50`. */
  brief?: string;
  /** Lines in the two files, counted from 1; undefined if the file has no such line. */
  before: number | undefined;
  after: number | undefined;
  /** The lines of both files. */
  diff?: string;
  /** Of a new part that takes the place of a removed one with the same schema: the place of that. */
  renamedFrom?: string;
  /** For a removed place, the line of its nearest parent in the new file. */
  nearest?: number;
  counterexamples: Partial<Record<Side, Counterexample>>;
  /** Clauses and decisions that the place rests on in the old contract. */
  restsOn: string[];
}

/**
 * The place in messages: changes at one place are judged and shown together, and so are both names of a part. A text is
 * a place of its own, and so is a default: who accepts another one does not accept another maximum with it.
 */
export function placeOf({ operation, side, places, id, keyword, renamedFrom }: Change): string {
  const isDefault = keyword === "default";
  return side === "text" ? id : JSON.stringify([operation, side, renamedFrom ?? places[0], isDefault]);
}

/** In a line: `query.limit`; of a text, the last two steps, as in `limit.description`. */
export function nameChange({ places: [place = ""], side, keyword }: Change): string {
  if (keyword === "security") return keyword; // its place is the operation
  return side === "text" ? place.split(" › ").slice(-2).join(".") : place;
}

/** The heaviest first. */
export function byClass(changes: readonly Change[]): Change[] {
  const rankOf = ({ class: kind, renamedFrom }: Change) =>
    CHANGE_CLASSES.indexOf(kind) + (renamedFrom === undefined ? 0 : 0.5);
  return changes.toSorted((one, other) => rankOf(one) - rankOf(other));
}
