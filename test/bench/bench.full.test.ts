// A run on tiny data yields every figure that a report needs, and judges each bar. Speed is not tested.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ROOT, runToEnd } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { BEGIN, END } from "./report.js";

beforeAll(async () => {
  const compiler = join(ROOT, "node_modules/typescript-7/bin/tsc");
  expect(await runToEnd(process.execPath, [compiler, "-p", "test/bench"])).toEqual({ code: 0, output: "" });
});

const bench = (...args: string[]) => runToEnd(process.execPath, [join(ROOT, ".bench/bench/bench.js"), ...args]);

test("bench › a short run on tiny data › a whole report, all responses 2xx", { timeout: 600_000 }, async () => {
  const file = join(await createTemporaryFolder(), "README.md");
  await writeFile(file, `# Bench\n\n${BEGIN}\n${END}\n\nafter\n`);
  const { code, output } = await bench("--tiny", "--save", file);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("### update") });
  for (const server of ["Express", "Prism", "this mock", "this server, 90"])
    expect(output).toMatch(new RegExp(`^\\| ${server} \\| [\\d,.]+ \\| [\\d.]+ × \\| [\\d,.]+ ms \\| 0 \\|$`, "m"));

  const text = await readFile(file, "utf8");
  const verdicts = [...text.matchAll(/^\| [^|]+ \| [≥≤] [^|]+ \| [^|]+ \| ([\w ]+) \|/gm)].map(
    ([, verdict]) => verdict,
  );
  expect(verdicts).toHaveLength(19);
  expect(verdicts.filter((verdict) => verdict !== "met" && verdict !== "missed")).toEqual([]); // each bar was measured
  expect(text.endsWith(`${END}\n\nafter\n`)).toBe(true);
});
