// When the keeper of an environment's files writes, and when it gives up what was replaced: by its own clock.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Environment } from "../../src/store/environment.js";
import { keepFile, type Report } from "../../src/store/file-keeper.js";
import type { JournaledFile } from "../../src/store/journaled-file.js";

const LOOK_MS = 200;
const LOOKS_LEFT_OUT = 20;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("it writes once nothing has come for two looks, and gives up the replaced text when nothing comes after that", async () => {
  const { reports, lookAfter, stop } = keep();
  expect(await lookAfter(1)).toEqual([]);
  expect(await lookAfter(1)).toEqual([]);
  expect(await lookAfter(0)).toEqual(["fold"]);
  expect(await lookAfter(3), "commits came while it wrote").toEqual([]);
  expect(await lookAfter(3)).toEqual([]);
  expect(await lookAfter(0)).toEqual(["fold"]);
  await lookAfter(0);
  expect(await lookAfter(0)).toEqual(["release"]);
  await stop();
  expect(reports).toEqual([]);
});

test("it writes a long journal down although commits keep coming", async () => {
  const { file, lookAfter, stop } = keep();
  expect(await lookAfter(2)).toEqual([]);
  file.isJournalLong = true;
  expect(await lookAfter(2)).toEqual(["fold"]);
  file.isJournalLong = false;
  expect(await lookAfter(6)).toEqual([]);
  expect(await lookAfter(2)).toEqual([]);
  await stop();
});

test("what could not be written is said once, left for a while, and written then", async () => {
  const { file, reports, lookAfter, stop } = keep();
  file.fault = new Error("ENOSPC: no space left on device");
  await lookAfter(1);
  expect(await lookAfter(0)).toEqual(["fold"]);
  for (let look = 0; look < LOOKS_LEFT_OUT; look += 1) expect(await lookAfter(0)).toEqual([]);
  expect(await lookAfter(0)).toEqual(["fold"]);
  file.fault = undefined;
  for (let look = 0; look < LOOKS_LEFT_OUT; look += 1) expect(await lookAfter(0)).toEqual([]);
  expect(await lookAfter(0)).toEqual(["fold"]);
  expect(file.pending).toBe(0);
  expect(reports).toEqual([
    "warn default.json could not be brought up to date. Nothing is lost: the journal beside it holds what it lacks.\nENOSPC: no space left on device",
  ]);
  await stop();
});

/** Keeps a file that only counts its commits, and tells after each look what was done with it. */
function keep() {
  const calls: string[] = [];
  const reports: string[] = [];
  const file = {
    pending: 0,
    isJournalLong: false,
    fault: undefined as Error | undefined,
    look: async () => ({ appearance: "the same", owner: "us" as const }),
    async fold() {
      calls.push("fold");
      if (file.fault) throw file.fault;
      file.pending = 0;
    },
    release: async () => void calls.push("release"),
  };
  const report: Report = (level, message) => void reports.push(`${level} ${message}`);
  const stop = keepFile("default.json", file as unknown as JournaledFile, {} as Environment, report);
  const lookAfter = async (commits: number) => {
    file.pending += commits;
    await vi.advanceTimersByTimeAsync(LOOK_MS);
    return calls.splice(0);
  };
  return { file, reports, lookAfter, stop };
}
