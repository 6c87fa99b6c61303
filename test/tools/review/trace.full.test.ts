// The trace is read from the source text of the tests; this compares it with the tests that run.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLAUSE_TITLES, clauseIdOf } from "../../../src/pages/shell/source-document.js";
import { readClauseReferences } from "../../../src/tools/review/trace.js";
import { ROOT, runToEnd } from "../../support/command.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

test("the trace refers to tests that run: one for each clause", async () => {
  // With `=`: a path that follows --json alone is the file that vitest writes to.
  const report = join(await createTemporaryFolder(), "tests.json");
  await runToEnd("npx", ["vitest", "list", `--json=${report}`, "clauses.test.ts"]);
  const tests = JSON.parse(await readFile(report, "utf8")) as { name: string }[];
  const run = tests.map(({ name }) => name.split(" > ").at(-1) ?? "").filter((name) => name.startsWith("§"));
  const references = readClauseReferences(ROOT);
  const isRow = (place: string) => place.startsWith("test/contract/clauses");
  for (const id of Object.keys(CLAUSE_TITLES)) {
    const own = run.filter((name) => clauseIdOf(name) === id);
    expect([id, references?.get(id)?.filter(isRow).length]).toEqual([id, own.length]);
    expect(own, id).not.toEqual([]);
  }
});
