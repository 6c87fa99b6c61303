// The differences between two schemas of a request or response, each with messages that may show it.
import type { CandidateChange, Messages } from "./change.js";
import { toChangeSentence } from "./change-sentence.js";
import { findLosses, type Loss } from "./find-losses.js";
import { isSameSchema } from "./same-schema.js";
import { sampleValues, withPart } from "./sample-values.js";
import { allows, EACH_ITEM, type SchemaView } from "./schema-view.js";

export interface SchemaPair {
  side: "request" | "response";
  /** The place of the whole value: `body`, `query.limit`, `200 body`. */
  place: string;
  before: SchemaView;
  after: SchemaView;
  /** Whether the value is sent as text: then a number is a string too. */
  isText?: boolean;
}

/** Turns values into messages that contain them. `base` is a value that the contract in question allows. */
export type ToMessages = (version: "before" | "after", makeValues: (base: unknown) => unknown[]) => Messages;

export function compareSchemas(pair: SchemaPair, toMessages: ToMessages): CandidateChange[] {
  const { side, before, after, isText = false } = pair;
  if (isSameSchema(before, after)) return [];
  const changes = new Map<string, CandidateChange>();
  const add = (loss: Loss, isLost: boolean) => {
    const [version, view] = isLost ? (["before", before] as const) : (["after", after] as const);
    const messages = () => toMessages(version, (base) => withPart(base, view, loss.path, loss.values));
    const key = JSON.stringify([loss.path, loss.keyword, loss.member]);
    const other = changes.get(key);
    const isMeaning = loss.keyword === "default";
    const change = other ?? { ...toCandidate(pair, loss, isLost), isMeaning, isOnlyWithWitness: isText };
    changes.set(key, { ...change, ...(isLost ? { lost: messages } : { gained: messages }) });
  };
  for (const loss of findLosses(before, after)) add(loss, true);
  for (const gain of findLosses(after, before)) add(gain, false);
  const impossible = side === "response" && hasValue(before) && !hasValue(after) ? [toImpossible(pair)] : [];
  // Nobody fills in what a response omits.
  return [...impossible, ...changes.values()].filter(({ keyword }) => side === "request" || keyword !== "default");
}

function hasValue(view: SchemaView): boolean {
  return sampleValues(view, view).some((value) => allows(view, value));
}

/** As when a required member is renamed in one of two places: clients get no response. There is none to show. */
function toImpossible({ side, place, before, after }: SchemaPair): CandidateChange {
  const pointers = { before: before.conjuncts.at(-1)?.pointer, after: after.conjuncts.at(-1)?.pointer };
  return {
    ...{ side, place, keyword: "impossible", sentence: "allows no value that could be found" },
    ...pointers,
    gained: () => ({}),
  };
}

function toCandidate({ side, place, before: whole }: SchemaPair, loss: Loss, isLost: boolean): CandidateChange {
  const { keyword, member, fromValue, toValue, path, fromPointer, toPointer } = loss;
  const [before, after] = isLost ? [fromValue, toValue] : [toValue, fromValue];
  return {
    ...{ side, keyword, place: `${place}${toSteps(path)}${member === undefined ? "" : `.${member}`}` },
    sentence: toChangeSentence({ keyword, before, after, side, isNarrower: isLost }),
    before: isLost ? fromPointer : toPointer,
    after: isLost ? toPointer : fromPointer,
    rests: whole.conjuncts[0]?.pointer, // where a shared schema is used
  };
}

function toSteps(path: readonly string[]): string {
  return path.map((step) => (step === EACH_ITEM ? step : `.${step}`)).join("");
}
