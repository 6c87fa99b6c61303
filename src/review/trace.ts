// The trace: for each clause of the document, the places of the contract that state it, the decisions about it, the
// examples that show it, and the tests and laws that check it.
import type { Contract } from "../contract/contract.js";
import type { Pointer } from "../contract/contract-file.js";
import type { ClauseReferences } from "./clause-references.js";
import { CLAUSES, type ClauseId } from "./clauses.js";
import { walkContract } from "./walk-contract.js";

export interface ClauseTrace {
  id: ClauseId;
  summary: string;
  places: { name: string; line: number }[];
  decisions: string[];
  /** Names of examples at those places. */
  examples: string[];
  /** `test/contract/clauses.test.ts:231`; undefined where the tests are absent, as in the packed package. */
  tests: string[] | undefined;
  /** Of the `verify` suite, which names sections. */
  laws: string[];
}

/** A place that names clauses or decisions. */
interface Place {
  pointer: Pointer;
  clauses: unknown[];
  decisions: unknown[];
  value: { example?: unknown; examples?: unknown; content?: Record<string, { examples?: object }> };
}

export function traceClauses({ document, file }: Contract, references: ClauseReferences): ClauseTrace[] {
  const places = [...walkContract(document)].map(({ pointer, value }): Place => {
    const { "x-source": clauses = [], "x-decision": decisions = [] } = value;
    return { pointer, clauses: [clauses].flat(), decisions: [decisions].flat(), value };
  });
  return (Object.entries(CLAUSES) as [ClauseId, string][]).map(([id, summary]) => {
    const [section = "", ...row] = id.split(" ");
    const ofSection = places.filter(({ clauses }) => clauses.includes(section));
    const ofRow = ofSection.filter(({ pointer }) => isNamed(pointer, row.join(" ")));
    const decisions = Object.entries(document["x-decisions"])
      .filter(([, { clause }]) => [clause].flat().includes(section))
      .map(([decision]) => decision);
    // What the document leaves open has no source: the decisions about it lead to the places.
    const decided = places.filter((place) => decisions.some((decision) => place.decisions.includes(decision)));
    const nearest = [ofRow, ofSection, decided].find((list) => list.length > 0) ?? [];
    const isUsed = (decision: string) => nearest.some((place) => place.decisions.includes(decision));
    return {
      ...{ id, summary },
      places: nearest.map(({ pointer }) => ({ name: nameOf(pointer), line: file.lineOf(pointer) })),
      decisions: ofRow.length > 0 ? decisions.filter(isUsed) : decisions,
      examples: [...new Set(nearest.flatMap(examplesAt))],
      tests: references.tests && (references.tests.get(id) ?? []),
      laws: references.laws.get(section) ?? [],
    };
  });
}

/** What a clause's trace lacks; undefined when it is complete. */
export function findGap({ id, places, tests, laws }: ClauseTrace): string | undefined {
  if (places.length === 0) return `${id} has no place in the contract`;
  if (tests?.length === 0) return `${id} has no test${laws.length > 0 ? " of its own" : ""}`;
  return undefined;
}

/** A place without the containers that all places share: `ChannelPreferences › email`. */
function nameOf(pointer: Pointer): string {
  return pointer.filter((part) => !/^(components|schemas|properties|paths)$/.test(String(part))).join(" › ");
}

/** `workflows[].workflow.slug` is the row of a place called `slug`, `idempotency-key` that of `idempotencyKey`. */
function isNamed(pointer: Pointer, row: string): boolean {
  const simple = (text: unknown) => String(text).replaceAll(/[-_]/g, "").toLowerCase();
  return row !== "" && simple(pointer.at(-1)) === simple(row.split(/[.\]]/).at(-1));
}

function examplesAt({ pointer, value: { example, examples, content } }: Place): string[] {
  const name = String(pointer.at(-1));
  if (example !== undefined) return [`${name}=${[example].flat().join(",")}`];
  const ofBodies = Object.values(content ?? {}).flatMap((media) => Object.keys(media.examples ?? {}));
  return [...ofBodies, ...(Array.isArray(examples) ? [`${name} ${JSON.stringify(examples[0])}`] : [])];
}
