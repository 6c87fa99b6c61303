// When the compactor of an environment's files writes, by its own clock.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChangingState } from "../../../src/core/state/environment-state.js";
import { Compactor, type Notify } from "../../../src/server/store/disk/compactor.js";
import type { EnvironmentFiles } from "../../../src/server/store/disk/environment-files.js";

const POLL_MS = 200;
const POLLS_SKIPPED = 20;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("compacts a long journal although commits keep coming", async () => {
  const { file, pollAfter, finish } = start();
  expect(await pollAfter(2)).toEqual([]);
  file.isJournalLong = true;
  expect(await pollAfter(2)).toEqual(["compact"]);
  file.isJournalLong = false;
  expect(await pollAfter(6)).toEqual([]);
  expect(await pollAfter(2)).toEqual([]);
  await finish();
});

test("reports a failing write once, and tries again later", async () => {
  const { file, reports, pollAfter, finish } = start();
  file.error = new Error("ENOSPC: no space left on device");
  await pollAfter(1);
  expect(await pollAfter(0)).toEqual(["compact"]);
  for (let poll = 0; poll < POLLS_SKIPPED; poll += 1) expect(await pollAfter(0)).toEqual([]);
  expect(await pollAfter(0)).toEqual(["compact"]);
  file.error = undefined;
  for (let poll = 0; poll < POLLS_SKIPPED; poll += 1) expect(await pollAfter(0)).toEqual([]);
  expect(await pollAfter(0)).toEqual(["compact"]);
  expect(file.pendingBytes).toBe(0);
  expect(reports).toEqual([
    "warn default.json could not be brought up to date. " +
      "Nothing is lost: the journal beside it holds what it lacks.\nENOSPC: no space left on device",
  ]);
  await finish();
});

/** Looks after a file that only counts its commits, and says after each poll what was done with it. */
function start() {
  const calls: string[] = [];
  const reports: string[] = [];
  const file = {
    path: "default.json",
    pendingBytes: 0,
    isJournalLong: false,
    error: undefined as Error | undefined,
    look: async () => ({ stamp: "the same", writer: "this process" as const, isJournalInPlace: true }),
    async compact() {
      calls.push("compact");
      if (file.error) throw file.error;
      file.pendingBytes = 0;
    },
  };
  const report: Notify = (level, message) => void reports.push(`${level} ${message}`);
  const exclusive = <T>(task: () => Promise<T>) => task();
  const environment = { exclusive, state: { toData: () => ({}) } as ChangingState };
  const compactor = new Compactor(file as unknown as EnvironmentFiles, environment, report);
  compactor.start();
  const pollAfter = async (commits: number) => {
    file.pendingBytes += commits;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    return calls.splice(0);
  };
  return { file, reports, pollAfter, finish: () => compactor.finish() };
}
