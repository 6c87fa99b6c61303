// What differs between two schemas of a request or an answer, and which of it may break.

import type { Suspicion } from "./change.js";
import { mutateAt } from "./mutation.js";
import { findNarrowings, type Narrowing } from "./narrowing.js";
import { isSameSchema } from "./same-schema.js";
import { sampleOf } from "./sample.js";
import { allows, EACH_ITEM, type SchemaView, typesOf } from "./schema-view.js";
import { toSentence } from "./words.js";

export interface SchemaPair {
  side: "request" | "answer";
  /** How the place of the whole value is called: `body`, `query.limit`, `200 body`. */
  place: string;
  before: SchemaView;
  after: SchemaView;
  /** Whether the value is text on the wire: then a number is a text too. */
  isText?: boolean;
}

/** What turns a value into the requests or answers that hold it. */
export type Show = (makeValues: (base: unknown) => unknown[]) => Pick<Suspicion, "requests" | "answers">;

/** A request breaks where the new schema is narrower, an answer where the old one is. */
export function compareSchemas(pair: SchemaPair, show: Show): Suspicion[] {
  const { side, before, after, isText } = pair;
  if (isSameSchema(before, after)) return [];
  const isTold = (one: Narrowing) =>
    isReal(one) &&
    !(isText && one.keyword === "type" && typesOf(one.toView).includes("string")) &&
    !(one.keyword === "default" && side === "answer"); // nobody fills in what an answer leaves out
  const forward = findNarrowings(before, after).filter(isTold);
  const backward = findNarrowings(after, before).filter(isTold);
  const [breaking, compatible] = side === "request" ? [forward, backward] : [backward, forward];
  const told = new Set(breaking.map(keyOf));
  const from = side === "request" ? before : after;
  return [
    ...breaking.map((narrowing) => ({
      ...toSuspicion(pair, narrowing, side === "request"),
      class: "breaking" as const,
      ...show((base) => mutateAt(base, from, narrowing)),
    })),
    ...compatible
      .filter((narrowing) => !told.has(keyOf(narrowing)))
      .map((narrowing) => ({ ...toSuspicion(pair, narrowing, side === "answer"), class: "compatible" as const })),
  ];
}

const keyOf = (narrowing: Narrowing) => JSON.stringify([narrowing.path, narrowing.keyword, memberOf(narrowing)]);

/** The member that a narrowing is about, where it is about one. */
function memberOf({ keyword, from, to }: Narrowing): string {
  return keyword === "required" || keyword === "properties" ? `.${from ?? to}` : "";
}

/** A doubtful narrowing is none when a value shows that the schemas differ the other way round, and none this way. */
function isReal({ isCertain, fromView, toView, mutate }: Narrowing): boolean {
  if (isCertain) return true;
  const values = [sampleOf(fromView), sampleOf(toView)].flatMap((value) => mutate(value));
  if (values.some((value) => allows(fromView, value) && !allows(toView, value))) return true;
  return !values.some((value) => allows(toView, value) && !allows(fromView, value));
}

function toSuspicion({ side, place }: SchemaPair, narrowing: Narrowing, isNarrower: boolean): Omit<Suspicion, "class"> {
  const { keyword, from, to, path, fromPlace, toPlace, isCertain } = narrowing;
  const [before, after] = isNarrower ? [from, to] : [to, from];
  const steps = path.map((step) => (step === EACH_ITEM ? step : `.${step}`)).join("");
  return {
    side,
    place: `${place}${steps}${memberOf(narrowing)}`,
    keyword,
    sentence: toSentence({ keyword, before, after, side, isNarrower }),
    before: isNarrower ? fromPlace : toPlace,
    after: isNarrower ? toPlace : fromPlace,
    isCertain,
  };
}
