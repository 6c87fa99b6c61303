// The limits in docs/operations.md are those of the code, and the commands in it exist. SECURITY.md points there.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS } from "../../src/core/request/limits.js";
import { ROOT } from "../support/command.js";
import { readDocument } from "../support/documents.js";

const PAGE = readDocument("docs/operations.md");
const section = PAGE.split(/^## /m).find((text) => text.startsWith("Limits\n")) ?? "";
// The first row is the head of the table.
const [, ...documented] = [...section.matchAll(/^\| [^|]+ \| ([^|]+?) \|/gm)].map(([, limit]) => limit);

test("the documented limits are those of the code", () => {
  const { checkMs: _, ...limits } = LIMITS;
  const limitsOfCode = {
    headBytes: `${limits.headBytes / 1024} KiB`,
    bodyBytes: `${limits.bodyBytes.toLocaleString("en")} bytes`,
    seedBytes: `${limits.seedBytes / 1024 ** 2} MiB`,
    bodyDepth: `${limits.bodyDepth} levels`,
    headMs: `${limits.headMs / 1000} s`,
    requestMs: `${limits.requestMs / 1000} s`,
    keepAliveMs: `${limits.keepAliveMs / 1000} s`,
    silenceMs: `${limits.silenceMs / 1000} s`,
    waitingRequests: String(limits.waitingRequests),
    connections: limits.connections.toLocaleString("en"),
  } satisfies Record<keyof typeof limits, string>;
  expect(documented).toEqual([...Object.values(limitsOfCode), "none"]);
});

test("the tests that it lists exist", () => {
  const suites = [...PAGE.matchAll(/(?:vitest run |`)(test\/[\w/-]+)/g)].map(([, path = ""]) => path);
  expect(suites.length).toBeGreaterThan(12);
  for (const path of suites) {
    const isThere = ["", ".test.ts", ".full.test.ts"].some((end) => existsSync(join(ROOT, `${path}${end}`)));
    expect(isThere, path).toBe(true);
  }
});

test("SECURITY.md links to it, and the README to SECURITY.md", () => {
  const security = readDocument("SECURITY.md");
  expect(security).toContain("(docs/operations.md#security)");
  expect(security).toContain("(docs/operations.md#limits)");
  expect(readDocument("README.md")).toContain("(SECURITY.md)");
});
