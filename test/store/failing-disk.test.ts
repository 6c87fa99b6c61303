// Every call to the disk fails once, and the disk fails for good at every call: what is acknowledged is there, what is
// refused is not, and once the disk works again all goes on.
import { cp } from "node:fs/promises";
import { describe, expect, test, vi } from "vitest";
import { createAdjustableClock, systemClock } from "../../src/domain/clock.js";
import { createFiles, openFiles } from "../../src/store/disk/environment-files.js";
import type { EnvironmentPlace } from "../../src/store/disk/environment-place.js";
import type { JournaledFile } from "../../src/store/disk/journaled-file.js";
import { CannotStoreError, createEnvironment, type Environment } from "../../src/store/environment.js";
import { toContents, toData } from "../../src/store/environment-contents.js";
import { createEnvironmentState } from "../../src/store/environment-state.js";
import { heal, refuse } from "../support/failing-disk.js";
import { SIZES } from "../support/sizes.js";
import { createSmallSeed } from "../support/small-seed.js";
import { readStored } from "../support/stored-environment.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

vi.mock("node:fs/promises", async (original) =>
  (await import("../support/failing-disk.js")).toFailingDisk(await original<typeof import("node:fs/promises")>()),
);

const { asOf: _asOf, ...small } = createSmallSeed();

const disks: [title: string, toRefusals: (n: number) => (call: number) => boolean, isTakenBack: boolean][] = [
  ["one call fails", (n) => (call) => call === n, true],
  ["two calls in a row fail", (n) => (call) => call === n || call === n + 1, true],
  ["the disk fails for good", (n) => (call) => call >= n, false], // nor can it cut off what it has refused
];

describe("whichever call to the disk it is", () => {
  test.each(disks)(
    "%s: a change is there or refused, and nothing is half there",
    async (_title, toRefusals, isTakenBack) => {
      let refusals = 0;
      for (let n = 1, isReached = true; isReached; n += SIZES.everyDiskCall) {
        const folder = await createTemporaryFolder();
        const { environment, file } = await create(folder);
        refuse(toRefusals(n));
        const outcome = await changeAndCompact(environment, file);
        const crashed = await copyOf(folder); // as a kill at this moment would leave it
        isReached = heal() >= n;
        refusals += outcome.refused.length;

        expect(emailsOf(environment.state.toContents())).toEqual(outcome.acknowledged);
        const possible = isTakenBack ? [outcome.acknowledged] : withRefused(outcome);
        expect(possible).toContainEqual(emailsOf(readStored(crashed)));
        await expectReadBack(crashed, possible);

        await change(environment, "subscriber-1", true); // without a restart
        await compact(file, environment);
        expect(file.pending).toBe(0);
        expect(readStored(folder)).toEqual(toData(environment.state.toContents()));
        await file.close();
      }
      expect(refusals).toBeGreaterThan(3);
    },
  );

  test.each(disks)("%s while files are made: none, or whole ones", async (_title, toRefusals) => {
    let refusals = 0;
    for (let n = 1, isReached = true; isReached; n += SIZES.everyDiskCall) {
      const folder = await createTemporaryFolder();
      refuse(toRefusals(n));
      const file = await createFiles(placeIn(folder), toContents(small)).catch((error: Error) => error);
      isReached = heal() >= n;
      if (file instanceof Error) refusals += 1;
      else await file.close();
      const found = await openFiles(placeIn(folder));
      if (!(file instanceof Error)) expect(found).toBeDefined();
      if (found) expect(toData(createEnvironmentState(found.stored.contents).toContents())).toEqual(small);
      await found?.file.close();
    }
    expect(refusals).toBeGreaterThan(3);
  });
});

interface Outcome {
  acknowledged: Record<string, boolean>;
  refused: [string, boolean][];
}

/** Changes, compacts, and changes while it compacts; each may be rejected by the disk. */
async function changeAndCompact(environment: Environment, file: JournaledFile): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: {}, refused: [] };
  const attempt = async (subscriberId: string, email: boolean) => {
    await change(environment, subscriberId, email).then(
      () => (outcome.acknowledged[subscriberId] = email),
      (error: unknown) => {
        expect(error).toBeInstanceOf(CannotStoreError);
        outcome.refused.push([subscriberId, email]);
      },
    );
    expect(emailsOf(environment.state.toContents())).toEqual(outcome.acknowledged);
  };
  for (const [subscriberId, email] of [
    ["subscriber-1", false],
    ["subscriber-2", false],
    ["subscriber-1", true],
  ] as const) {
    await attempt(subscriberId, email);
    let isCompacting = true;
    const compacted = compact(file, environment)
      .catch((error: Error) => expect(error.message).toContain("EIO"))
      .finally(() => (isCompacting = false));
    for (let turn = 0; isCompacting && turn < 3; turn += 1) await attempt(`while compacting ${turn}`, email);
    await compacted;
  }
  return outcome;
}

/** What was acknowledged, alone or with one of the changes that were refused. */
function withRefused({ acknowledged, refused }: Outcome): Record<string, boolean>[] {
  return [acknowledged, ...refused.map(([id, email]) => ({ ...acknowledged, [id]: email }))];
}

async function expectReadBack(folder: string, possible: Record<string, boolean>[]): Promise<void> {
  const { environment, file } = await open(folder);
  expect(possible).toContainEqual(emailsOf(environment.state.toContents()));
  await change(environment, "subscriber-2", true);
  await compact(file, environment);
  expect(readStored(folder)).toEqual(toData(environment.state.toContents()));
  await file.close();
}

async function change(environment: Environment, subscriberId: string, email: boolean): Promise<void> {
  const preferences = { subscriberId, global: { email }, workflows: [] };
  await environment.transact(() => ({ result: undefined, changes: [{ type: "preferencesSet", preferences }] }));
}

function emailsOf({ preferences }: Pick<typeof small, "preferences">): Record<string, boolean | undefined> {
  return Object.fromEntries(preferences.map(({ subscriberId, global }) => [subscriberId, global.email]));
}

async function create(folder: string) {
  const file = await createFiles(placeIn(folder), toContents(small));
  return { file, environment: toEnvironment(createEnvironmentState(toContents(small)), file) };
}

async function open(folder: string) {
  const found = await openFiles(placeIn(folder));
  if (!found) throw new Error("the folder has no environment");
  const state = createEnvironmentState(found.stored.contents);
  state.apply(found.stored.changes);
  return { file: found.file, environment: toEnvironment(state, found.file) };
}

function toEnvironment(state: Environment["state"], log: JournaledFile): Environment {
  return createEnvironment({ name: "small", state, log, clock: createAdjustableClock(systemClock), isDurable: true });
}

function placeIn(folder: string): EnvironmentPlace {
  return {
    path: `${folder}/default.json`,
    contract: "a".repeat(64),
    parse: (bytes) => toContents(JSON.parse(bytes.toString())),
  };
}

function compact(file: JournaledFile, { state, exclusive }: Environment): Promise<void> {
  return file.compact({ snapshot: state.toContents, exclusive });
}

async function copyOf(folder: string): Promise<string> {
  const copy = await createTemporaryFolder();
  await cp(folder, copy, { recursive: true });
  return copy;
}
