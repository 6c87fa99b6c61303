// A run on tiny data yields every figure that a report needs, and judges each bar. Speed is not tested.
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, runToEnd } from "../support/command.js";
import { isWeekly } from "../support/sizes.js";

test.runIf(isWeekly)(
  "bench › a short run on tiny data › a whole report, all responses 2xx",
  { timeout: 600_000 },
  async () => {
    const compiler = join(ROOT, "node_modules/typescript-7/bin/tsc");
    expect(await runToEnd(process.execPath, [compiler, "-p", "test/bench"])).toEqual({ code: 0, output: "" });
    const { code, output } = await runToEnd(process.execPath, [join(ROOT, ".bench/bench/bench.js"), "--tiny"]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("### update") });
    for (const server of ["Express", "Prism", "this mock", "this server, in memory", "this server, 90"])
      expect(output).toMatch(
        new RegExp(`^\\| ${server} \\| [\\d,.]+ \\| [\\d.]+ × \\| [\\d,.]+ ms \\| [\\d,.]+ µs \\| 0 \\|$`, "m"),
      );

    const verdicts = [...output.matchAll(/^\| [^|]+ \| [≥≤] [^|]+ \| [^|]+ \| ([\w ]+) \|/gm)].map(
      ([, verdict]) => verdict,
    );
    expect(verdicts).toHaveLength(24);
    // Each bar was measured.
    expect(verdicts.filter((verdict) => verdict !== "met" && verdict !== "missed")).toEqual([]);
  },
);
