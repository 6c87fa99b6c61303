// The command: exit codes, messages, report files. A server of this process is the target.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createMockCommand } from "../../../src/cli/mock-command.js";
import { createVerifyCommand } from "../../../src/cli/verify-command.js";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { startServer } from "../../../src/start-server.js";
import { readHelp, runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const KEY = "a-key/that+is_odd";

const server = await startServer({ apiKey: KEY });
afterAll(server.close);

async function verify(...args: string[]) {
  const { code, stdout, stderr } = await runInProcess(createVerifyCommand(), ...args);
  return { code, output: stderr + stdout };
}
const verifyOurs = (...args: string[]) => verify("--url", server.url, "--api-key", KEY, "--seed", "1", ...args);

describe("verify › exit codes", () => {
  test("0 when the target conforms to the contract", async () => {
    const { code, output } = await verifyOurs("--only", "D-24.1");
    expect(output).toMatch(/1 passed, 0 failed, 0 not applicable .* seed 1\n$/);
    expect(code).toBe(0);
  });

  test("without a key: temporary environments, deleted at the end", async () => {
    const { code, output } = await verify("--url", server.url, "--seed", "1", "--only", "after 24 hours");
    expect(output).toMatch(/1 passed, 0 failed, 0 not applicable /);
    expect(code).toBe(0);
  });

  test.each([
    ["a server without a control plane", () => startServer({ control: false }), "Use --control-key, or --api-key"],
    ["one with another control key", () => startServer({ controlKey: "a-key" }), "Use --control-key, or --api-key"],
    ["the mock", () => startMock(), "Use --target mock for our mock, or --api-key"],
  ])("2 without a key at %s, with the remedy", async (_title, start, message) => {
    const closed = await start();
    const { code, output } = await verify("--url", closed.url, "--control-key", "wrong-key").finally(closed.close);
    expect(output).toContain(`Cannot create a temporary environment at ${closed.url}: `);
    expect(output).toContain(message);
    expect(code).toBe(2);
  });

  test("1 when a case fails, and no key is printed", async () => {
    const { code, output } = await verifyOurs("--workflow", "billing-receipt", "--only", "workflowId › identifier");
    expect(output).toContain("expected  billing-receipt");
    expect(output).toContain("curl -i -X PATCH \\\n  'http");
    expect(output).not.toContain(KEY);
    expect(code).toBe(1);
  });

  test("2 for another key, in one message", async () => {
    const { code, output } = await verify("--url", server.url, "--api-key", "wrong-key");
    expect(output).toBe(
      "The target cannot be tested yet:\n  /v1/notifications responds with 401. Set NC_API_KEY to a key of the target.\n",
    );
    expect(code).toBe(2);
  });

  test("2 when no case was run, and every report says so", async () => {
    const folder = await createTemporaryFolder();
    const files = ["new/report.md", "newer/report.html"].map((name) => join(folder, name));
    const [markdown = "", html = ""] = files;
    const { code, output } = await verifyOurs("--only", "no such case", "--markdown", markdown, "--html", html);
    for (const text of [output, ...(await Promise.all(files.map((file) => readFile(file, "utf8"))))]) {
      expect(text).toContain("No case was run, so there is no verdict");
      expect(text).not.toContain("conforms");
    }
    expect(code).toBe(2);
  });

  test("2 with one line when nothing listens at the URL", async () => {
    const { code, output } = await verify("--url", "http://127.0.0.1:1");
    expect(output).toBe("Nothing responds at http://127.0.0.1:1 (ECONNREFUSED). Start the server, or correct --url.\n");
    expect(code).toBe(2);
  });

  test.each([
    ["no --url", [], "--url"],
    ["text that is not a URL", ["--url", "localhost"], "It must be"],
    ["a URL with a password", ["--url", "http://a:b@localhost"], "no user"],
    ["an unknown capability", ["--url", "http://127.0.0.1:1", "--with", "magic"], "The capabilities are stateful"],
    ["an unknown target", ["--url", "http://127.0.0.1:1", "--target", "x"], "reference, implementation, mock, service"],
    ["a missing contract", ["--url", "http://127.0.0.1:1", "--contract", "/nope"], "/nope cannot be read: there is no"],
    ["text that is not a number", ["--url", "http://127.0.0.1:1", "--seed", "soon"], "whole number"],
  ])("2 for %s", async (_title, args, message) => {
    const { code, stdout, stderr } = await runInProcess(createVerifyCommand(), ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  test("operations are recognized by method and path, whatever the contract calls them", async () => {
    const contract = join(await createTemporaryFolder(), "openapi.yaml");
    const text = await readFile(CONTRACT_PATH, "utf8");
    await writeFile(contract, text.replaceAll("operationId: listNotifications", "operationId: listThings"));
    const only = ["--only", "D-24.1", "--only", "listThings › query.page"];
    const json = join(await createTemporaryFolder(), "report.json");
    const { code, output } = await verifyOurs("--contract", contract, ...only, "--json", json);
    expect(output).toMatch(/[1-9]\d passed, 0 failed, 0 not applicable/);
    const { declaration } = JSON.parse(await readFile(json, "utf8"));
    expect(declaration, "to run a case again").toBe(`--api-key "$NC_API_KEY" --contract '${contract}'`);
    expect(code).toBe(0);
  });

  test.each([
    ["verify", "npm run -s verify -- --url"], // in a clone, where npx has no command
    ["test:contract", "npx notifications-contract verify --url"],
  ])("the report of the script %s runs cases again by %s", async (script, command) => {
    vi.stubEnv("npm_package_name", "notifications-contract");
    vi.stubEnv("npm_lifecycle_event", script);
    const html = join(await createTemporaryFolder(), "report.html");
    await verifyOurs("--only", "D-24.1", "--html", html);
    vi.unstubAllEnvs();
    expect(await readFile(html, "utf8")).toContain(`aria-label="Run all cases again"><code>${command}`);
  });

  test("2 when a report cannot be written", async () => {
    const { code, output } = await verifyOurs("--only", "D-24.1", "--html", "package.json/report.html");
    expect(output).toContain("package.json/report.html cannot be written: ");
    expect(output).toContain("1 passed, 0 failed"); // shown all the same
    expect(code).toBe(2);
  });

  test("3 when the suite itself fails", async () => {
    const { randomUUID } = globalThis.crypto;
    const broken = vi.spyOn(globalThis.crypto, "randomUUID").mockImplementation(() => {
      if (new Error().stack?.includes("page-laws")) throw new Error("a bug of the suite");
      return randomUUID.call(globalThis.crypto);
    });
    const only = "an Idempotency-Key is accepted and ignored";
    const { code, output } = await verifyOurs("--only", only).finally(() => broken.mockRestore());
    expect(output).toContain("the suite itself failed");
    expect(code).toBe(3);
  });
});

test("verify › reports are written, and none has the key", async () => {
  const folder = await createTemporaryFolder();
  const names = ["json", "junit", "markdown", "html"];
  const files = names.flatMap((name) => [`--${name}`, join(folder, name)]);
  await verifyOurs("--only", "› key ›", "--only", "D-24.1", ...files);
  for (const name of names) {
    const text = await readFile(join(folder, name), "utf8");
    expect(text.length).toBeGreaterThan(100);
    for (const form of [KEY, KEY.slice(0, -1), KEY.slice(1), encodeURIComponent(KEY)])
      expect(text.toLowerCase()).not.toContain(form.toLowerCase());
  }
  const report = JSON.parse(await readFile(join(folder, "json"), "utf8"));
  expect(report.totals.pass).toBeGreaterThan(20);
});

test("verify › --help has examples, with the port of the mock", async () => {
  const stdout = await readHelp("verify");
  expect(stdout).toContain("Examples:");
  const port = createMockCommand().options.find(({ long }) => long === "--port")?.defaultValue;
  expect(stdout).toContain(`--url http://127.0.0.1:${port} --target mock`);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});
