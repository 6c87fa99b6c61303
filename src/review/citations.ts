// Where clauses are named in the tests and in the laws of `verify`: read from their text, so that the trace cannot say
// what is not there. (clauses.test.ts has a row for each clause, or it does not compile.)
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export interface Citations {
  /** Clause id → `file:line`, each at a quoted id; undefined where there are no tests. */
  tests: { get(id: string): string[] } | undefined;
  laws: Map<string, string[]>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url)); // the same from src and from dist

/** A row of a test table: a line that begins with a clause's id. Ids within a line are values, and show nothing. */
const ROW = /^\s*["'](§[^"']+)["']\s*[:,]/g;
const CITATION = /["'`](§[^"'`]+)["'`]/g;

/** Reads the tests in `root`, and the laws of `verify`: their source, or what the package has of it. */
export function readCitations(root: string = ROOT): Citations {
  const tests = join(root, "test");
  const laws = ["src/verify", "dist/verify"].map((folder) => join(ROOT, folder)).find(existsSync);
  const found = existsSync(tests)
    ? findCitations(root, { folder: tests, files: /\.test\.ts$/, pattern: ROW })
    : undefined;
  return {
    tests: found && { get: (id) => found.get(id) ?? [] },
    laws: laws ? findCitations(ROOT, { folder: laws, files: /(?<!\.d)\.[jt]s$/, pattern: CITATION }) : new Map(),
  };
}

interface Where {
  folder: string;
  files: RegExp;
  pattern: RegExp;
}

function findCitations(root: string, { folder, files, pattern }: Where): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!files.test(entry)) continue;
    const lines = readFileSync(join(folder, entry), "utf8").split("\n");
    for (const [index, line] of lines.entries()) {
      if (/^\s*(\/\/|\*)/.test(line)) continue;
      for (const [, id = ""] of line.matchAll(pattern)) {
        const place = `${relative(root, join(folder, entry))}:${index + 1}`;
        found.set(id, [...(found.get(id) ?? []), place]);
      }
    }
  }
  return found;
}
