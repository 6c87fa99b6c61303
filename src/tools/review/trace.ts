// The trace: for each clause of the document, the places of the contract that state it, the decisions about it, and the
// tests that check it. Their lines are read from the source text, so that the trace names only what exists.
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
}

/** A place that names clauses or decisions. */
interface Place {
  pointer: Pointer;
  clauses: unknown[];
  decisions: unknown[];
}

export function traceClauses({ document, file }: Contract, references: ClauseReferences | undefined): ClauseTrace[] {
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
      tests: references && (references.get(id) ?? []),
    };
  });
}

/** The gap in a clause's trace, as what is said of the clause; undefined if it is complete. */
export function findGap({ places, tests }: ClauseTrace): string | undefined {
  if (places.length === 0) return "has no place in the contract";
  return tests?.length === 0 ? "has no test" : undefined;
}

/** A place without the containers that all places share: `ChannelPreferences › email`. */
function nameOf(pointer: Pointer): string {
  return pointer.filter((part) => !/^(components|schemas|properties|paths)$/.test(String(part))).join(" › ");
}

/** Clause id → `file:line` of the tests that name it. */
type ClauseReferences = ReadonlyMap<string, string[]>;

const ROOT = fileURLToPath(new URL("../../../", import.meta.url)); // the same from src and from dist

/** A row of a test table: a line that begins with a clause, or one of its rows (`§4.2 limit`). Ids further on in a line are values. */
const ROW = /^\s*["'](§[^"']+)["']\s*[:,]/;

/** Reads the tests in `root`; undefined where there are none: the package contains only documents and an example there. */
export function readClauseReferences(root: string = ROOT): ClauseReferences | undefined {
  const folder = join(root, "test");
  if (!existsSync(join(folder, "contract"))) return undefined;
  const references = new Map<string, string[]>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!entry.endsWith(".test.ts")) continue;
    for (const [index, line] of readFileSync(join(folder, entry), "utf8").split("\n").entries()) {
      const [, id] = ROW.exec(line) ?? [];
      if (id === undefined) continue;
      const clause = toClauseId(id);
      const reference = `${relative(root, join(folder, entry))}:${index + 1}`;
      references.set(clause, [...(references.get(clause) ?? []), reference]);
    }
  }
  return references;
}
