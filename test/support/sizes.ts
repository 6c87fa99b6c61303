// Sizes of tests: TEST_SIZE=full selects the full ones; a variable for each overrides it.

import { randomInt } from "node:crypto";

export const isFull = process.env.TEST_SIZE === "full";

const choose = (quick: number, full: number) => (isFull ? full : quick);

export const SIZES = {
  /** How often test/server/crash/kill.full.test.ts kills a server, in each of its tests. */
  crashRounds: Number(process.env.CRASH_ROUNDS ?? 4),
  /** How long fsync takes at least in those. */
  fsyncMs: Number(process.env.CRASH_FSYNC_MS ?? 120),
  /** How often processes race for a lock, in each of the lock's tests. */
  lockRounds: choose(10, 30),
  /** Every how many-th call to the disk fails in turn. */
  everyDiskCall: choose(4, 1),
  /** Random histories of an environment's files. */
  histories: Number(process.env.HISTORIES ?? choose(10, 80)),
  /** Requests that no client sends, to each of server and mock. */
  fuzzRequests: Number(process.env.FUZZ_REQUESTS ?? 800),
  fuzzSeed: Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31)),
  /** Seeds that `verify` is tried with on the reference server, and random requests of each property with each seed. */
  verifyRuns: Number(process.env.VERIFY_RUNS ?? 1),
  verifyRequests: choose(8, 50),
  /** Every how many-th wrong contract `verify` is run with. */
  everyContractMutant: Number(process.env.EVERY_MUTANT ?? 16),
  /** Every how many-th bug is planted in the second independent implementation. */
  everyBug: Number(process.env.EVERY_BUG ?? choose(8, 1)),
  everyProxiedBug: Number(process.env.EVERY_BUG ?? choose(16, 1)),
  /** Every how many-th proposal that changes the two operations is verified with the whole suite. */
  everyVerifiedProposal: Number(process.env.EVERY_PROPOSAL ?? 2),
  /** Every how many-th edit of the contract is judged, and proven on servers of both versions. */
  everyEdit: choose(8, 1),
  everyProof: choose(72, 1),
  /** Every how many-th proposal is served. */
  everyProposal: choose(24, 1),
};
