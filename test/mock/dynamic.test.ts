// --dynamic: generated data, within the contract and bounded, cut into pages, and the same every time with a seed.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { loadSeed } from "../../src/server/store/seed.js";
import type { RunningServer } from "../../src/start-server.js";
import { contract } from "../support/contract.js";
import { expectInContract } from "../support/reference.js";
import { socketRequestOf } from "../support/requests-by-operation.js";
import { ok, writeSmallContract } from "../support/small-contract.js";
import { type SocketRequest, type SocketResponse, sendTo } from "../support/socket-request.js";

const LIST = socketRequestOf({ id: "listNotifications" }, "demo-key");
const UPDATE = socketRequestOf({ id: "updatePreferences" }, "demo-key");

async function send(url: string, request: SocketRequest): Promise<SocketResponse> {
  const response = await sendTo(url, request);
  expect(response.status, response.text).toBe(200);
  expectInContract(request.method ?? "GET", request.target, response);
  return response;
}

const sendBoth = async (url: string) => [(await send(url, LIST)).text, (await send(url, UPDATE)).text];
const getPage = async (url: string, query: string) =>
  (await send(url, { ...LIST, target: `${LIST.target}?${query}` })).body;

let mock: RunningServer;
beforeAll(async () => {
  mock = await startMock({ isDynamic: true, randomSeed: 7 });
});
afterAll(() => mock.close());

test("with a seed, the data is the same every time, also on another mock; without, it is another one", async () => {
  const first = await sendBoth(mock.url);
  expect(await sendBoth(mock.url)).toEqual(first);
  const same = await startMock({ isDynamic: true, randomSeed: 7 });
  onTestFinished(same.close);
  expect(await sendBoth(same.url)).toEqual(first);
  const other = await startMock({ isDynamic: true });
  onTestFinished(other.close);
  const [list, update] = await sendBoth(other.url);
  const again = await sendBoth(other.url);
  expect(list).not.toBe(first[0]);
  expect(again[0]).toBe(list);
  expect(again[1]).not.toBe(update); // each update has a response of its own
  const limited = await sendTo(mock.url, { ...LIST, headers: { ...LIST.headers, prefer: "code=429" } });
  expect([limited.status, limited.headers["retry-after"]]).toEqual([429, "1"]); // as the example says
});

describe("the list", () => {
  test("has pages of any limit, which are parts of the same records, newest first", async () => {
    const [large, next, after] = await Promise.all([0, 1, 2].map((page) => getPage(mock.url, `limit=50&page=${page}`)));
    expect([large.hasMore, large.data.length, next.hasMore, after.data.length]).toEqual([true, 50, false, 0]);
    const all = [...large.data, ...next.data];
    const small = await Promise.all([0, 1, 2].map((page) => getPage(mock.url, `limit=7&page=${page}`)));
    expect(small.flatMap(({ data }) => data)).toEqual(all.slice(0, 21));
    expect(new Set(all.map(({ _id }) => _id)).size).toBe(all.length);
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test("has records as large as those of the demo, whose lists are short", async () => {
    const { data } = await getPage(mock.url, "limit=50");
    const averageSize = (records: object[]) => JSON.stringify(records).length / records.length;
    const { notifications } = await loadSeed("demo", contract);
    const share = averageSize(data) / averageSize(notifications as object[]);
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(1.5);
    const lengths = new Set<number>();
    JSON.stringify(data, (name, value) => {
      if (Array.isArray(value) && name !== "") lengths.add(value.length);
      return value;
    });
    expect(Math.max(...lengths)).toBeLessThanOrEqual(3);
    expect(lengths.size).toBeGreaterThan(1);
  });
});

test("`x-faker` names a generator of Faker, in English", async () => {
  const schema = { type: "array", minItems: 3, items: { type: "string", "x-faker": "internet.email" } };
  const contractPath = await writeSmallContract({ "/v1/addresses": { get: { responses: ok(schema) } } });
  const other = await startMock({ isDynamic: true, randomSeed: 7, contractPath });
  onTestFinished(other.close);
  const { body } = await sendTo(other.url, { target: "/v1/addresses" });
  expect(body.length).toBeGreaterThan(0);
  for (const address of body) expect(address).toMatch(/^[\w.-]+@\w+\.\w+$/);
});
