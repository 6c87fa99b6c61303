// The contract's file may be saved at any time, whole or in half.
import { writeFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { startMock } from "../../src/mock/mock-server.js";
import { buildIfStale } from "../support/fresh-build.js";
import { createLogLines } from "../support/log-lines.js";
import { prismsOf } from "../support/process-life.js";
import { sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const LIST = { target: "/v1/notifications", headers: { authorization: "ApiKey demo-key" } };

beforeAll(buildIfStale, 120_000);

/** A contract of a test's own, and the same with another version. */
async function createContract() {
  const whole = await readFile(CONTRACT_PATH, "utf8");
  const path = join(await createTemporaryFolder(), "contract.yaml");
  await writeFile(path, whole);
  return { path, whole, changed: whole.replace("version: 1.0.1", "version: 1.1.0") };
}

test("a broken contract is shown and not served; a whole one is served", async () => {
  const { path, whole, changed } = await createContract();
  const { log, lines, logged } = createLogLines();
  const mock = await startMock({ contractPath: path, log });
  const health = async () => (await sendTo(mock.url, { target: "/health" })).body.contract;
  const first = await health();
  const { pid } = mock.prism() ?? {};
  expect(first.fault).toBeUndefined();

  // Half-saved, in four ways.
  for (const [text, reason] of [
    [whole.slice(0, whole.indexOf("paths:")), /contract\.yaml:\d+: .*'paths'/],
    [
      whole.replace("#/components/schemas/NotificationPage", "#/components/schemas/Notif"),
      /contract\.yaml:\d+: .* leads nowhere/,
    ],
    ["openapi: [3.1.1", /contract\.yaml:1: Flow sequence/],
    ["", /contract\.yaml:1: is not an OpenAPI document/],
  ] as const) {
    lines.length = 0;
    await writeFile(path, text);
    expect(await logged(reason)).toContain("The last good contract goes on being served.");
    expect(await health()).toMatchObject({ sha256: first.sha256, fault: expect.stringMatching(reason) });
    expect((await sendTo(mock.url, LIST)).status).toBe(200);
    expect(await logged(/^Answered by the last good contract, since /)).toMatch(reason); // with each request
  }

  lines.length = 0;
  await rm(path);
  await logged(/cannot be read/);
  expect((await sendTo(mock.url, LIST)).status).toBe(200);

  // The same again: nothing is started anew. Put in its place as editors do.
  lines.length = 0;
  await writeFile(`${path}.tmp`, whole);
  await rename(`${path}.tmp`, path);
  await logged(/is served as it is now, version 1\.0\.1/);
  expect(await health()).toEqual(first);
  expect(mock.prism()?.pid).toBe(pid);

  // Another contract: no request falls between the two.
  let isOver = false;
  const statuses = new Set<number>();
  const asking = (async () => {
    while (!isOver) statuses.add((await sendTo(mock.url, LIST)).status);
  })();
  expect((await sendTo(mock.url, { ...LIST, target: "/v1/notifications?limit=60" })).status).toBe(422);
  await writeFile(path, changed.replace("maximum: 50, default: 10", "maximum: 60, default: 10"));
  await logged(/is served as it is now, version 1\.1\.0/);
  expect((await sendTo(mock.url, { ...LIST, target: "/v1/notifications?limit=60" })).status).toBe(200);
  expect((await health()).version).toBe("1.1.0");
  isOver = true;
  await asking;
  expect([...statuses]).toEqual([200]);
  await mock.close();
}, 120_000);

test("a save while the mock starts is not missed", async () => {
  const { path, changed } = await createContract();
  const { log, logged } = createLogLines();
  const starting = startMock({ contractPath: path, log }); // it has read the file
  writeFileSync(path, changed);
  const mock = await starting;
  await logged(/is served as it is now, version 1\.1\.0/);
  await mock.close();
}, 120_000);

test("a stop while Prism starts on another contract ends that one too, and says nothing of a fault", async () => {
  const { path, changed } = await createContract();
  const { log, lines } = createLogLines();
  const mock = await startMock({ contractPath: path, log });
  await writeFile(path, changed);
  await expect.poll(() => prismsOf(process.pid), { timeout: 20_000, interval: 5 }).toHaveLength(2);
  await mock.close();
  expect(await prismsOf(process.pid)).toEqual([]);
  expect(lines.filter((line) => !line.startsWith("Prism is ready"))).toEqual([]);
  expect(lines).toHaveLength(1);
}, 120_000);
