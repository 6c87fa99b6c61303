// --dynamic: generated data, within the contract, and the same every time with a seed.
import { Novu } from "@novu/api";
import { expect, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { expectInContract } from "../support/reference.js";
import { SIZES } from "../support/sizes.js";
import { type SocketRequest, sendTo } from "../support/socket-request.js";

const ROUNDS = SIZES.dynamicRounds;
const KEY = { authorization: "ApiKey demo-key" };
const LIST: SocketRequest = { target: "/v1/notifications", headers: KEY };
const UPDATE: SocketRequest = {
  method: "PATCH",
  target: "/v2/subscribers/ines-moreau/preferences",
  headers: { ...KEY, "content-type": "application/json" },
  body: '{"channels":{}}',
};

async function askBoth(url: string): Promise<string[]> {
  const texts: string[] = [];
  for (const request of [LIST, UPDATE]) {
    const response = await sendTo(url, request);
    expect(response.status).toBe(200);
    expectInContract(request.method ?? "GET", request.target, response);
    expect((response.body.data ?? response.body.workflows).length).toBeLessThan(6);
    texts.push(response.text);
  }
  return texts;
}

test("with a seed the data is the same every time, also on another mock", async () => {
  const mock = await startMock({ isDynamic: true, seed: 7 });
  const first = await askBoth(mock.url);
  expect(await askBoth(mock.url)).toEqual(first);
  await mock.close();
  const same = await startMock({ isDynamic: true, seed: 7 });
  expect(await askBoth(same.url)).toEqual(first);
  await same.close();
  const other = await startMock({ isDynamic: true, seed: 8 });
  expect(await askBoth(other.url)).not.toEqual(first);
  await other.close();
}, 120_000);

test("without a seed it differs, within the contract and what the official client parses", async () => {
  const mock = await startMock({ isDynamic: true });
  const texts = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) for (const text of await askBoth(mock.url)) texts.add(text);
  expect(texts.size).toBe(2 * ROUNDS);
  const novu = new Novu({ secretKey: mock.apiKey, serverURL: mock.url, retryConfig: { strategy: "none" } });
  for (let round = 0; round < ROUNDS / 2; round++) {
    expect((await novu.notifications.list({})).result.data.length).toBeGreaterThan(0);
    await novu.subscribers.preferences.update({ channels: { sms: true } }, "ines-moreau");
  }
  const preferred = await sendTo(mock.url, { ...LIST, headers: { ...KEY, prefer: "code=429" } });
  expect([preferred.status, preferred.headers["retry-after"]]).toEqual([429, "1"]);
  expect((await sendTo(mock.url, { ...LIST, target: "/v1/notifications?limit=51" })).status).toBe(422);
  await mock.close();
}, 120_000);
