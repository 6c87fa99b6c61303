// The trace: for each clause of the document, the places of the contract that state it, the decisions about it, and the
// tests that check it, as found in their source text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract } from "../../contract/contract.js";
import { toList } from "../../contract/lists.js";
import { walkContract } from "../../contract/walk-contract.js";
import { CLAUSE_TITLES, clauseIdOf } from "../../pages/shell/source-document.js";

export interface ClauseTrace {
  id: string;
  summary: string;
  places: { name: string; line: number }[];
  decisions: string[];
  /** `test/contract/clauses.test.ts:231`; undefined without tests, as in the published package. */
  tests: string[] | undefined;
}

export function traceClauses(contract: Contract, references: ClauseReferences | undefined): ClauseTrace[] {
  const { document, file } = contract;
  const places = [...walkContract(contract)].map(({ pointer, value }) => {
    const { "x-source": clauses, "x-decision": decisions } = value;
    return { pointer, clauses: toList(clauses), decisions: toList(decisions) };
  });
  return Object.entries(CLAUSE_TITLES).map(([id, summary]) => {
    const own = places.filter(({ clauses }) => clauses.includes(id));
    const decisions = Object.entries(document["x-decisions"])
      .filter(([, { clause }]) => toList(clause).includes(id))
      .map(([decision]) => decision);
    // Places about open questions have no source, only decisions.
    const decided = places.filter((place) => decisions.some((decision) => place.decisions.includes(decision)));
    const nearest = own.length > 0 ? own : decided;
    return {
      id,
      summary,
      decisions,
      places: nearest.map(({ pointer }) => {
        const name = pointer.filter((part) => !SHARED.test(String(part))).join(" › ");
        return { name, line: file.lineOf(pointer) };
      }),
      tests: references && (references.get(id) ?? []),
    };
  });
}

/** The gap in a clause's trace, as a predicate of the clause; undefined if it is complete. */
export function findGap({ places, tests }: ClauseTrace): string | undefined {
  if (places.length === 0) return "has no place in the contract";
  return tests?.length === 0 ? "has no test" : undefined;
}

/** Left out of the names of places: `ChannelPreferences › email`. */
const SHARED = /^(components|schemas|properties|paths)$/;

/** Clause id → `file:line` of the tests that name it. */
type ClauseReferences = ReadonlyMap<string, string[]>;

const ROOT = fileURLToPath(new URL("../../../", import.meta.url)); // the same from src and from dist

/** A row of a test table begins with a clause, maybe with words (`§4.2 limit`). Ids further on in a line are values. */
const ROW = /^\s*["'](§[^"']+)["']\s*[:,]/;

/** Reads the tests in `root`; undefined if there are none, as in the published package. */
export function readClauseReferences(root: string = ROOT): ClauseReferences | undefined {
  const folder = join(root, "test");
  if (!existsSync(join(folder, "contract"))) return undefined;
  const references = new Map<string, string[]>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!entry.endsWith(".test.ts")) continue;
    for (const [index, line] of readFileSync(join(folder, entry), "utf8").split("\n").entries()) {
      const [, id] = ROW.exec(line) ?? [];
      if (id === undefined) continue;
      const clause = clauseIdOf(id);
      const reference = `${relative(root, join(folder, entry))}:${index + 1}`;
      references.set(clause, [...(references.get(clause) ?? []), reference]);
    }
  }
  return references;
}
