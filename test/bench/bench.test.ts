// What the bench makes of a report: the bars it meets and misses, and its tables. That it measures is in bench.full.test.ts.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/command.js";
import { judge } from "./bars.js";
import { placeBetweenMarks, type Report, toMarkdown } from "./report.js";

const here = (name: string) => readFile(join(ROOT, "test/bench", name), "utf8");

test("bench › the README's tables are those of results.json", async () => {
  const report: Report = JSON.parse(await here("results.json"));
  const readme = await here("README.md");
  expect(readme).toBe(placeBetweenMarks(readme, toMarkdown(report)));
});

describe("bench › the bars", () => {
  const isRatio = ({ wanted }: { wanted: string }) => wanted.endsWith("×");

  test.each([
    ["a slow server misses every ratio to another server", 1, "missed"],
    ["a fast one misses none", 1_000_000, "met"],
  ])("%s", async (_title, rate, outcome) => {
    const report: Report = JSON.parse(await here("results.json"));
    const rows = report.comparisons.flatMap((comparison) => comparison.rows);
    for (const { perSecond, p50Ms } of rows.filter(({ server }) => server.startsWith("this "))) {
      perSecond.values = perSecond.values.map(() => rate);
      p50Ms.values = p50Ms.values.map(() => 1);
    }
    const ratios = judge(report).filter((verdict) => isRatio(verdict) && !verdict.title.startsWith("growth"));
    expect(ratios.map((ratio) => ratio.outcome)).toEqual(Array(7).fill(outcome));
  });

  test("a ratio to a server that did not run is not measured", async () => {
    const report: Report = JSON.parse(await here("results.json"));
    const comparisons = report.comparisons.map((comparison) => {
      return { ...comparison, rows: comparison.rows.filter(({ server }) => server !== "Prism") };
    });
    const missing = judge({ ...report, comparisons }).filter(
      (verdict) => isRatio(verdict) && verdict.outcome === "not measured",
    );
    expect(missing.map(({ title }) => title)).toEqual([
      "list 10 of 10,000 records, to Prism",
      "the mock, to Prism",
      "the same, to Prism",
    ]);
  });
});
