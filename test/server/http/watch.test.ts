// `--watch`: the contract may be saved at any time, complete or not. test/server/watched-file.test.ts has the ways to save.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { withVersion } from "../../support/contract-text.js";
import { startControlled } from "../../support/controlled.js";
import { createLogLines } from "../../support/log-lines.js";
import { ok, writeSmallContract } from "../../support/small-contract.js";
import { sendTo } from "../../support/socket-request.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const PREFERENCES = "PATCH /v2/subscribers/ines-moreau/preferences";

test("the server serves a valid contract and keeps the state; shows the error of an invalid one instead", async () => {
  const whole = await readFile(CONTRACT_PATH, "utf8");
  const contractPath = join(await createTemporaryFolder(), "contract.yaml");
  await writeFile(contractPath, whole);
  const { log, logged } = createLogLines();
  const server = await startControlled({ contractPath, watch: true, log });
  const health = async () => (await sendTo(server.url, { target: "/health" })).body.contract;
  const { body: mine } = await server.control("POST /environments", {});
  await server.request(mine.apiKey, PREFERENCES, { body: '{"channels":{"email":false}}' });

  const { version: loaded } = await health();
  await writeFile(contractPath, whole.slice(0, whole.indexOf("paths:")));
  await logged(/contract\.yaml:\d+: .*paths is required\n.*keeps the last/);
  expect(await health()).toMatchObject({ version: loaded, error: expect.stringContaining("paths is required") });
  expect((await server.request(server.apiKey, "GET /v1/notifications?limit=50")).status).toBe(200);

  const next = withVersion(whole, "2.9.0");
  await writeFile(contractPath, next.replace("maximum: 50", "maximum: 20"));
  await logged(/contract\.yaml was reloaded/);
  const now = await health();
  expect([now.version, now.error]).toEqual(["2.9.0", undefined]);
  const state = await server.request(mine.apiKey, PREFERENCES, { body: '{"channels":{}}' });
  expect(state.body.global.channels.email).toBe(false);
  expect((await server.control("GET /ready")).body).toMatchObject({ version: "2.9.0", environments: 2 });
  const { requests } = (await server.control("GET /requests")).body;
  expect(requests.length).toBeGreaterThan(2); // the history persists, too
});

test("the mock does so, too, and no request falls between two contracts", async () => {
  const contractPath = await writeSmallContract({ "/v1/cups": { get: { responses: ok({ const: 1 }) } } });
  const whole = await readFile(contractPath, "utf8");
  const { log, logged } = createLogLines();
  const mock = await startMock({ contractPath, log });
  onTestFinished(mock.close);
  const request = async (target: string) => (await sendTo(mock.url, { target })).body;
  const first = (await request("/health")).contract;
  await writeFile(contractPath, whole.slice(0, 9));
  await logged(/cups\.json:1: .*\n.*keeps the last/);
  expect((await request("/health")).contract).toEqual({ ...first, error: expect.any(String) });

  const seen: unknown[] = [await request("/v1/cups")];
  let isOver = false;
  const requesting = (async () => {
    while (!isOver) seen.push(await request("/v1/cups"));
  })();
  await writeFile(contractPath, whole.replace('"const":1', '"const":2'));
  await logged(/was reloaded/);
  seen.push(await request("/v1/cups"));
  isOver = true;
  await requesting;
  expect([...new Set(seen)]).toEqual([1, 2]);
});
