// The trace is read from the tests' text; here that text is held against the tests as they are run.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readCitations } from "../../src/review/citations.js";
import { CLAUSES } from "../../src/review/clauses.js";
import { ROOT, runToEnd } from "../support/command.js";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // contracts are loaded, linted and served by the dozen

describe("the trace", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "trace-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("what it cites are tests that run: one for each clause", async () => {
    // With `=`: a path that follows --json alone is the file that vitest writes to.
    const report = join(folder, "tests.json");
    await runToEnd("npx", ["vitest", "list", `--json=${report}`, "clauses.test.ts"]);
    const tests = JSON.parse(await readFile(report, "utf8")) as { name: string }[];
    const run = tests.map(({ name }) => name.split(" > ").at(-1) ?? "").filter((name) => name.startsWith("§"));
    const { tests: cited } = readCitations(ROOT);
    const named = Object.keys(CLAUSES).filter((id) =>
      cited?.get(id).some((place) => place.startsWith("test/contract/clauses")),
    );
    expect(named.toSorted()).toEqual(run.toSorted());
    expect(named).toHaveLength(Object.keys(CLAUSES).length);
  });
});
