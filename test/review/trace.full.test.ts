// The trace is read from the source text of the tests; this compares it with the tests that run.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLAUSES } from "../../src/review/clauses.js";
import { readClauseReferences } from "../../src/review/trace.js";
import { ROOT, runToEnd } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

test("the trace refers to tests that run: one for each clause", async () => {
  // With `=`: a path that follows --json alone is the file that vitest writes to.
  const report = join(await createTemporaryFolder(), "tests.json");
  await runToEnd("npx", ["vitest", "list", `--json=${report}`, "clauses.test.ts"]);
  const tests = JSON.parse(await readFile(report, "utf8")) as { name: string }[];
  const run = tests.map(({ name }) => name.split(" > ").at(-1) ?? "").filter((name) => name.startsWith("§"));
  const { tests: references } = readClauseReferences(ROOT);
  const named = Object.keys(CLAUSES).filter((id) =>
    references?.get(id)?.some((place) => place.startsWith("test/contract/clauses")),
  );
  expect(named.toSorted()).toEqual(run.toSorted());
  expect(named).toHaveLength(Object.keys(CLAUSES).length);
});
