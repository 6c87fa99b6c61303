// The differences between two schemas of a request or response, and which of them may break clients.
import type { CandidateChange } from "./change.js";
import { toChangeSentence } from "./change-sentence.js";
import { findNarrowings } from "./find-narrowings.js";
import { mutateValue } from "./mutate-value.js";
import type { Narrowing } from "./narrowing-rule.js";
import { isSameSchema } from "./same-schema.js";
import { sampleValue } from "./sample-value.js";
import { allows, EACH_ITEM, type SchemaView, typesOf } from "./schema-view.js";

export interface SchemaPair {
  side: "request" | "response";
  /** The place of the whole value: `body`, `query.limit`, `200 body`. */
  place: string;
  before: SchemaView;
  after: SchemaView;
  /** Whether the value is sent as text: then a number is a string too. */
  isText?: boolean;
}

/** Turns values into the requests or responses that contain them. */
export type ToWitnesses = (makeValues: (base: unknown) => unknown[]) => Pick<CandidateChange, "requests" | "responses">;

/** A request breaks where the new schema is narrower, a response where the old one is. */
export function compareSchemas(pair: SchemaPair, toWitnesses: ToWitnesses): CandidateChange[] {
  const { side, before, after, isText } = pair;
  if (isSameSchema(before, after)) return [];
  const isRelevant = (narrowing: Narrowing) =>
    isReal(narrowing) &&
    !(isText && narrowing.keyword === "type" && typesOf(narrowing.toView).includes("string")) &&
    !(narrowing.keyword === "default" && side === "response"); // nobody fills in what a response omits
  const forward = findNarrowings(before, after).filter(isRelevant);
  const backward = findNarrowings(after, before).filter(isRelevant);
  const [breaking, compatible] = side === "request" ? [forward, backward] : [backward, forward];
  const breakingKeys = new Set(breaking.map(keyOf));
  const from = side === "request" ? before : after;
  return [
    ...breaking.map((narrowing) => ({
      ...toCandidate(pair, narrowing, side === "request"),
      class: "breaking" as const,
      ...toWitnesses((base) => mutateValue(base, from, narrowing)),
    })),
    ...compatible
      .filter((narrowing) => !breakingKeys.has(keyOf(narrowing)))
      .map((narrowing) => ({ ...toCandidate(pair, narrowing, side === "response"), class: "compatible" as const })),
  ];
}

const keyOf = (narrowing: Narrowing) => JSON.stringify([narrowing.path, narrowing.keyword, memberStep(narrowing)]);

/** The step to the member that a narrowing is about, where it is about one. */
function memberStep({ keyword, from, to }: Narrowing): string {
  return keyword === "required" || keyword === "properties" ? `.${from ?? to}` : "";
}

/** An uncertain narrowing is none when a value shows that the schemas differ the other way round, and none this way. */
function isReal({ isCertain = true, fromView, toView, mutate }: Narrowing): boolean {
  if (isCertain) return true;
  const values = [sampleValue(fromView), sampleValue(toView)].flatMap((value) => mutate(value));
  if (values.some((value) => allows(fromView, value) && !allows(toView, value))) return true;
  return !values.some((value) => allows(toView, value) && !allows(fromView, value));
}

function toCandidate(
  { side, place }: SchemaPair,
  narrowing: Narrowing,
  isNarrower: boolean,
): Omit<CandidateChange, "class"> {
  const { keyword, from, to, path, fromPointer, toPointer } = narrowing;
  const [before, after] = isNarrower ? [from, to] : [to, from];
  const steps = path.map((step) => (step === EACH_ITEM ? step : `.${step}`)).join("");
  return {
    side,
    place: `${place}${steps}${memberStep(narrowing)}`,
    keyword,
    sentence: toChangeSentence({ keyword, before, after, side, isNarrower }),
    before: isNarrower ? fromPointer : toPointer,
    after: isNarrower ? toPointer : fromPointer,
  };
}
