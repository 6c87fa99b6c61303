// Sizes of tests. TEST_SIZE=full selects the full ones; single variables override them.

import { randomInt } from "node:crypto";

export const isFull = process.env.TEST_SIZE === "full";

/**
 * True once a week in CI: for what takes long and hardly ever breaks alone, such as the bench, recipes and further package
 * managers.
 */
export const isWeekly = process.env.WEEKLY !== undefined;

const choose = (quick: number, full: number) => (isFull ? full : quick);

export const SIZES = {
  /** How often each test of test/server/crash/kill.full.test.ts kills a server. */
  crashRounds: Number(process.env.CRASH_ROUNDS ?? (isWeekly ? 10 : 1)),
  /** The minimum duration of fsync in these tests. */
  fsyncMs: Number(process.env.CRASH_FSYNC_MS ?? 120),
  /** How often the contract is saved while the heap is measured. */
  saves: Number(process.env.SAVES ?? 9),
  /** Lets every n-th call to the disk fail in turn. */
  everyDiskCall: choose(4, 1),
  /** The number of random histories of an environment's files. */
  histories: Number(process.env.HISTORIES ?? choose(10, 40)),
  /** The number of malformed requests to server and mock each. */
  fuzzRequests: Number(process.env.FUZZ_REQUESTS ?? 400),
  fuzzSeed: Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31)),
  /** The number of seeds for `verify` on the reference server, and of random requests of each property. */
  verifyRuns: Number(process.env.VERIFY_RUNS ?? 1),
  verifyRequests: choose(8, 12),
  /** The number of random conforming variations that `verify` must not fail. */
  verifyVariations: Number(process.env.VERIFY_RUNS ?? (isWeekly ? 3 : 0)),
  /** The number of seeds for the backends of four frameworks. */
  verifyFrameworks: Number(process.env.VERIFY_RUNS ?? choose(1, 3)),
  /** Runs `verify` with every n-th wrong contract. */
  everyContractMutant: Number(process.env.EVERY_MUTANT ?? 24),
  /** Plants every n-th bug in the second implementation. */
  everyBug: Number(process.env.EVERY_BUG ?? choose(60, 20)),
  everyProxiedBug: Number(process.env.EVERY_BUG ?? choose(32, 4)),
  /**
   * Verifies every n-th proposal that changes the two operations with the whole suite, and every n-th other
   * contract.
   */
  everyVerifiedProposal: Number(process.env.EVERY_PROPOSAL ?? 144),
  everyVerifiedContract: Number(process.env.EVERY_PROPOSAL ?? 8),
  /** Judges every n-th edit of the contract, and proves it on servers of both versions. */
  everyEdit: choose(32, isWeekly ? 1 : 8),
  everyProof: Number(process.env.EVERY_PROOF ?? choose(144, 8)),
  /** The number of random pairs of schemas that are reviewed. */
  pairs: Number(process.env.PAIRS ?? 100),
  /** The number of random schemas that get a sample. */
  randomSchemas: Number(process.env.RANDOM_SCHEMAS ?? 20),
  /** Holds every n-th construct of a contract against its consumers. */
  everyConstruct: choose(8, isWeekly ? 1 : 4),
  /** Renders the pages of every n-th proposal. */
  everyPage: choose(4, isWeekly ? 1 : 2),
  /** Serves every n-th proposal. */
  everyProposal: Number(process.env.EVERY_PROPOSAL ?? choose(48, 12)),
};
