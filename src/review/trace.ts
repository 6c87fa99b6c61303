// The trace: each clause of the document, the places of the contract that say it, the decisions about it, the examples
// that show it, and the tests and laws that hold implementations to it.
import type { Contract } from "../contract/contract.js";
import type { Pointer } from "../contract/contract-file.js";
import type { Provenance } from "../contract/openapi-document.js";
import type { Citations } from "./citations.js";
import { CLAUSES, type ClauseId } from "./clauses.js";

export interface ClauseTrace {
  id: ClauseId;
  words: string;
  places: { name: string; line: number }[];
  decisions: string[];
  /** Names of examples at those places. */
  examples: string[];
  /** `test/contract/clauses.test.ts:231`; undefined where there are no tests to look at, as in the packed package. */
  tests: string[] | undefined;
  /** Of the `verify` suite, which names sections. */
  laws: string[];
}

interface Place extends Provenance {
  pointer: Pointer;
  example?: unknown;
  examples?: unknown;
  content?: Record<string, { examples?: object }>;
}

export function traceClauses({ document, file }: Contract, citations: Citations): ClauseTrace[] {
  const places = findPlaces(document);
  return (Object.entries(CLAUSES) as [ClauseId, string][]).map(([id, words]) => {
    const [section = "", ...row] = id.split(" ");
    const ofSection = places.filter((place) => [place["x-source"] ?? []].flat().includes(section));
    const ofRow = ofSection.filter(({ pointer }) => isNamed(pointer, row.join(" ")));
    const decided = Object.entries(document["x-decisions"])
      .filter(([, { clause }]) => [clause].flat().includes(section))
      .map(([name]) => name);
    const isDecided = (place: Place) => [place["x-decision"] ?? []].flat().some((name) => decided.includes(name));
    // What the document leaves open has no source: the decisions about it lead to the places.
    const chosen = [ofRow, ofSection, places.filter(isDecided)].find((some) => some.length > 0) ?? [];
    const here = new Set(chosen.flatMap((place) => [place["x-decision"] ?? []].flat()));
    return {
      id,
      words,
      places: chosen.map(({ pointer }) => ({ name: nameOf(pointer), line: file.lineOf(pointer) })),
      decisions: ofRow.length > 0 ? decided.filter((name) => here.has(name)) : decided,
      examples: [...new Set(chosen.flatMap(examplesAt))],
      tests: citations.tests?.get(id),
      laws: citations.laws.get(section) ?? [],
    };
  });
}

/** What is wrong with a clause's trace; undefined when nothing is. */
export function gapOf({ id, places, tests, laws }: ClauseTrace): string | undefined {
  if (places.length === 0) return `${id} has no place in the contract`;
  if (tests && tests.length === 0) return `${id} is shown by no test${laws.length > 0 ? " of its own" : ""}`;
  return undefined;
}

function findPlaces(document: object): Place[] {
  const found: Place[] = [];
  visit(document, []);
  return found;

  function visit(value: unknown, pointer: Pointer): void {
    if (typeof value !== "object" || value === null || pointer[0] === "x-decisions") return;
    if ("x-source" in value || "x-decision" in value) found.push({ ...(value as Place), pointer });
    for (const [key, child] of Object.entries(value)) {
      if (key !== "examples" && key !== "example") visit(child, [...pointer, key]);
    }
  }
}

const SCAFFOLD = new Set<string | number>(["components", "schemas", "properties", "paths"]);

/** A place without the words that every place has: `ChannelPreferences › email`. */
function nameOf(pointer: Pointer): string {
  return pointer.filter((part) => !SCAFFOLD.has(part)).join(" › ");
}

/** `workflows[].workflow.slug` is named by a place called `slug`, `idempotency-key` by one called `idempotencyKey`. */
function isNamed(pointer: Pointer, row: string): boolean {
  const simple = (text: unknown) => String(text).replaceAll(/[-_]/g, "").toLowerCase();
  return row !== "" && simple(pointer.at(-1)) === simple(row.split(/[.\]]/).at(-1));
}

function examplesAt({ pointer, example, examples, content }: Place): string[] {
  const name = String(pointer.at(-1));
  if (example !== undefined) return [`${name}=${[example].flat().join(",")}`];
  const shown = Object.values(content ?? {}).flatMap((media) => Object.keys(media.examples ?? {}));
  return [...shown, ...(Array.isArray(examples) ? [`${name} ${JSON.stringify(examples[0])}`] : [])];
}
