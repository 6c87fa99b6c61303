// The lines of the tests and of the laws of `verify` that name a clause. They are read from the source text, so that the
// trace names only what exists. (clauses.test.ts does not compile without a row for each clause.)
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

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
