// Three sizes of the suite, by TEST_SIZE or Vitest's --mode (vitest.config.ts). `quick` has what needs few programs, with some
// rows of the long tables. `full` adds the files *.full.test.ts, and more rows. `weekly` adds all rows, and the tests with
// `isWeekly`: CONTRIBUTING.md lists them. Single variables override single sizes.

import { randomInt } from "node:crypto";

export const isWeekly = process.env.TEST_SIZE === "weekly";
export const isFull = isWeekly || process.env.TEST_SIZE === "full";

const choose = (full: number, weekly: number, quick = full) => (isWeekly ? weekly : isFull ? full : quick);

export const SIZES = {
  /** How often test/server/crash/kill.full.test.ts kills a server. */
  crashRounds: Number(process.env.CRASH_ROUNDS ?? choose(1, 10)),
  /** The minimum duration of fsync in these tests. */
  fsyncMs: Number(process.env.CRASH_FSYNC_MS ?? 120),
  /** How often the contract is saved while the heap is measured. */
  saves: choose(9, 200),
  /** Lets every n-th call to the disk fail in turn. */
  everyDiskCall: choose(4, 1, 8),
  /** The number of random histories of an environment's files. */
  histories: Number(process.env.HISTORIES ?? choose(10, 40, 5)),
  /** The number of malformed requests to server and mock each. */
  fuzzRequests: Number(process.env.FUZZ_REQUESTS ?? 400),
  fuzzSeed: Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31)),
  /** The number of seeds for `verify` on the reference server, and of random requests of each property. */
  verifyRuns: Number(process.env.VERIFY_RUNS ?? 1),
  verifyRequests: choose(8, 12),
  /** The number of random conforming variations that `verify` must not fail. */
  verifyVariations: Number(process.env.VERIFY_RUNS ?? choose(0, 5)),
  /** The number of seeds for each framework's back end. */
  verifyFrameworks: Number(process.env.VERIFY_RUNS ?? choose(1, 3)),
  /** Sends every n-th request of the corpus to server and fetch handler. */
  everyParityRequest: choose(1, 1, 6),
  /** Plants every n-th bug in the second implementation. */
  everyBug: Number(process.env.EVERY_BUG ?? choose(60, 1, 300)),
  everyProxiedBug: Number(process.env.EVERY_BUG ?? choose(64, 1)),
  /** Verifies a server of every n-th contract. */
  everyVerifiedContract: choose(16, 1),
  /** Judges every n-th edit of the contract, and proves it on servers of both versions. */
  everyEdit: choose(32, 1, 300),
  everyProof: choose(144, 1),
  /** Judges every n-th pair of smallest contracts, and sends the requests of every n-th to servers of both. */
  everyPair: choose(1, 1, 4),
  everyReplay: choose(16, 1),
  /** Sends every n-th request that the review judges to a server. */
  everyRequest: choose(1, 1, 8),
  /** The number of random pairs of schemas, and of rewritten ones. */
  pairs: Number(process.env.PAIRS ?? choose(10, 2000, 5)),
  /** The number of random schemas that get a sample. */
  randomSchemas: choose(3, 1500),
  /** Holds every n-th construct of a contract against its consumers. */
  everyConstruct: choose(12, 1),
  /** Renders the pages of every n-th proposal. */
  everyPage: choose(8, 1),
  /** Serves every n-th proposal. */
  everyProposal: choose(48, 1),
};
