// The contract's file may be saved at any time, whole or in half.
import { writeFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { startMock } from "../../src/mock/mock-server.js";
import { withVersion } from "../support/contract-text.js";
import { createLogLines } from "../support/log-lines.js";
import { sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { LIST } from "./requests.js";

/** A contract of a test's own, and the same with another version. */
async function createContract() {
  const whole = await readFile(CONTRACT_PATH, "utf8");
  const path = join(await createTemporaryFolder(), "contract.yaml");
  await writeFile(path, whole);
  return { path, whole, changed: withVersion(whole, "2.9.0") };
}

test("a broken contract is shown and not served; a whole one is served", async () => {
  const { path, whole, changed } = await createContract();
  const { log, lines, logged } = createLogLines();
  const mock = await startMock({ contractPath: path, log });
  const health = async () => (await sendTo(mock.url, { target: "/health" })).body.contract;
  const first = await health();
  expect(first.error).toBeUndefined();

  // Half-saved.
  for (const [text, reason] of [
    ["openapi: [3.1.1", /contract\.yaml:1: .* end with a \]/],
    ["", /contract\.yaml:1: is not an OpenAPI document/],
  ] as const) {
    lines.length = 0;
    await writeFile(path, text);
    expect(await logged(reason)).toContain("The server keeps the last valid version.");
    expect(await health()).toMatchObject({ sha256: first.sha256, error: expect.stringMatching(reason) });
    expect((await sendTo(mock.url, LIST)).status).toBe(200);
  }

  lines.length = 0;
  await rm(path);
  await logged(/cannot be read/);
  expect((await sendTo(mock.url, LIST)).status).toBe(200);

  // The same again, put in its place as editors do.
  lines.length = 0;
  await writeFile(`${path}.tmp`, whole);
  await rename(`${path}.tmp`, path);
  await logged(/was reloaded/);
  expect(await health()).toEqual(first);

  // Another contract: no request falls between the two.
  let isOver = false;
  const statuses = new Set<number>();
  const asking = (async () => {
    for (; !isOver; await sleep(5)) statuses.add((await sendTo(mock.url, LIST)).status);
  })();
  expect((await sendTo(mock.url, { ...LIST, target: "/v1/notifications?limit=60" })).status).toBe(422);
  lines.length = 0;
  await writeFile(path, changed.replace("maximum: 50, default: 10", "maximum: 60, default: 10"));
  await logged(/was reloaded/);
  expect((await sendTo(mock.url, { ...LIST, target: "/v1/notifications?limit=60" })).status).toBe(200);
  expect((await health()).version).toBe("2.9.0");
  isOver = true;
  await asking;
  expect([...statuses]).toEqual([200]);
  await mock.close();
});

test("a save while the mock starts is not missed", async () => {
  const { path, changed } = await createContract();
  const starting = startMock({ contractPath: path });
  writeFileSync(path, changed);
  const mock = await starting;
  await expect.poll(async () => (await sendTo(mock.url, { target: "/health" })).body.contract.version).toBe("2.9.0");
  await mock.close();
});

test("a stop waits for a reload that is under way, and logs no error", async () => {
  const { path, changed } = await createContract();
  const { log, lines } = createLogLines();
  const mock = await startMock({ contractPath: path, log });
  await writeFile(path, changed);
  await sleep(250); // the file is looked at every 200 ms
  await mock.close();
  const after = [...lines];
  await sleep(500);
  expect(lines).toEqual(after);
  expect(lines.filter((line) => !line.endsWith("was reloaded"))).toEqual([]);
});
