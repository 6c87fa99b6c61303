// Every call to the disk fails once, and the disk fails for good at every call: acknowledged changes are stored,
// rejected ones are not, and once the disk works again, so does the server.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { resetFolder } from "../../../src/cli/reset-folder.js";
import { toMemory, toPlain } from "../../../src/core/domain/state.js";
import { CannotStoreError, type Environment } from "../../../src/core/state/environment.js";
import { createEnvironmentState } from "../../../src/core/state/environment-state.js";
import { createFiles, createFormat, openFiles } from "../../../src/server/store/durable-environment.js";
import { contract } from "../../support/contract.js";
import { change, compact, create, emailsOf, format, type OnDisk, open, small } from "../../support/disk-environment.js";
import { FaultyDisk } from "../../support/faulty-disk.js";
import { createReference } from "../../support/reference.js";
import { isFull, SIZES } from "../../support/sizes.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { NOW, openSmallStore } from "../../support/small-store.js";
import { readStored } from "../../support/stored-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const disk = new FaultyDisk();

/** What was written can be undone if one call alone fails. */
type Fault = [title: string, toRefusals: (n: number) => (call: number) => boolean, canUndo: boolean];
const faults: Fault[] = [
  ["one call fails", (n) => (call) => call === n, true],
  ["two calls in a row fail", (n) => (call) => call === n || call === n + 1, false],
  ["the disk fails for good", (n) => (call) => call >= n, false],
];

/** Lets each call to the disk be the first to fail. A run says how many there were, and whether one was rejected. */
async function failInTurn(run: (n: number) => Promise<{ calls: number; isRejected: boolean }>): Promise<void> {
  let rejections = 0;
  for (let n = 1, isReached = true; isReached; n += SIZES.everyDiskCall) {
    const { calls, isRejected } = await run(n);
    isReached = calls >= n;
    if (isRejected) rejections += 1;
  }
  expect(rejections).toBeGreaterThan(0);
}

describe.each(isFull ? faults : faults.slice(0, 1))("whichever call it is, %s", (_title, toRefusals, canUndo) => {
  test("a change is stored or rejected, never in part", () =>
    failInTurn(async (n) => {
      const folder = await createTemporaryFolder();
      const onDisk = await create(folder);
      const { environment, files } = onDisk;
      disk.refuse(toRefusals(n));
      const outcome = await changeAndCompact(onDisk);
      const crashed = await copyOf(folder); // as a kill at this moment would leave it
      const calls = disk.heal();

      expect(emailsOf(environment.state.toData())).toEqual(outcome.acknowledged);
      const possible = canUndo ? [outcome.acknowledged] : withUncertain(outcome);
      expect(possible).toContainEqual(emailsOf(readStored(crashed)));
      await expectReadBack(crashed, possible);

      await change(environment, "subscriber-1", true); // without a restart
      await compact(onDisk);
      expect(files.isComplete).toBe(true);
      expect(readStored(folder)).toEqual(toPlain(environment.state.toData()));
      await files.close();
      return { calls, isRejected: outcome.isRejected };
    }));

  test("files are created as a whole, or not at all", () =>
    failInTurn(async (n) => {
      const path = `${await createTemporaryFolder()}/default.json`;
      disk.refuse(toRefusals(n));
      const state = createEnvironmentState(toMemory(small));
      const created = await createFiles(path, format, state).catch(() => undefined);
      const calls = disk.heal();
      await created?.close();
      const opened = await openFiles(path, format);
      if (created) expect(opened).toBeDefined();
      else if (canUndo) expect(opened).toBeUndefined();
      if (opened) expect(toPlain(opened.files.state.toData())).toEqual(small);
      await opened?.files.close();
      return { calls, isRejected: created === undefined };
    }));

  test("a rejected removal removes nothing", () =>
    failInTurn(async (n) => {
      const folder = await createTemporaryFolder();
      const store = await openSmallStore(folder);
      const other = { name: "other", apiKey: "other key", seed: createSmallSeed(), isDurable: true };
      const environment = await store.create(other);
      await change(environment, "subscriber-1", false);
      disk.refuse(toRefusals(n));
      const error = await store.remove(environment).catch((reason: unknown) => reason);
      const calls = disk.heal();
      if (error) expect(error).toBeInstanceOf(CannotStoreError);
      else await change(await store.create(other), "subscriber-2", false); // name and key are free
      await store.close();
      const restarted = await openSmallStore(folder);
      const survivor = restarted.environmentOf("other key");
      if (!error || canUndo) expect(survivor).toBeDefined();
      const emails = { [error ? "subscriber-1" : "subscriber-2"]: false };
      if (survivor) expect(emailsOf(survivor.state.toData())).toEqual(emails);
      await restarted.close();
      const files = ["default.journal", "default.json", ...(survivor ? ["other.journal", "other.json"] : [])];
      expect(readdirSync(folder)).toEqual(files);
      return { calls, isRejected: error !== undefined };
    }));
});

describe("a reset on a failing disk", () => {
  const damages: [string, (folder: string) => void][] = [
    ["after a kill", () => {}],
    ["of an invalid JSON file", (folder) => writeFileSync(`${folder}/default.json`, "{")],
    ["of an invalid journal", (folder) => writeFileSync(`${folder}/default.journal`, "mine")],
  ];
  const rows = damages.flatMap(([title, damage]) =>
    faults.map(([how, toRefusals, canUndo]) => ({ title, damage, how, toRefusals, canUndo })),
  );
  test.each(isFull ? rows : rows.filter(({ how }) => how !== "two calls in a row fail"))(
    "$title, $how: it changes nothing, or everything",
    async ({ damage, toRefusals, canUndo }) => {
      const seed = createSmallSeed();
      const open = (folder: string) => openSmallStore(folder, { seed: () => Promise.reject(new Error("none")) });
      await failInTurn(async (n) => {
        const folder = await createTemporaryFolder();
        await resetFolder(folder, seed, contract, NOW);
        const path = `${folder}/default.json`;
        const written = await openFiles(path, createFormat(contract, "default", path));
        const preferences = { subscriberId: "subscriber-1", global: { email: false }, workflows: [] };
        await written?.files.append([{ type: "preferencesSet", preferences }]);
        await written?.files.close();
        damage(folder);
        const toState = async () => {
          const store = await open(folder).catch((error: Error) => error.message);
          if (typeof store === "string") return store;
          const emails = emailsOf((store.environments[0] as Environment).state.toData());
          await store.close();
          return emails;
        };
        const textsIn = (place: string) =>
          ["json", "journal"].map((end) => readFileSync(`${place}/default.${end}`, "utf8"));
        const [json, journal] = textsIn(folder);
        disk.refuse(toRefusals(n));
        const error = await resetFolder(folder, seed, contract, new Date()).catch((reason: unknown) => reason);
        const calls = disk.heal();
        const crashed = await copyOf(folder);
        if (!error) expect(await toState()).toEqual({});
        else {
          const state = await toState();
          const before = readFileSync(`${crashed}/default.json`, "utf8") === json;
          if (before && canUndo) expect(textsIn(crashed)).toEqual([json, journal]); // once fixed, all is there
          if (typeof state === "string")
            expect(state).toContain("reset --data"); // as before
          else if (state["subscriber-1"] === undefined) expect(before).toBe(false);
          const files = readdirSync(crashed).map((file) => readFileSync(`${crashed}/${file}`, "utf8"));
          expect(files.some((text) => text === json || text.includes('"email":false'))).toBe(true);
          expect(files.some((text) => text === journal || text.includes('"email":false'))).toBe(true);
          await resetFolder(folder, seed, contract, NOW); // the remedy still works
          expect(await toState()).toEqual({});
        }
        return { calls, isRejected: error !== undefined };
      });
    },
  );
});

test("a deletion that the disk rejects leaves the environment with its key, its faults and its state", async () => {
  const { send, store } = await createReference({ folder: await createTemporaryFolder() });
  const path = "/_control/environments/other";
  await send({ method: "POST", url: "/_control/environments", body: { name: "other", apiKey: "k", durable: true } });
  await send({ method: "POST", url: `${path}/faults`, body: { status: 429 } });
  await change(store.environmentOf("k") as Environment, "ines-moreau", false);
  const before = (await send({ url: path })).body;

  disk.refuse(() => true);
  const refused = await send({ method: "DELETE", url: path });
  expect(disk.heal()).toBeGreaterThan(0);
  expect(refused.status).toBe(503);
  expect((await send({ url: path })).body).toEqual({ ...before, lastUsedAt: expect.any(String) });
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
  isRejected: boolean;
  /** Those that may be stored, as their errors say. */
  uncertain: [string, boolean][];
}

/** Changes, compacts, and changes while it compacts; each may be rejected by the disk. */
async function changeAndCompact(onDisk: OnDisk): Promise<Outcome> {
  const { environment } = onDisk;
  const outcome: Outcome = { acknowledged: {}, isRejected: false, uncertain: [] };
  const attempt = async (subscriberId: string, email: boolean) => {
    await change(environment, subscriberId, email).then(
      () => (outcome.acknowledged[subscriberId] = email),
      (error: unknown) => {
        expect(error).toBeInstanceOf(CannotStoreError);
        if ((error as CannotStoreError).isUncertain) outcome.uncertain.push([subscriberId, email]);
        outcome.isRejected = true;
      },
    );
    expect(emailsOf(environment.state.toData())).toEqual(outcome.acknowledged);
  };
  for (const [subscriberId, email] of [
    ["subscriber-1", false],
    ["subscriber-2", false],
    ["subscriber-1", true],
  ] as const) {
    await attempt(subscriberId, email);
    let isCompacting = true;
    const compacted = compact(onDisk)
      .catch((error: Error) => expect(error.message).toContain("EIO"))
      .finally(() => (isCompacting = false));
    for (let turn = 0; isCompacting && turn < 3; turn += 1) await attempt(`while compacting ${turn}`, email);
    await compacted;
  }
  return outcome;
}

/** What was acknowledged, alone or with one of the changes whose rejection is uncertain. */
function withUncertain({ acknowledged, uncertain }: Outcome): Record<string, boolean>[] {
  return [acknowledged, ...uncertain.map(([id, email]) => ({ ...acknowledged, [id]: email }))];
}

async function expectReadBack(folder: string, possible: Record<string, boolean>[]): Promise<void> {
  const onDisk = await open(folder);
  const { environment, files } = onDisk;
  expect(possible).toContainEqual(emailsOf(environment.state.toData()));
  await change(environment, "subscriber-2", true);
  await compact(onDisk);
  expect(readStored(folder)).toEqual(toPlain(environment.state.toData()));
  await files.close();
}

async function copyOf(folder: string): Promise<string> {
  const copy = await createTemporaryFolder();
  cpSync(folder, copy, { recursive: true }); // no call of the disk that fails
  return copy;
}
