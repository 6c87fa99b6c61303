// What the bench makes of a report: the bars it meets and misses, and its tables. That it measures is in bench.full.test.ts.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/command.js";
import { judge } from "./bars.js";
import { BEGIN, placeBetweenMarks, toMarkdown } from "./report/markdown.js";
import type { Report } from "./report.js";

const here = (name: string) => readFile(join(ROOT, "test/bench", name), "utf8");

describe("bench › the committed results", () => {
  test("the README's tables are those of results.json", async () => {
    const report: Report = JSON.parse(await here("results.json"));
    const readme = await here("README.md");
    expect(readme).toContain(BEGIN);
    expect(readme).toBe(placeBetweenMarks(readme, toMarkdown(report)));
  });
});

describe("bench › the bars", () => {
  const rowsOf = ({ comparisons }: Report) => comparisons.flatMap(({ rows }) => rows);

  test.each([
    ["a slow server misses every ratio to another server", 1, true],
    ["a fast one misses none", 1_000_000, false],
  ])("%s", async (_title, rate, isFarOff) => {
    const report: Report = JSON.parse(await here("results.json"));
    for (const { perSecond, p50Ms } of rowsOf(report).filter(({ server }) => server.startsWith("this "))) {
      perSecond.values = perSecond.values.map(() => rate);
      p50Ms.values = p50Ms.values.map(() => 1);
    }
    const ratios = judge(report).filter((verdict) => verdict.isRatio && !verdict.bar.startsWith("growth"));
    expect(ratios.length).toBeGreaterThan(3);
    expect(ratios.filter((verdict) => verdict.isFarOff !== isFarOff)).toEqual([]);
  });

  test("what should have been measured and was not is missing", async () => {
    const report: Report = JSON.parse(await here("results.json"));
    const missing = (comparisons: Report["comparisons"]) =>
      judge({ ...report, comparisons }).flatMap(({ bar, isMissing }) => (isMissing ? [bar] : []));
    expect(missing(report.comparisons)).toEqual([]);
    const withoutPrism = report.comparisons.map((comparison) => {
      return { ...comparison, rows: comparison.rows.filter(({ server }) => server !== "Prism") };
    });
    expect(missing(withoutPrism)).toEqual([
      "list 10 of the most records, to Prism",
      "the mock, to Prism",
      "the same, to Prism",
    ]);
  });
});
