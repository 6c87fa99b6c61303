// The published package, packed and installed in a project of CommonJS modules: Jest as the guide for front-end teams has it, and
// TypeScript.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, runToEnd } from "../support/command.js";
import { blocksOf, readDocument } from "../support/documents.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "commonjs-"));
  const packed = await runToEnd("npm", ["pack", "--silent", "--pack-destination", folder]);
  expect(packed.code, packed.output).toBe(0);
  await writeFile(join(folder, "package.json"), '{"name":"app","private":true,"type":"commonjs"}');
  const packages = "./notifications-contract-*.tgz jest@30 jest-environment-jsdom@30 jest-fixed-jsdom@0.0.11";
  const line = `npm i --prefer-offline --no-audit --no-fund ${packages}`;
  const installed = await runToEnd("bash", ["-c", line], { cwd: folder });
  expect(installed.code, installed.output).toBe(0);
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

const LIST = `
  const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key", fetch: createFetchHandler({ seed }).fetch });
  test("lists", async () => expect((await client.listNotifications()).status).toBe(200));
`;

const ES_MODULE = `
  import { jest } from "@jest/globals";
  import { createClient } from "notifications-contract/client";
  import { createFetchHandler } from "notifications-contract/fetch";
  import seed from "notifications-contract/seeds/demo";
  jest.fn();
  ${LIST}`;

const REQUIRE = `
  const { createClient } = require("notifications-contract/client");
  const { createFetchHandler } = require("notifications-contract/fetch");
  const { default: seed } = require("notifications-contract/seeds/demo");
  ${LIST}`;

test("Jest, in Node and jest-fixed-jsdom: as printed, as ES modules, and with require", async () => {
  const [program] = blocksOf("program").filter(({ text }) => text.includes("jest.spyOn("));
  const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split(".").map(Number);
  const mayRequire = nodeMajor > 24 || (nodeMajor === 24 && nodeMinor >= 9);
  const files: Record<string, string> = {
    "jest.config.js": `
      const environments = ["node", "jest-fixed-jsdom"];
      const testMatch = ["**/*.test.?(m)js"];
      module.exports = { projects: environments.map((testEnvironment) => ({ testEnvironment, testMatch })) };`,
    "printed.test.js": program?.text ?? "",
    "module.test.mjs": ES_MODULE,
    ...(mayRequire ? { "require.test.js": REQUIRE } : {}),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const [line = ""] = /NODE_OPTIONS=\S+ npx jest/.exec(readDocument("docs/front-end.md")) ?? [];
  const { code, output } = await runToEnd("bash", ["-c", line], { cwd: folder });
  expect(output).toMatch(new RegExp(`^Tests: +${mayRequire ? 6 : 4} passed, `, "m"));
  expect(code).toBe(0);
});

test("TypeScript: import in a CommonJS module", async () => {
  const source = `
    import { createClient } from "notifications-contract/client";
    import type { components } from "notifications-contract/types";
    const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" });
    export type Notification = components["schemas"]["Notification"];
    console.log(typeof client.listNotifications);`;
  await writeFile(join(folder, "main.ts"), source);
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = "--strict --module nodenext --target es2022 --lib es2023,dom,dom.iterable --skipLibCheck".split(" ");
  const compiled = await runToEnd(process.execPath, [compiler, ...options, "main.ts"], { cwd: folder });
  expect(compiled).toEqual({ code: 0, output: "" });
  const { code, output } = await runToEnd(process.execPath, ["main.js"], { cwd: folder });
  expect([code, output]).toEqual([0, expect.stringMatching(/^function$/m)]);
});
