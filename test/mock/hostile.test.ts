// Thousands of requests as no client sends them. The mock answers the next good one every time, and none of them ends Prism.
import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../src/domain/random.js";
import { type RunningMock, startMock } from "../../src/mock/mock-server.js";
import { buildIfStale } from "../support/fresh-build.js";
import { createHostileRequest, type HostileRequest } from "../support/hostile-request.js";
import { sendTo } from "../support/socket-request.js";

const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 1000);
const SEED = Number(process.env.HOSTILE_SEED ?? randomInt(2 ** 31));
const AT_ONCE = 10;
const EACH = 100; // so often a good request is sent

const KEY = { authorization: "ApiKey demo-key" };
const UPDATE = {
  method: "PATCH",
  target: "/v2/subscribers/ines-moreau/preferences",
  headers: { ...KEY, "content-type": "application/json" },
  body: '{"channels":{"email":false}}',
};

let mock: RunningMock;
beforeAll(async () => {
  await buildIfStale();
  mock = await startMock();
}, 120_000);
afterAll(() => mock.close());

test(
  `${REQUESTS} hostile requests (HOSTILE_SEED=${SEED}): the good ones among them are answered`,
  async () => {
    const random = createRandom(SEED);
    const { pid } = mock.prism() ?? {};
    const statuses = new Map<string, number>();
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      const requests = Array.from({ length: AT_ONCE }, () => createHostileRequest(random));
      const answers = await Promise.all(requests.map((request) => send(mock.port, request)));
      for (const [index, status] of answers.entries()) {
        expect(
          status,
          `answer to ${JSON.stringify(requests[index]?.bytes.toString("latin1").slice(0, 300))}`,
        ).not.toMatch(/^5/);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      if (sent % EACH === 0) await expectGood();
    }
    await expectGood();
    expect(mock.prism()?.pid).toBe(pid);
    console.info(`HOSTILE_SEED=${SEED}`, Object.fromEntries([...statuses].toSorted()));
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining(["200", "400", "401", "404", "405", "413", "415", "422", "431"]),
    );
  },
  Math.max(60_000, REQUESTS * 60),
);

async function expectGood(): Promise<void> {
  const list = await sendTo(mock.url, { target: "/v1/notifications?limit=2", headers: KEY });
  const update = await sendTo(mock.url, UPDATE);
  expect([list.status, list.body.data.length > 0]).toEqual([200, true]);
  expect([update.status, update.body.workflows.length > 0]).toEqual([200, true]);
}

/** The status of the answer; "none" when the server hangs up without one. */
function send(port: number, { bytes, isCutOff }: HostileRequest): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => {
      if (isCutOff) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      answer += answer.length < 100 ? chunk : "";
    });
    socket.on("error", () => {}); // the server may hang up while the rest is still being sent
    socket.on("close", () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? "none"));
  });
}
