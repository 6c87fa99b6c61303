// The bench itself: a run on tiny data has every figure that a report needs. How large they are is not looked at. What is made
// of a report is in bench.test.ts.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ROOT, runToEnd } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import type { Row } from "./compare.js";
import { placeBetweenMarks, type Report, toMarkdown } from "./report.js";

beforeAll(async () => {
  const compiler = join(ROOT, "node_modules/typescript-7/bin/tsc");
  const { code, output } = await runToEnd(process.execPath, [compiler, "-p", "test/bench"]);
  expect(output).toBe("");
  expect(code).toBe(0);
});

const bench = (...args: string[]) => runToEnd(process.execPath, [join(ROOT, ".bench/bench/bench.js"), ...args]);

test("bench › a short run on tiny data › a whole report, all responses 2xx", { timeout: 600_000 }, async () => {
  const folder = join(await createTemporaryFolder(), "new");
  const { code, output } = await bench("--tiny", "--save", folder);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("Bars") });

  const report: Report = JSON.parse(await readFile(join(folder, "results.json"), "utf8"));
  const titles = report.comparisons.map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(["nothing", "channels", "update"]));
  const main = report.comparisons.find(({ title }) => title === "channels");
  const servers = ["Express", "Prism", "this mock", "this server, 90"];
  expect(main?.rows.map(({ server }) => server)).toEqual(expect.arrayContaining(servers));
  for (const row of report.comparisons.flatMap(({ rows }) => rows)) expectWhole(row);

  expect(report.measurements.filter(({ value }) => value === undefined)).toEqual([]);
  const sections = new Set(report.measurements.map(({ section }) => section));
  expect([...sections]).toEqual(["list", "start", "memory", "environment", "compaction", "commands"]);

  const text = await readFile(join(folder, "README.md"), "utf8");
  expect(text).toContain("| bar |");
  expect(placeBetweenMarks(text, toMarkdown(report))).toBe(text); // another run replaces them
});

function expectWhole({ perSecond, p50Ms, p99Ms, bytes, failures }: Row): void {
  expect(failures).toBe(0);
  expect(bytes).toBeGreaterThan(0);
  for (const { median, least, most, values } of [perSecond, p50Ms, p99Ms]) {
    expect(values).toHaveLength(1);
    expect([least, most]).toEqual([Math.min(...values), Math.max(...values)]);
    expect(values).toContain(median);
    expect(least).toBeGreaterThan(0);
  }
}

test("an unknown section exits with 2", async () => {
  expect(await bench("--only", "lists")).toEqual({
    code: 2,
    output: expect.stringMatching(/Allowed choices are list,/),
  });
});
