// Patterns that one text could stop a server with.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { analysePatterns } from "../../src/contract/find-slow-patterns.js";
import { guardPattern, slowPatternOf } from "../../src/contract/slow-patterns.js";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/proposals/start-server.js";
import { startProxy } from "../../src/tools/proxy/proxy-server.js";
import { DOCUMENT } from "../support/edited-contract.js";
import { findFreePort } from "../support/listen.js";
import { createLogLines } from "../support/log-lines.js";
import { sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

type Row = [pattern: string, time: string | undefined, attack: string, examples: string[]];

const MANY = 50_000;
const ROWS: Row[] = [
  ["^(a+)+$", "exponential", `${"a".repeat(MANY)}!`, ["", "a", "aaaa", "ab", "aaaaaaaaaaaaaaaa"]],
  ["((a+)+)+$", "exponential", `${"a".repeat(MANY)}!`, ["", "a", "ba", "ab"]],
  ["(x+x+)+y", "exponential", "x".repeat(MANY), ["xxy", "xy", "axxyb"]],
  ["^.*.*.*=$", "polynomial", "=".repeat(MANY), ["=", "a=b=", "a", "==", "="]],
  ["\\s+$", "quadratic", `${" ".repeat(MANY)}x`, ["a ", " a", "\n"]],
  ["^(?<year>\\d+)(a|b\\d)*\\d*\\k<year>$", "quadratic", "1".repeat(MANY), ["11", "12", "1a1"]],
  ["^[a-z]+$", undefined, "a".repeat(MANY), ["a", "A", ""]],
  ["[", undefined, "", []],
];

beforeAll(() => analysePatterns(ROWS.map(([pattern]) => pattern)));

describe.each(ROWS)("%s", (pattern, time, attack, examples) => {
  test(`takes ${time ?? "linear"} time`, () => expect(slowPatternOf(pattern)?.time).toBe(time));

  test.skipIf(time === undefined)("rejects a text that is too long, at once", () => {
    const guarded = new RegExp(guardPattern(pattern), "u");
    const started = process.cpuUsage();
    expect(guarded.test(attack)).toBe(false);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1_000); // the pattern itself would take minutes
  });

  test.runIf(examples.length > 0)("decides every shorter text as the pattern does", () => {
    const guarded = new RegExp(guardPattern(pattern), "u");
    for (const text of examples) expect(guarded.test(text), text).toBe(new RegExp(pattern, "u").test(text));
  });
});

describe("a proposal with a slow pattern", () => {
  async function start(): Promise<{ path: string; line: number }> {
    const document = structuredClone(DOCUMENT);
    const { workflowId } = document.components.schemas.PreferencesUpdate?.properties ?? {};
    if (!workflowId) throw new Error("the contract has no workflowId");
    workflowId.pattern = "^(a+)+$";
    const path = join(await createTemporaryFolder(), "openapi.json");
    const text = JSON.stringify(document, null, 2);
    await writeFile(path, text);
    return { path, line: text.slice(0, text.indexOf("^(a+)+$")).split("\n").length };
  }
  const ATTACK = JSON.stringify({ channels: {}, workflowId: `${"a".repeat(40)}!` });
  const send = (url: string) =>
    sendTo(url, {
      method: "PATCH",
      target: "/v2/subscribers/ines-moreau/preferences",
      headers: { authorization: "ApiKey demo-key", "content-type": "application/json" },
      body: ATTACK,
    });

  test.each([
    ["serve", startServer],
    ["mock", startMock],
  ])("%s warns of it at the start, and rejects a text that is too long at once", async (_title, startShell) => {
    const { path, line } = await start();
    const { log, logged } = createLogLines();
    const server = await startShell({ contractPath: path, log });
    onTestFinished(server.close);
    expect(await logged(/exponential/)).toBe(
      `${path}:${line}: the pattern ^(a+)+$ can take exponential time. ` +
        "A text of more than 16 characters is rejected, since it is too long to check.",
    );
    const { status, body } = await send(server.url);
    expect(status).toBe(422);
    expect(body.message).toContain(`is too long to check against the pattern at ${path}:${line}`);
  });

  test("the proxy warns of it, and reports the text", async () => {
    const { path, line } = await start();
    const proxy = await startProxy({ contract: path, upstream: `http://127.0.0.1:${await findFreePort()}` });
    const messages: string[] = [];
    proxy.events.on("entry", ({ message }) => messages.push(message));
    expect(proxy.warnings).toEqual([expect.stringContaining(`${path}:${line}: the pattern ^(a+)+$`)]);
    await send(proxy.url);
    await proxy.close();
    expect(messages.join()).toContain(`is too long to check against the pattern at ${path}:${line}`);
  });
});
