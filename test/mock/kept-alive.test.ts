// Whatever ends Prism does not end the mock.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { startListener } from "../../src/http/listener.js";
import { createMockApp } from "../../src/mock/mock-app.js";
import { type RunningMock, startMock } from "../../src/mock/mock-server.js";
import { openPrism, type Prism } from "../../src/mock/prism.js";
import { buildIfStale } from "../support/fresh-build.js";
import { createLogLines, type LogLines } from "../support/log-lines.js";
import { isAlive, prismsOf } from "../support/process-life.js";
import { expectInContract } from "../support/reference.js";
import { sendTo } from "../support/socket-request.js";

const LIST = { target: "/v1/notifications", headers: { authorization: "ApiKey demo-key" } };
const KILLER = { method: "PATCH", target: "/v2/subscribers/%E0%A4%A/preferences" }; // Prism 5.12: an uncaught URIError

beforeAll(buildIfStale, 120_000);

describe("a mock whose Prism ends", () => {
  let mock: RunningMock;
  let lines: LogLines;
  beforeAll(async () => {
    lines = createLogLines();
    mock = await startMock({ log: lines.log });
  }, 120_000);
  afterAll(() => mock.close());
  afterEach(() => {
    lines.lines.length = 0;
  });
  const pidOf = () => mock.prism()?.pid ?? 0;

  test("by a kill: the requests under way and the next ones are answered, on the same port", async () => {
    const { url } = mock;
    const before = pidOf();
    const answers = Promise.all(Array.from({ length: 30 }, () => sendTo(url, LIST)));
    process.kill(before, "SIGKILL");
    expect((await answers).map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(await lines.logged(/Prism ended/)).toBe("Prism ended (SIGKILL). It is started again; requests wait for it.");
    expect((await sendTo(url, LIST)).status).toBe(200);
    expect(pidOf()).not.toBe(before);
    expect(isAlive(before)).toBe(false);
  });

  test("by a request that Prism itself does not survive: the line says why", async () => {
    const { url = "" } = mock.prism() ?? {};
    await expect(sendTo(url, KILLER)).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(await lines.logged(/Prism ended/)).toContain("Prism ended (URIError: URI malformed).");
    expect((await sendTo(mock.url, LIST)).status).toBe(200);
  });

  test("again and again, while it is asked all the time", async () => {
    let isOver = false;
    const statuses = new Set<number>();
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) statuses.add((await sendTo(mock.url, LIST)).status);
    });
    for (let round = 0; round < 3; round++) {
      await expect.poll(pidOf, { timeout: 20_000 }).toBeGreaterThan(0);
      process.kill(pidOf(), "SIGKILL");
      await expect.poll(pidOf, { timeout: 20_000 }).toBe(0);
    }
    isOver = true;
    await Promise.all(asking);
    expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect((await sendTo(mock.url, LIST)).status).toBe(200);
  }, 120_000);
});

describe("a request that ends Prism each time", () => {
  test("is 503 in the contract's shape, with Retry-After; the next request is answered", async () => {
    const contract = await loadContract();
    const { log } = createLogLines();
    const prism = await openPrism({ document: contract.document, isDynamic: false, seed: undefined }, log);
    let isPoisoned = true;
    // No request gets through the mock's steps and kills Prism: this one is made to, behind them.
    const poisoned: Prism = {
      ...prism,
      ask: (request) => prism.ask(isPoisoned ? { ...request, ...KILLER } : request),
    };
    const parts = { contract, prism: poisoned, apiKey: "demo-key", log, faultOf: () => undefined };
    const app = createMockApp({ ...parts, stopping: new AbortController().signal });
    const listener = await startListener(app, { host: "127.0.0.1", port: 0 });
    const refused = await sendTo(listener.url, LIST);
    expectInContract("GET", LIST.target, refused);
    expect([refused.status, refused.headers["retry-after"], refused.body.ctx]).toEqual([
      503,
      "1",
      { decision: "D-56" },
    ]);
    isPoisoned = false;
    expect((await sendTo(listener.url, LIST)).status).toBe(200);
    await listener.stop();
    await prism.close();
  }, 120_000);
});

describe("a mock that stops", () => {
  test("while Prism starts again ends it, and does not wait until it is ready", async () => {
    const lines = createLogLines();
    const mock = await startMock({ log: lines.log });
    process.kill(mock.prism()?.pid ?? 0, "SIGKILL");
    await lines.logged(/Prism ended/);
    await mock.close();
    expect(lines.lines.filter((line) => line.startsWith("Prism is ready"))).toHaveLength(1); // the first one
    expect(await prismsOf(process.pid)).toEqual([]);
  }, 120_000);

  test("answers what is under way, a delayed answer at once", async () => {
    const mock = await startMock();
    const late = sendTo(mock.url, { ...LIST, headers: { ...LIST.headers, prefer: "code=200, delay=60000" } });
    await sendTo(mock.url, LIST); // by this answer the mock has read the late request, too
    await mock.close();
    expect((await late).status).toBe(200);
  }, 120_000);
});
