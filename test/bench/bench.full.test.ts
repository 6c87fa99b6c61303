// The bench itself: a run on tiny data has every figure that a report needs. How large they are is not looked at. What is made
// of a report is in bench.test.ts.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT, runToEnd } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import type { Row } from "./compare.js";
import { BEGIN, END } from "./report/markdown.js";
import type { Report } from "./report.js";

const TINY = "--sizes 60,120 --connections 32 --rounds 1 --seconds 0.05 --repeats 1".split(" ");

beforeAll(async () => {
  await buildIfStale();
  const compiler = join(ROOT, "node_modules/typescript-7/bin/tsc");
  const { code, output } = await runToEnd(process.execPath, [compiler, "-p", "test/bench"]);
  expect(output).toBe("");
  expect(code).toBe(0);
});

const bench = (...args: string[]) => runToEnd(process.execPath, [join(ROOT, ".bench/bench/bench.js"), ...args]);

test("bench › a short run on tiny data › a whole report, all responses 2xx", { timeout: 600_000 }, async () => {
  const folder = await createTemporaryFolder();
  await writeFile(join(folder, "README.md"), `before\n${BEGIN}\nold\n${END}\nafter\n`);
  const { code, output } = await bench(...TINY, "--save", folder);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("Bars") });

  const report: Report = JSON.parse(await readFile(join(folder, "results.json"), "utf8"));
  const filters = [
    "nothing",
    "channels",
    "templates",
    "emails",
    "search",
    "subscriberIds",
    "transactionId",
    "topicKey",
  ];
  const titles = report.comparisons.map(({ title, connections }) => `${title} ${connections}`);
  for (const filter of [...filters, "after, before", "no match", "subscriberIds, ever new"])
    expect(titles).toContain(`${filter} 32`);
  for (const update of ["update", "update with a key"]) expect(titles).toContain(`${update} 32`);
  const main = report.comparisons.find(({ title }) => title === "channels");
  const servers = ["Express", "Express + EOV", "Prism", "this mock", "this server, 60", "this server, 120"];
  expect(main?.rows.map(({ server }) => server)).toEqual(expect.arrayContaining(servers));
  for (const row of report.comparisons.flatMap(({ rows }) => rows)) expectWhole(row);

  expect(report.measurements.filter(({ value, note }) => value === undefined && note === undefined)).toEqual([]);
  const sections = new Set(report.measurements.map(({ section }) => section));
  expect([...sections]).toEqual(["list", "start", "memory", "environment", "compaction"]);

  const text = await readFile(join(folder, "README.md"), "utf8");
  expect(text).toMatch(/^before\n[\s\S]*\| bar \|[\s\S]*after\n$/);
  expect(text).not.toContain("old");
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

describe("bench › its exit codes", () => {
  const here = (name: string) => readFile(join(ROOT, "test/bench", name), "utf8");

  test("a check of a report in which this server is slow", async () => {
    const folder = await createTemporaryFolder();
    const report: Report = JSON.parse(await here("results.json"));
    const rows = report.comparisons.flatMap((comparison) => comparison.rows);
    for (const { perSecond } of rows.filter(({ server }) => server.startsWith("this ")))
      perSecond.values = perSecond.values.map(() => 1);
    await writeFile(join(folder, "report.json"), JSON.stringify(report));
    const missed = /^missed: update, durable, to bare Express with the same bytes: 0\.00 ×/m;
    const check = await bench("--from", join(folder, "report.json"), "--check");
    expect(check).toEqual({ code: 1, output: expect.stringMatching(missed) });
  });

  test("a check of a report without comparisons", async () => {
    const folder = await createTemporaryFolder();
    const report: Report = JSON.parse(await here("results.json"));
    const settings = { ...report.settings, sections: ["start"] };
    await writeFile(join(folder, "report.json"), JSON.stringify({ ...report, comparisons: [], settings }));
    const check = await bench("--from", join(folder, "report.json"), "--check");
    expect(check).toEqual({ code: 1, output: expect.stringContaining("nothing to check") });
  });

  test.each([
    ["an unknown section", ["--only", "lists"], /There is no lists/],
    ["a size that is none", ["--sizes", "0"], /whole numbers/],
  ])("%s › 2", async (_title, args, message) => {
    expect(await bench(...args)).toEqual({ code: 2, output: expect.stringMatching(message) });
  });
});
