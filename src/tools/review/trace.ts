// The trace: for each clause of the document, the places of the contract that state it, the decisions about it, and the
// tests and laws that check it. Their lines are read from the source text, so that the trace names
// only what exists.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { walkContract } from "../../contract/walk-contract.js";
import { toClauseId, toClauseTitles } from "../../pages/docs/source-document.js";

export interface ClauseTrace {
  id: string;
  summary: string;
  places: { name: string; line: number }[];
  decisions: string[];
  /** `test/contract/clauses.test.ts:231`; undefined where the tests are absent, as in the packed package. */
  tests: string[] | undefined;
  /** The laws of the `verify` suite, which names sections. */
  laws: string[];
}

/** A place that names clauses or decisions. */
interface Place {
  pointer: Pointer;
  clauses: unknown[];
  decisions: unknown[];
}

export function traceClauses({ document, file }: Contract, references: ClauseReferences): ClauseTrace[] {
  const places = [...walkContract(document)].map(({ pointer, value }): Place => {
    const { "x-source": clauses = [], "x-decision": decisions = [] } = value;
    return { pointer, clauses: [clauses].flat(), decisions: [decisions].flat() };
  });
  return Object.entries(toClauseTitles()).map(([id, summary]) => {
    const own = places.filter(({ clauses }) => clauses.includes(id));
    const decisions = Object.entries(document["x-decisions"])
      .filter(([, { clause }]) => [clause].flat().includes(id))
      .map(([decision]) => decision);
    // Questions that the document leaves open have no source: the decisions about them lead to the places.
    const decided = places.filter((place) => decisions.some((decision) => place.decisions.includes(decision)));
    const nearest = own.length > 0 ? own : decided;
    return {
      ...{ id, summary, decisions },
      places: nearest.map(({ pointer }) => ({ name: nameOf(pointer), line: file.lineOf(pointer) })),
      tests: references.tests && (references.tests.get(id) ?? []),
      laws: references.laws.get(id) ?? [],
    };
  });
}

/** The gap in a clause's trace, as what is said of the clause; undefined if it is complete. */
export function findGap({ places, tests, laws }: ClauseTrace): string | undefined {
  if (places.length === 0) return "has no place in the contract";
  if (tests?.length === 0) return `has no test${laws.length > 0 ? " of its own" : ""}`;
  return undefined;
}

/** A place without the containers that all places share: `ChannelPreferences › email`. */
function nameOf(pointer: Pointer): string {
  return pointer.filter((part) => !/^(components|schemas|properties|paths)$/.test(String(part))).join(" › ");
}

/** The lines of the tests and of the laws of `verify` that name a clause. */
export interface ClauseReferences {
  /** Clause id → `file:line`; undefined where there are no tests. */
  tests: ReadonlyMap<string, string[]> | undefined;
  laws: ReadonlyMap<string, string[]>;
}

const ROOT = fileURLToPath(new URL("../../../", import.meta.url)); // the same from src and from dist

/** A row of a test table: a line that begins with a clause, or one of its rows (`§4.2 limit`). Ids further on in a line are values. */
const ROW = /^\s*["'](§[^"']+)["']\s*[:,]/g;
const QUOTED_ID = /["'`](§[^"'`]+)["'`]/g;

/** Reads the tests in `root`, and the laws of `verify`: their source, or what the package contains of it. */
export function readClauseReferences(root: string = ROOT): ClauseReferences {
  const tests = join(root, "test"); // the package contains only its documents and the example front-end
  const laws = ["src/tools/verify", "dist/tools/verify"].map((folder) => join(ROOT, folder)).find(existsSync);
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
        const clause = toClauseId(id);
        references.set(clause, [...(references.get(clause) ?? []), reference]);
      }
    }
  }
  return references;
}
