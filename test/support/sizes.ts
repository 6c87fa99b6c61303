// Sizes that differ between the two suites: TEST_SIZE=full, which `npm run test:full` sets, selects the full ones; a variable
// of its own overrides each. A test file that imports this module runs in both suites, once at each size.

import { randomInt } from "node:crypto";

export const isFull = process.env.TEST_SIZE === "full";

const choose = (quick: number, full: number) => (isFull ? full : quick);

export const SIZES = {
  /** How often test/crash/kill.test.ts kills a server, in each of its tests. */
  crashRounds: Number(process.env.CRASH_ROUNDS ?? choose(3, 12)),
  /** Requests that no client sends, to each of server and mock. */
  hostileRequests: Number(process.env.HOSTILE_REQUESTS ?? choose(400, 2000)),
  /** So few requests hold one of each kind for some seeds alone. */
  hostileSeed: Number(process.env.HOSTILE_SEED ?? choose(1, randomInt(2 ** 31))),
  /** Seeds that `verify` is tried with on the reference server. */
  verifyRuns: Number(process.env.VERIFY_RUNS ?? choose(1, 3)),
  /** Every how many-th of the mutants is run against `verify`. */
  everyMutant: process.env.MUTANTS === "all" ? 1 : choose(25, 5),
  /** Every how many-th breaking edit of the contract is proven on servers of both versions. */
  everyProof: choose(10, 1),
};
