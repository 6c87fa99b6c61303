// Random histories of one environment: changes, compactions, kills, files that are edited, removed and restored, on a
// disk that fails now and then. After each step the files hold what was acknowledged.
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CannotStoreError } from "../../../src/core/state/environment.js";
import { FileChangedError } from "../../../src/server/store/durable-json-file.js";
import { compact, create, emailsOf, type OnDisk, open } from "../../support/disk-environment.js";
import { FaultyDisk } from "../../support/faulty-disk.js";
import { createRandom } from "../../support/random.js";
import { SIZES } from "../../support/sizes.js";
import { readStored } from "../../support/stored-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const disk = new FaultyDisk();

const SEED = Number(process.env.HISTORY_SEED ?? 1);
const STEPS = 30;
const random = createRandom(SEED);

interface Expected {
  /** What each subscriber has set. */
  emails: Record<string, boolean | undefined>;
  /** What was rejected, but may be in the files. */
  uncertain: [subscriberId: string, email: boolean][];
  /** What somebody has written into the file under the running server, which reads it at the next start. */
  edited?: Record<string, boolean> | undefined;
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
  let onDisk = await create(folder);
  const json = join(folder, "default.json");
  const journal = join(folder, "default.journal");
  let expected: Expected = { emails: {}, uncertain: [] };
  let backup: { json: Buffer; journal: Buffer; expected: Expected } | undefined;
  const trail: string[] = [];

  const steps: Record<string, () => unknown> = {
    change: () => change(onDisk, expected),
    changes: () => Promise.all([1, 2, 3].map(() => change(onDisk, expected))),
    compact: () => tryToCompact(onDisk, expected),
    edit() {
      const data = JSON.parse(readFileSync(json, "utf8"));
      const subscriberId = `hand-${random.between(1, 3)}`;
      const email = random.chance(0.5);
      const others = data.preferences.filter(
        (stored: { subscriberId: string }) => stored.subscriberId !== subscriberId,
      );
      data.preferences = [...others, { subscriberId, global: { email }, workflows: [] }];
      expected.edited = { ...expected.edited, [subscriberId]: email };
      if (random.chance(0.5)) return write(json, JSON.stringify(data));
      write(`${json}.mine`, JSON.stringify(data));
      renameSync(`${json}.mine`, json);
    },
    async editBadly() {
      const whole = readFileSync(json);
      write(json, "{");
      await change(onDisk, expected);
      await expect(compact(onDisk)).rejects.toThrow(FileChangedError);
      expect(readFileSync(json, "utf8")).toBe("{");
      write(json, whole);
      expected.edited ??= {};
    },
    async remove() {
      rmSync(json);
      expected.edited = undefined;
      await compact(onDisk);
    },
    backUp() {
      backup = { json: readFileSync(json), journal: readFileSync(journal), expected: structuredClone(expected) };
    },
    async restore() {
      await onDisk.files.close();
      if (backup) {
        write(journal, backup.journal);
        write(json, backup.json);
        expected = structuredClone(backup.expected);
      }
      onDisk = await open(folder);
      settle(onDisk, expected, trail);
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
    const isFailing = ["change", "changes", "compact"].includes(name) && random.chance(0.3);
    if (isFailing) disk.refuse(() => random.chance(0.3));
    await steps[name]?.();
    disk.heal();
    expect(emailsOf(onDisk.environment.state.toData()), trail.join()).toEqual(expected.emails);
    expectPossible(emailsOf(readStored(folder)), expected, trail); // as a kill at this moment would leave it
  }
  await onDisk.files.close();
  onDisk = await open(folder);
  settle(onDisk, expected, trail);
  await compact(onDisk);
  await onDisk.files.close();
  expect(emailsOf(JSON.parse(readFileSync(json, "utf8"))), trail.join()).toEqual(expected.emails);
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

/** The disk may fail, and a file that somebody has edited is not written. */
async function tryToCompact(onDisk: OnDisk, { edited }: Expected): Promise<void> {
  const error = await compact(onDisk).catch((reason: Error) => reason);
  if (error instanceof FileChangedError) expect(edited).toBeDefined();
  else if (error) expect(error.message).toContain("EIO");
}

let times = 1_000_000_000; // in seconds

/** Two texts of the same length that are written within one tick of the system's clock would look the same. */
function write(path: string, text: string | Buffer): void {
  writeFileSync(path, text);
  times += 1;
  utimesSync(path, times, times);
}

/** After files were read: what is uncertain is there now, or will never be; and so is what was edited. */
function settle({ environment }: OnDisk, expected: Expected, trail: string[]): void {
  const emails = emailsOf(environment.state.toData());
  expectPossible(emails, expected, trail);
  Object.assign(expected, { emails, uncertain: [], edited: undefined });
}

function expectPossible(emails: Expected["emails"], expected: Expected, trail: string[]): void {
  const possible = Object.fromEntries(expected.uncertain.filter(([id, email]) => emails[id] === email));
  expect(emails, trail.join()).toEqual({ ...expected.emails, ...possible, ...expected.edited });
}
