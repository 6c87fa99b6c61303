// Random histories of one environment: changes, compactions, kills, hand edits, restored backups and removed files, on
// a disk that fails now and then. After each step the files hold what was acknowledged.
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CannotStoreError } from "../../../src/core/state/environment.js";
import { Compactor } from "../../../src/server/store/disk/compactor.js";
import { lockFolder } from "../../../src/server/store/disk/folder-lock.js";
import { create, emailsOf, type OnDisk, open } from "../../support/disk-environment.js";
import { heal, refuse, replaceByFailingDisk } from "../../support/failing-disk.js";
import { createRandom } from "../../support/random.js";
import { SIZES } from "../../support/sizes.js";
import { readStored } from "../../support/stored-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

replaceByFailingDisk();

const SEED = Number(process.env.HISTORY_SEED ?? 1);
const STEPS = 30;
const random = createRandom(SEED);

interface Expected {
  /** What each subscriber has set. */
  emails: Record<string, boolean | undefined>;
  /** What was rejected, but may be in the files. */
  uncertain: [subscriberId: string, email: boolean][];
}

test(
  `${SIZES.histories} histories of ${STEPS} steps (HISTORY_SEED=${SEED})`,
  async () => {
    const done: Record<string, number> = {};
    for (let history = 0; history < SIZES.histories; history += 1) await run(done);
    for (const [step, count] of Object.entries(done)) expect(count, step).toBeGreaterThan(SIZES.histories / 10);
  },
  60_000 + SIZES.histories * 1_000,
);

async function run(done: Record<string, number>): Promise<void> {
  const folder = await createTemporaryFolder();
  const unlock = await lockFolder(folder);
  let onDisk = await create(folder);
  const json = join(folder, "default.json");
  const journal = join(folder, "default.journal");
  let expected: Expected = { emails: {}, uncertain: [] };
  let backup: { json: Buffer; journal: Buffer; expected: Expected } | undefined;
  const trail: string[] = [];

  const steps: Record<string, () => unknown> = {
    change: () => change(onDisk, expected),
    changes: () => Promise.all([1, 2, 3].map(() => change(onDisk, expected))),
    poll: () => poll(onDisk),
    edit() {
      const data = JSON.parse(readFileSync(json, "utf8"));
      const subscriberId = `hand-${random.between(1, 3)}`;
      const email = random.chance(0.5);
      const others = data.preferences.filter(
        (stored: { subscriberId: string }) => stored.subscriberId !== subscriberId,
      );
      data.preferences = [...others, { subscriberId, global: { email }, workflows: [] }];
      expected.emails[subscriberId] = email;
      if (random.chance(0.5)) return write(json, JSON.stringify(data));
      write(`${json}.mine`, JSON.stringify(data));
      renameSync(`${json}.mine`, json);
    },
    async editBadly() {
      const whole = readFileSync(json);
      write(json, "{");
      await poll(onDisk);
      await change(onDisk, expected);
      expect(readFileSync(json, "utf8")).toBe("{");
      write(json, whole);
    },
    backUp() {
      backup = { json: readFileSync(json), journal: readFileSync(journal), expected: structuredClone(expected) };
    },
    async restore() {
      if (!backup) return;
      const { json: text, journal: lines } = backup;
      for (const [path, bytes] of [
        [journal, lines],
        [json, text],
      ] as const) {
        if (random.chance(0.5)) rmSync(path);
        write(path, bytes);
      }
      expected = structuredClone(backup.expected);
      await change(onDisk, expected);
      await poll(onDisk);
      settle(onDisk, expected, trail);
    },
    async remove() {
      const both = [json, journal];
      for (const path of random.chance(0.5) ? both : [random.pick(both)]) rmSync(path);
      const emails = { ...expected.emails };
      await change(onDisk, expected);
      expect(expected.emails).toEqual(emails); // nothing is acknowledged
      await poll(onDisk);
    },
    async kill() {
      await onDisk.files.close();
      onDisk = await open(folder);
      settle(onDisk, expected, trail);
    },
  };

  for (let step = 0; step < STEPS; step += 1) {
    const name = random.pick(Object.keys(steps));
    trail.push(name);
    done[name] = (done[name] ?? 0) + 1;
    const isFailing = ["change", "changes", "poll"].includes(name) && random.chance(0.3);
    if (isFailing) refuse(() => random.chance(0.3));
    await steps[name]?.();
    heal();
    if (name.startsWith("edit")) await poll(onDisk);
    expect(emailsOf(onDisk.environment.state.toData()), trail.join()).toEqual(expected.emails);
    expectPossible(emailsOf(readStored(folder)), expected, trail); // as a kill at this moment would leave it
  }
  await poll(onDisk);
  await onDisk.files.close();
  expect(emailsOf(JSON.parse(readFileSync(json, "utf8"))), trail.join()).toEqual(expected.emails);
  unlock();
}

async function change({ environment }: OnDisk, expected: Expected): Promise<void> {
  const subscriberId = `subscriber-${random.between(1, 4)}`;
  const email = random.chance(0.5);
  const preferences = { subscriberId, global: { email }, workflows: [] };
  try {
    await environment.transact(() => ({ result: undefined, changes: [{ type: "preferencesSet", preferences }] }));
    Object.assign(expected, { emails: { ...expected.emails, [subscriberId]: email }, uncertain: [] });
  } catch (error) {
    expect(error).toBeInstanceOf(CannotStoreError);
    if ((error as CannotStoreError).isUncertain) expected.uncertain.push([subscriberId, email]);
  }
}

/** What the compactor does when it has waited long enough. */
function poll({ files, environment }: OnDisk): Promise<void> {
  return new Compactor(files, environment, () => {}).finish();
}

let times = 1_000_000_000; // in seconds

/** Two texts of the same length that are written within one tick of the system's clock would look the same. */
function write(path: string, text: string | Buffer): void {
  writeFileSync(path, text);
  times += 1;
  utimesSync(path, times, times);
}

/** After files were read: what is uncertain is there now, or will never be. */
function settle({ environment }: OnDisk, expected: Expected, trail: string[]): void {
  const emails = emailsOf(environment.state.toData());
  expectPossible(emails, expected, trail);
  Object.assign(expected, { emails, uncertain: [] });
}

function expectPossible(emails: Expected["emails"], expected: Expected, trail: string[]): void {
  const possible = Object.fromEntries(expected.uncertain.filter(([id, email]) => emails[id] === email));
  expect(emails, trail.join()).toEqual({ ...expected.emails, ...possible });
}
