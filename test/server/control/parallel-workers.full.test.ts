// What the control plane is for: test workers in parallel, each test in a world of its own.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createRandom } from "../../../src/core/domain/random.js";
import { startControlled } from "../../support/controlled.js";

const WORKERS = 8;
const TESTS = 30;

test(`${WORKERS} workers with ${TESTS} tests each, in random order, do not meet`, async () => {
  const server = await startControlled({ checkResponses: false });
  const randomSeed = Date.now() % 100_000;
  const results = await Promise.all(
    Array.from({ length: WORKERS }, async (_, index) => {
      const order = shuffle(TESTS, randomSeed + index);
      const workerData = { url: server.url, tests: order.length, order };
      const worker = new Worker(new URL("../../support/parallel-worker.mjs", import.meta.url), { workerData });
      const [result] = await once(worker, "message");
      return result as { ran: number; failures: string[] };
    }),
  );
  expect(
    results.flatMap(({ failures }) => failures),
    `seed ${randomSeed}`,
  ).toEqual([]);
  expect(results.map(({ ran }) => ran)).toEqual(Array(WORKERS).fill(TESTS));
  const { environments } = (await server.control("GET /environments")).body;
  expect(environments).toHaveLength(1 + (WORKERS * TESTS) / 2);
});

function shuffle(count: number, randomSeed: number): number[] {
  const random = createRandom(randomSeed);
  const draws = Array.from({ length: count }, (_, number) => ({ number, rank: random.fraction() }));
  return draws.toSorted((a, b) => a.rank - b.rank).map(({ number }) => number);
}
