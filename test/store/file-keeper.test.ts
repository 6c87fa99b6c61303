// When the keeper of an environment's files writes, and when it gives up what was replaced: by its own clock.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Environment } from "../../src/store/environment.js";
import { keepFile } from "../../src/store/file-keeper.js";
import type { JournaledFile } from "../../src/store/journaled-file.js";

const LOOK_MS = 200;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("it writes once nothing has come for two looks, and gives up the replaced text when nothing comes after that", async () => {
  const calls: string[] = [];
  let pending = 0;
  const file = {
    get pending() {
      return pending;
    },
    isJournalLong: false,
    look: async () => ({ appearance: "the same", owner: "us" as const }),
    async fold() {
      calls.push("fold");
      pending = 0;
    },
    release: async () => void calls.push("release"),
  } as unknown as JournaledFile;
  const stop = keepFile("default.json", file, {} as Environment, () => expect.unreachable());
  const lookAfter = async (commits: number) => {
    pending += commits;
    await vi.advanceTimersByTimeAsync(LOOK_MS);
    return calls.splice(0);
  };

  expect(await lookAfter(1)).toEqual([]);
  expect(await lookAfter(1)).toEqual([]);
  expect(await lookAfter(0)).toEqual(["fold"]);
  expect(await lookAfter(3), "commits came while it wrote").toEqual([]);
  expect(await lookAfter(3)).toEqual([]);
  expect(await lookAfter(0)).toEqual(["fold"]);
  await lookAfter(0);
  expect(await lookAfter(0)).toEqual(["release"]);
  await stop();
});
