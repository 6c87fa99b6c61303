// The command that generates seeds, as `npm run seed` runs it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import type { Seed } from "../../src/domain/state.js";
import { DEMO_OPTIONS, generateSeed } from "../../src/seed/generate-seed.js";
import { toEnvironmentText } from "../../src/store/format/environment-text.js";
import { toSeed } from "../../src/store/seeds/seed.js";
import { ROOT, runToEnd } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const contract = await loadContract();
beforeAll(buildIfStale, 60_000);

const seed = (...args: string[]) => runToEnd(process.execPath, [join(ROOT, "dist/seed/main.js"), ...args]);

describe("the seed generator", () => {
  test("generates the committed demo seed byte for byte, on standard output and in a file", async () => {
    const out = join(await createTemporaryFolder(), "seed.json");
    const committed = await readFile(join(ROOT, "data/seeds/demo.json"), "utf8");
    expect(await seed("--out", out)).toEqual({ code: 0, output: "" });
    expect((await readFile(out, "utf8")) === committed).toBe(true);
    expect((await seed()).output === committed).toBe(true);
  });

  test("--brief › the same notifications without the members that lists do not need, valid by the contract", async () => {
    const counts = { ...DEMO_OPTIONS, subscribers: 40, notifications: 400 };
    const [brief, full] = [generateSeed({ ...counts, brief: true }), generateSeed(counts)];
    expect(() => toSeed(Buffer.from(toEnvironmentText(brief)), "brief.json", contract)).not.toThrow();
    const listed = ({ notifications }: Seed) =>
      notifications.map(({ _id, _subscriberId, _templateId, transactionId, createdAt, channels, topics }) => {
        return { _id, _subscriberId, _templateId, transactionId, createdAt, channels, topics };
      });
    expect(listed(brief)).toEqual(listed(full));
    expect({ ...brief, notifications: [] }).toEqual({ ...full, notifications: [] });
    const lengthOf = ({ notifications }: Seed) => toEnvironmentText(notifications).length;
    expect(lengthOf(brief)).toBeLessThan(lengthOf(full) / 4);
    for (const notification of brief.notifications) expect(Object.keys(notification)).not.toContain("jobs");
  });

  test("what old clients cannot parse is in no seed, unless --throttle asks for it (D-75)", () => {
    const jobsOf = ({ notifications }: Seed) => notifications.flatMap(({ jobs = [] }) => jobs);
    const [demo, throttling] = [generateSeed(DEMO_OPTIONS), generateSeed({ ...DEMO_OPTIONS, throttle: true })];
    for (const { providerId, executionDetails } of jobsOf(demo)) {
      expect(executionDetails.map((detail) => detail.providerId)).toEqual(executionDetails.map(() => providerId));
    }
    expect(JSON.stringify(demo)).not.toContain("throttle");
    expect(JSON.stringify(throttling).replaceAll('"throttle"', '"custom"')).toBe(JSON.stringify(demo));
    expect(jobsOf(throttling).filter(({ type }) => type === "throttle")).toHaveLength(5);
  });

  test.each([
    ["too many full notifications", { notifications: 100_001 }, /More than 100000 notifications.*add --brief/],
    ["too many records", { subscribers: 600_000, notifications: 900_001, brief: true }, /at most 1500000/],
    ["no recipient", { subscribers: 0, notifications: 1 }, /at least one subscriber/],
  ])("%s › an error with a hint", (_title, options, message) => {
    expect(() => generateSeed({ ...DEMO_OPTIONS, ...options })).toThrow(message);
  });

  test.each([
    ["a count that is no number", ["--notifications", "many"], /It must be a whole number/],
    ["contradicting options", ["--subscribers", "0"], /at least one subscriber/],
    ["a file that cannot be written", ["--out", "/"], /Give --out a file that can be written/],
  ])("%s › exits with 2, with a hint", async (_title, args, message) => {
    expect(await seed(...args)).toEqual({ code: 2, output: expect.stringMatching(message) });
  });

  test("a reader that closes the pipe before the end › exits with 0", async () => {
    const command = `set -o pipefail; "${process.execPath}" "${join(ROOT, "dist/seed/main.js")}" | head -1`;
    expect(await runToEnd("bash", ["-c", command])).toEqual({ code: 0, output: "{\n" });
  });
});
