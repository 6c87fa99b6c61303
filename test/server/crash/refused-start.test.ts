import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createResetCommand } from "../../../src/cli/seed-commands.js";
import { createServeCommand } from "../../../src/cli/serve-command.js";
import { startServer } from "../../../src/start-server.js";
import { readOwners } from "../../support/folder-owners.js";
import { runInProcess } from "../../support/in-process.js";
import { createLogLines } from "../../support/log-lines.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { createWireClient } from "../../support/wire-client.js";

let folder: string;
let data: string;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  data = join(folder, "environments");
});

describe("serve exits with 2 and says what to do", () => {
  test("the port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    await expectRefused(["--port", String(port)], `Port ${port} on 127.0.0.1 is in use by another program.`);
    expect(await readdir(data)).toEqual([".gitignore", "default.journal", "default.json"]); // and the lock is gone
  });

  test("the address is not one of this machine", async () => {
    await expectRefused(["--host", "203.0.113.1", "--api-key", "own-key"], "203.0.113.1");
    expect(await readdir(data)).toEqual([".gitignore", "default.journal", "default.json"]);
  });

  test("the folder is in use by another server, which continues; `reset` is rejected as well", async () => {
    const first = await startServer({ dataFolder: data, seed: "empty" });
    onTestFinished(first.close);
    const inUse = `${data} is in use by process ${process.pid}.`;
    await expectRefused([], `${inUse} Stop that server, or use another folder: --data`);
    const reset = await runInProcess(createResetCommand(), "--data", data, "--seed", "empty");
    expect(reset).toMatchObject({ code: 2, stderr: expect.stringContaining(inUse) });
    expect((await createWireClient(first.url, "demo-key").list()).status).toBe(200);
    expect(await readOwners(data)).toEqual([process.pid]);
  });

  test.runIf(process.platform === "linux")("the folder cannot be made; `reset` is rejected as well", async () => {
    data = "/proc/nowhere/environments";
    const message = `${data} cannot be used: ENOENT: no such file or directory, mkdir '/proc/nowhere'. Use another folder`;
    await expectRefused([], message);
    const reset = await runInProcess(createResetCommand(), "--data", data);
    expect(reset).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test("the file is invalid: named and left unchanged; `reset` is the remedy", async () => {
    await mkdir(data);
    const file = join(data, "default.json");
    await writeFile(file, '{\n  "format": notifications\n}\n');
    await expectRefused([], `${file}:2: not JSON: `, `notifications-contract reset --data ${data}`);
    expect(await readFile(file, "utf8")).toBe('{\n  "format": notifications\n}\n');
    expect(await readdir(data)).toEqual(["default.json"]);

    const reset = await runInProcess(createResetCommand(), "--data", data, "--seed", "empty");
    const stderr = `${data} now holds the seed empty. The previous state is in ${file}.bak.\n`;
    expect(reset).toEqual({ code: undefined, stdout: "", stderr });
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ name: "default", notifications: [] });
  });
});

test.each([
  ["demo", "demo"],
  ["one that is not valid, for it is not read", "broken.json"],
])("a seed that is not used since the folder has data: %s", async (_title, name) => {
  await writeFile(join(folder, "broken.json"), "{");
  const seed = name === "demo" ? name : join(folder, name);
  await startServer({ dataFolder: data, seed: "empty" }).then(({ close }) => close());
  const { log, lines } = createLogLines();
  await startServer({ dataFolder: data, seed, log }).then(({ close }) => close());
  await startServer({ dataFolder: data, log }).then(({ close }) => close()); // chooses none
  const restore = `notifications-contract reset --seed ${seed} --data ${data}`;
  const message = `The seed ${seed} is not used: ${data} has data. To restore it, with the server stopped: ${restore}`;
  expect(lines.filter((line) => line.includes("is not used"))).toEqual([message]);
});

/** Runs `serve` on the folder: it ends with 2, its message holds all of `wanted`, and it prints no stack trace. */
async function expectRefused(args: string[], ...wanted: string[]): Promise<void> {
  const all = ["--port", "0", "--data", data, "--seed", "empty", ...args];
  const { code, stderr } = await runInProcess(createServeCommand(), ...all);
  for (const part of wanted) expect(stderr).toContain(part);
  expect(stderr).not.toMatch(/internal error|\n {4}at /);
  expect(code).toBe(2);
}
