// SECURITY.md says what the code has: its limits are those of the code, and what it links to and runs is there.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS } from "../../src/http/limits.js";
import { ROOT } from "../support/command.js";

const PAGE = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
const [, ...TOLD] = [...PAGE.matchAll(/^\| [^|]+ \| ([^|]+?) \|/gm)].map(([, limit]) => limit); // without the head

test("its limits are those of the code", () => {
  const { checkMs: _, ...limits } = LIMITS;
  const limitsOfCode = {
    headBytes: `${limits.headBytes / 1024} KiB`,
    bodyBytes: `${limits.bodyBytes.toLocaleString("en")} bytes`,
    seedBytes: `${limits.seedBytes / 1024 ** 2} MiB`,
    seedValues: limits.seedValues.toLocaleString("en"),
    bodyDepth: `${limits.bodyDepth} levels`,
    headMs: `${limits.headMs / 1000} s`,
    requestMs: `${limits.requestMs / 1000} s`,
    keepAliveMs: `${limits.keepAliveMs / 1000} s`,
    silenceMs: `${limits.silenceMs / 1000} s`,
    connections: limits.connections.toLocaleString("en"),
  } satisfies Record<keyof typeof limits, string>;
  expect(TOLD).toEqual([...Object.values(limitsOfCode), "none"]);
});

test("its links and commands lead somewhere, and the README leads to it", () => {
  for (const [, target = ""] of PAGE.matchAll(/\]\(([^)]+)\)/g))
    expect(existsSync(join(ROOT, target)), target).toBe(true);
  const suites = [...PAGE.matchAll(/vitest run ([\w/]+)/g)].map(([, path = ""]) => path);
  expect(suites.length).toBeGreaterThan(0);
  for (const path of suites) expect(existsSync(join(ROOT, path)), path).toBe(true);
  expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain("(SECURITY.md)");
});
