import { describe, expect, test } from "vitest";
import { createAdjustableClock, createFrozenClock } from "../../../src/core/domain/clock.js";
import {
  type Change,
  type EnvironmentData,
  type EnvironmentState,
  toMemory,
  toPlain,
} from "../../../src/core/domain/state.js";
import { CannotStoreError, type ChangeLog, createStoredEnvironment } from "../../../src/core/state/environment.js";
import { createEnvironmentState } from "../../../src/core/state/environment-state.js";
import { createFromSeed } from "../../../src/core/state/seed.js";
import { contract } from "../../support/contract.js";
import { createRandom } from "../../support/random.js";
import { createScriptedLog } from "../../support/scripted-log.js";
import { createSmallSeed } from "../../support/small-seed.js";

const NOW = new Date("2026-06-01T00:00:00.000Z");
const PARTS = { name: "small", clock: createAdjustableClock(createFrozenClock(NOW)) };
const DISK_FULL = new Error("ENOSPC");

describe("transact › one after the other", () => {
  test("callers that wait while a commit is written share the next one", async () => {
    const log = createScriptedLog();
    const environment = open(log);
    const results = Array.from({ length: 100 }, () => environment.transact(increment));

    const first = await log.takeCommit();
    expect(first.changes).toHaveLength(1);
    first.succeed();
    const second = await log.takeCommit();
    expect(second.changes).toHaveLength(99);
    second.succeed();

    expect(await Promise.all(results)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(log.count).toBe(2);
  });

  test("a caller's promise settles with its own commit, while a later one is still written", async () => {
    const log = createScriptedLog();
    const environment = open(log);
    const first = environment.transact(increment);
    const second = environment.transact(increment);
    let isSecondSettled = false;
    void second.then(() => (isSecondSettled = true));

    (await log.takeCommit()).succeed();
    const later = await log.takeCommit();
    expect(await first).toBe(1);
    expect(isSecondSettled).toBe(false);
    later.succeed();
    expect(await second).toBe(2);
  });

  test("a transaction without changes writes nothing", async () => {
    const log = createScriptedLog();
    const environment = open(log);
    expect(await environment.transact(read)).toBe(0);
    expect(log.count).toBe(0);
  });

  test("only the caller of a transaction that throws gets its error", async () => {
    const log = createScriptedLog();
    const environment = open(log);
    const before = environment.transact(increment);
    const refused = environment.transact(() => {
      throw new RangeError("no");
    });
    const after = environment.transact(increment);
    void log.takeCommit().then((commit) => commit.succeed());
    void log.takeCommit().then((commit) => commit.succeed());

    await expect(refused).rejects.toThrow(new RangeError("no"));
    expect(await Promise.all([before, after])).toEqual([1, 2]);
  });

  test("only the caller of a task that throws before its first await gets its error", async () => {
    const environment = open(createScriptedLog());
    const task = () => {
      throw new RangeError("no");
    };
    const [failed, after] = [environment.exclusive(task), environment.transact(read)];
    await expect(failed).rejects.toThrow(new RangeError("no"));
    expect(await after).toBe(0);
    expect(await environment.transact(read)).toBe(0);
  });
});

describe("transact › memory follows the disk", () => {
  test("a commit fails: each transaction with changes rejects, and none is visible", async () => {
    const log = createScriptedLog();
    const environment = open(log);
    const results = [environment.transact(increment), environment.transact(increment), environment.transact(increment)];
    const settled = Promise.allSettled(results);
    (await log.takeCommit()).fail(DISK_FULL);
    (await log.takeCommit()).fail(DISK_FULL);

    for (const outcome of await settled) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { name: "CannotStoreError", cause: DISK_FULL } });
    }
    expect(countOf(environment.state)).toBe(0);
  });

  test("a commit fails: a transaction without changes runs again, on the state without the lost ones", async () => {
    const log = createScriptedLog();
    const environment = open(log);
    const opening = environment.transact(increment); // its commit is under way while the others gather
    const lost = environment.transact(increment);
    const reader = environment.transact(read);
    const refused = environment.transact((state) => {
      if (countOf(state) > 1) throw new RangeError("more than one");
      return { result: "one at most", changes: [] };
    });
    void lost.catch(() => {});

    (await log.takeCommit()).succeed();
    (await log.takeCommit()).fail(DISK_FULL);
    expect(await opening).toBe(1);
    await expect(lost).rejects.toThrow(CannotStoreError);
    expect(await reader).toBe(1);
    expect(await refused).toBe("one at most");
  });

  test("whatever the disk does, memory equals the disk, and all acknowledged changes are in both", async () => {
    const random = createRandom(20_261_120);
    const state = createEnvironmentState(toMemory(createInitial()));
    const disk = createEnvironmentState(toMemory(createInitial())); // what reading it back would give
    let commits = 0;
    const log: ChangeLog = {
      async append(changes) {
        commits += 1;
        expect(toPlain(state.toData())).toEqual(toPlain(disk.toData()));
        await Promise.resolve();
        if (random.chance(0.3)) throw DISK_FULL;
        disk.apply(changes);
        expect(toPlain(state.toData())).not.toEqual(toPlain(disk.toData()));
      },
    };
    const environment = createStoredEnvironment({ ...PARTS, state, log });
    let acknowledged = 0;
    const callers = Array.from({ length: 20 }, async () => {
      for (let call = 0; call < 20; call += 1) {
        await environment.transact(increment).then(
          () => (acknowledged += 1),
          (error: unknown) => expect(error).toBeInstanceOf(CannotStoreError),
        );
        if (random.chance(0.5)) await new Promise((resolve) => setImmediate(resolve));
      }
    });
    await Promise.all(callers);

    expect(toPlain(state.toData())).toEqual(toPlain(disk.toData()));
    expect(countOf(disk)).toBe(acknowledged);
    expect(acknowledged).toBeGreaterThan(100);
    expect(acknowledged).toBeLessThan(400);
    expect(commits).toBeLessThan(400);
  });
});

function open(log: ChangeLog) {
  return createStoredEnvironment({ ...PARTS, state: createEnvironmentState(toMemory(createInitial())), log });
}

function createInitial(): EnvironmentData {
  return createFromSeed(createSmallSeed(), contract, "small", NOW);
}

/** Reads a count, adds one and writes it back: a lost update shows. */
function increment(state: EnvironmentState): { result: number; changes: Change[] } {
  const count = countOf(state) + 1;
  const recordedAt = NOW.toISOString();
  const response = { key: "count", fingerprint: "f", recordedAt, status: 200, headers: {}, body: count };
  return { result: count, changes: [{ type: "responseRecorded", response }] };
}

function read(state: EnvironmentState): { result: number; changes: Change[] } {
  return { result: countOf(state), changes: [] };
}

function countOf(state: EnvironmentState): number {
  return (state.recordedResponse("count")?.body ?? 0) as number;
}
