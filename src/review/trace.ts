// The trace: for each clause of the document, the places of the contract that state it, the decisions about it, the
// examples that show it, and the tests and laws that check it. Their lines are read from the source text, so that the trace names
// only what exists. (clauses.test.ts does not compile without a row for each clause.)
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract } from "../contract/contract.js";
import type { Pointer } from "../contract/contract-file.js";
import { walkContract } from "../contract/walk-contract.js";
import { CLAUSES, type ClauseId } from "./clauses.js";

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

/** The lines of the tests and of the laws of `verify` that name a clause. */
export interface ClauseReferences {
  /** Clause id → `file:line`; undefined where there are no tests. */
  tests: ReadonlyMap<string, string[]> | undefined;
  laws: ReadonlyMap<string, string[]>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url)); // the same from src and from dist

/** A row of a test table: a line that begins with a clause's id. Ids further on in a line are values. */
const ROW = /^\s*["'](§[^"']+)["']\s*[:,]/g;
const QUOTED_ID = /["'`](§[^"'`]+)["'`]/g;

/** Reads the tests in `root`, and the laws of `verify`: their source, or what the package contains of it. */
export function readClauseReferences(root: string = ROOT): ClauseReferences {
  const tests = join(root, "test"); // the package contains only its documents and the example front-end
  const laws = ["src/verify", "dist/verify"].map((folder) => join(ROOT, folder)).find(existsSync);
  return {
    tests: existsSync(join(tests, "contract"))
      ? search(root, { folder: tests, files: /\.test\.ts$/, pattern: ROW })
      : undefined,
    laws: laws ? search(ROOT, { folder: laws, files: /(?<!\.d)\.[jt]s$/, pattern: QUOTED_ID }) : new Map(),
  };
}

/** Clause id → the lines of the files whose code has it. */
function search(root: string, scope: { folder: string; files: RegExp; pattern: RegExp }): Map<string, string[]> {
  const { folder, files, pattern } = scope;
  const references = new Map<string, string[]>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!files.test(entry)) continue;
    const lines = readFileSync(join(folder, entry), "utf8").split("\n");
    for (const [index, line] of lines.entries()) {
      if (/^\s*(\/\/|\*)/.test(line)) continue;
      for (const [, id = ""] of line.matchAll(pattern)) {
        const reference = `${relative(root, join(folder, entry))}:${index + 1}`;
        references.set(id, [...(references.get(id) ?? []), reference]);
      }
    }
  }
  return references;
}
