// Every call to the disk fails once, and the disk fails for good at every call: what is acknowledged is there, what is
// refused is not, and once the disk works again all goes on.
import { readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { describe, expect, test, vi } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { systemClock } from "../../src/domain/clock.js";
import { createFiles, openFiles } from "../../src/store/disk/environment-files.js";
import type { JournaledFile } from "../../src/store/disk/journaled-file.js";
import { CannotStoreError, type Environment } from "../../src/store/environment.js";
import { toContents, toData } from "../../src/store/format/environment-contents.js";
import { createEnvironmentState } from "../../src/store/state/environment-state.js";
import { openStore } from "../../src/store/store.js";
import { change, compact, create, emailsOf, open, placeIn, small } from "../support/disk-environment.js";
import { heal, refuse } from "../support/failing-disk.js";
import { createReference } from "../support/reference.js";
import { SIZES } from "../support/sizes.js";
import { createSmallSeed } from "../support/small-seed.js";
import { readStored } from "../support/stored-environment.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

vi.mock("node:fs/promises", async (original) =>
  (await import("../support/failing-disk.js")).toFailingDisk(await original<typeof import("node:fs/promises")>()),
);

type Disk = [
  title: string,
  toRefusals: (n: number) => (call: number) => boolean,
  can: { cutOff: boolean; undo: boolean },
];
const disks: Disk[] = [
  ["one call fails", (n) => (call) => call === n, { cutOff: true, undo: true }],
  ["two calls in a row fail", (n) => (call) => call === n || call === n + 1, { cutOff: true, undo: false }],
  ["the disk fails for good", (n) => (call) => call >= n, { cutOff: false, undo: false }],
];

describe("whichever call to the disk it is", () => {
  test.each(disks)(
    "%s: a change is there or refused, and nothing is half there",
    async (_title, toRefusals, { cutOff }) => {
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
        const possible = cutOff ? [outcome.acknowledged] : withUncertain(outcome);
        expect(possible).toContainEqual(emailsOf(readStored(crashed)));
        await expectReadBack(crashed, possible);

        await change(environment, "subscriber-1", true); // without a restart
        await compact({ file, environment });
        expect(file.pending).toBe(0);
        expect(readStored(folder)).toEqual(toData(environment.state.toContents()));
        await file.close();
      }
      expect(refusals).toBeGreaterThan(3);
    },
  );

  test.each(disks)("%s while files are made: none, or whole ones", async (_title, toRefusals, { undo }) => {
    let refusals = 0;
    for (let n = 1, isReached = true; isReached; n += 1) {
      const folder = await createTemporaryFolder();
      refuse(toRefusals(n));
      const file = await createFiles(placeIn(folder), toContents(small)).catch((error: Error) => error);
      isReached = heal() >= n;
      if (file instanceof Error) refusals += 1;
      else await file.close();
      const files = await openFiles(placeIn(folder));
      if (!(file instanceof Error)) expect(files).toBeDefined();
      else if (undo) expect(files).toBeUndefined();
      if (files) expect(toData(createEnvironmentState(files.stored.contents).toContents())).toEqual(small);
      await files?.file.close();
    }
    expect(refusals).toBeGreaterThan(3);
  });
});

test.each(disks)(
  "whichever call it is, %s: a removal that was rejected is none",
  async (_title, toRefusals, { undo }) => {
    const contract = await loadContract();
    let refusals = 0;
    for (let n = 1, isReached = true; isReached; n += 1) {
      const folder = await createTemporaryFolder();
      const seed = async () => createSmallSeed();
      const openIt = () => openStore({ contract, folder, apiKey: "key", seed, clock: systemClock });
      const store = await openIt();
      const other = { name: "other", apiKey: "other key", seed: await seed(), isDurable: true };
      const environment = await store.create(other);
      await change(environment, "subscriber-1", false);
      refuse(toRefusals(n));
      const error = await store.remove(environment).catch((reason: unknown) => reason);
      isReached = heal() >= n;
      if (error) {
        expect(error).toBeInstanceOf(CannotStoreError);
        refusals += 1;
      } else {
        await change(await store.create(other), "subscriber-2", false); // name and key are free
      }
      await store.close();
      const restarted = await openIt();
      const survivor = restarted.environmentOf("other key");
      if (!error || undo) expect(survivor).toBeDefined();
      if (survivor)
        expect(emailsOf(survivor.state.toContents())).toEqual({ [error ? "subscriber-1" : "subscriber-2"]: false });
      await restarted.close();
      const files = ["default.journal", "default.json", ...(survivor ? ["other.journal", "other.json"] : [])];
      expect(readdirSync(folder)).toEqual(files);
    }
    expect(refusals).toBeGreaterThan(0);
  },
);

test("a deletion that the disk refuses leaves the environment with its key, its faults and its state", async () => {
  const { send, store } = await createReference({ folder: await createTemporaryFolder() });
  const path = "/_control/environments/other";
  await send({ method: "POST", url: "/_control/environments", body: { name: "other", apiKey: "k", durable: true } });
  await send({ method: "POST", url: `${path}/faults`, body: { status: 429 } });
  await change(store.environmentOf("k") as Environment, "ines-moreau", false);
  const before = (await send({ url: path })).body;

  refuse(() => true);
  const refused = await send({ method: "DELETE", url: path });
  expect(heal()).toBeGreaterThan(0);
  expect(refused.status).toBe(503);
  expect((await send({ url: path })).body).toEqual(before);
  expect(before).toMatchObject({ apiKey: "k", faults: 1 });
  const injected = await send({ url: "/v1/notifications", headers: { authorization: "ApiKey k" } });
  expect(injected.status).toBe(429);
  expect(store.environmentOf("k")?.state.preferencesOf("ines-moreau").global).toEqual({ email: false });

  expect((await send({ method: "DELETE", url: path })).status).toBe(204);
  expect((await send({ url: path })).status).toBe(404);
  await store.close();
});

interface Outcome {
  acknowledged: Record<string, boolean>;
  refused: [string, boolean][];
  /** Those that are said to be possibly there. */
  uncertain: [string, boolean][];
}

/** Changes, compacts, and changes while it compacts; each may be rejected by the disk. */
async function changeAndCompact(environment: Environment, file: JournaledFile): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: {}, refused: [], uncertain: [] };
  const attempt = async (subscriberId: string, email: boolean) => {
    await change(environment, subscriberId, email).then(
      () => (outcome.acknowledged[subscriberId] = email),
      (error: unknown) => {
        expect(error).toBeInstanceOf(CannotStoreError);
        if ((error as CannotStoreError).isUncertain) outcome.uncertain.push([subscriberId, email]);
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
    const compacted = compact({ file, environment })
      .catch((error: Error) => expect(error.message).toContain("EIO"))
      .finally(() => (isCompacting = false));
    for (let turn = 0; isCompacting && turn < 3; turn += 1) await attempt(`while compacting ${turn}`, email);
    await compacted;
  }
  return outcome;
}

/** What was acknowledged, alone or with one of the changes that were rejected without a promise. */
function withUncertain({ acknowledged, uncertain }: Outcome): Record<string, boolean>[] {
  return [acknowledged, ...uncertain.map(([id, email]) => ({ ...acknowledged, [id]: email }))];
}

async function expectReadBack(folder: string, possible: Record<string, boolean>[]): Promise<void> {
  const { environment, file } = await open(folder);
  expect(possible).toContainEqual(emailsOf(environment.state.toContents()));
  await change(environment, "subscriber-2", true);
  await compact({ file, environment });
  expect(readStored(folder)).toEqual(toData(environment.state.toContents()));
  await file.close();
}

async function copyOf(folder: string): Promise<string> {
  const copy = await createTemporaryFolder();
  await cp(folder, copy, { recursive: true });
  return copy;
}
