// --dynamic: generated data, within the contract and bounded, cut into pages, and the same every time with a seed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { loadSeed } from "../../src/server/store/seed.js";
import type { RunningServer } from "../../src/start-server.js";
import { contract } from "../support/contract.js";
import { loadContractText } from "../support/contract-text.js";
import { expectInContract } from "../support/reference.js";
import { type SocketRequest, type SocketResponse, sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { KEY, LIST, UPDATE } from "./requests.js";

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

test("with a seed the data is the same every time, also on another mock", async () => {
  const first = await sendBoth(mock.url);
  expect(await sendBoth(mock.url)).toEqual(first);
  const same = await startMock({ isDynamic: true, randomSeed: 7 });
  expect(await sendBoth(same.url)).toEqual(first);
  await same.close();
});

test("without a seed it is another one on each mock, and each update has a response of its own", async () => {
  const other = await startMock({ isDynamic: true });
  const [list, update] = await sendBoth(other.url);
  const again = await sendBoth(other.url);
  expect(again[0]).toBe(list);
  expect(again[1]).not.toBe(update);
  expect(list).not.toBe((await send(mock.url, LIST)).text);
  await other.close();
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

test("other statuses are as without it", async () => {
  const preferred = await sendTo(mock.url, { ...LIST, headers: { ...KEY, prefer: "code=429" } });
  expect([preferred.status, preferred.headers["retry-after"]]).toEqual([429, "1"]);
  expect((await sendTo(mock.url, { ...LIST, target: "/v1/notifications?limit=51" })).status).toBe(422);
});

test("`x-faker` names a generator of Faker, in English", async () => {
  const contractPath = join(await createTemporaryFolder(), "openapi.yaml");
  const email = "email: { type: string, ";
  await writeFile(contractPath, loadContractText().text.replace(email, `${email}x-faker: internet.email, `));
  const other = await startMock({ isDynamic: true, randomSeed: 7, contractPath });
  onTestFinished(() => other.close());
  const { data } = await getPage(other.url, "limit=50");
  const emails = data.flatMap(({ subscriber }: { subscriber?: { email?: string } }) => subscriber?.email ?? []);
  expect(emails.length).toBeGreaterThan(0);
  for (const address of emails) expect(address).toMatch(/^[\w.-]+@\w+\.\w+$/);
});
