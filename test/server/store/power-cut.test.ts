// The power is cut at every moment of a run: acknowledged changes are stored, whichever unsynced writes have reached
// the disk.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toPlain } from "../../../src/core/domain/state.js";
import { finishRemoval } from "../../../src/server/store/durable-environment.js";
import { change, compact, create, emailsOf, type OnDisk, open, openIfThere } from "../../support/disk-environment.js";
import { FaultyDisk } from "../../support/faulty-disk.js";
import { createRandom } from "../../support/random.js";
import { cutAt, note, recordCalls, startRecording, stopRecording } from "../../support/recorded-disk.js";
import { isFull } from "../../support/sizes.js";
import { readStored } from "../../support/stored-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

new FaultyDisk(recordCalls);

const { fraction } = createRandom(1);
const fates: [title: string, survives: () => boolean][] = [
  ["some of them are stored", () => fraction() < 0.5],
  ["none of them is stored", () => false],
  ["all of them are stored", () => true],
  ["most of them are stored", () => fraction() < 0.9],
];

interface Expected {
  isCreated: boolean;
  removal: "none" | "sent" | "acknowledged";
  acknowledged: Record<string, boolean>;
  /** Sent and not acknowledged: there or not. */
  sent: Record<string, boolean>;
}
let expected: Expected;

test.each(isFull ? fates : fates.slice(0, 1))(
  "whenever the power is cut, what was acknowledged is there: %s",
  async (_title, survives) => {
    const moments = await recordRun();
    expect(moments).toBeGreaterThan(100);
    for (let count = 0; count <= moments; count += 1) expect(await findLoss(count, survives, true)).toBeUndefined();
  },
);

test("detects a disk whose fsync does nothing", async () => {
  const moments = await recordRun();
  const losses = await Promise.all(
    Array.from({ length: moments }, (_, count) => findLoss(count, () => false, false).catch((error: Error) => error)),
  );
  expect(losses.filter(Boolean).length).toBeGreaterThan(10);
});

/** Creates, changes, compacts while changes come, stops and starts again, and removes. */
async function recordRun(): Promise<number> {
  const folder = await createTemporaryFolder();
  startRecording();
  let running = await create(folder);
  note(() => (expected.isCreated = true));
  for (let start = 0; start < 2; start += 1) {
    for (const email of [false, true]) {
      await update(running, "subscriber-1", email);
      const compacted = compact(running);
      await Promise.all(["subscriber-2", "subscriber-3"].map((id) => update(running, id, email)));
      await update(running, "subscriber-1", !email);
      await compacted;
    }
    await update(running, "subscriber-2", start === 0);
    await running.files.close();
    running = await open(folder);
  }
  note(() => (expected.removal = "sent"));
  await running.environment.transact(() => ({ result: undefined, changes: [{ type: "removed" }] }));
  note(() => (expected.removal = "acknowledged"));
  await running.files.close();
  await finishRemoval(running.files.path);
  return stopRecording();
}

async function update({ environment }: OnDisk, subscriberId: string, email: boolean): Promise<void> {
  note(() => (expected.sent[subscriberId] = email));
  await change(environment, subscriberId, email);
  note(() => {
    expected.acknowledged[subscriberId] = email;
    delete expected.sent[subscriberId];
  });
}

/** What is wrong after a power cut behind a number of events. */
async function findLoss(count: number, survives: () => boolean, isHonest: boolean): Promise<object | undefined> {
  expected = { isCreated: false, removal: "none", acknowledged: {}, sent: {} };
  const files = cutAt(count, survives, isHonest);
  const { isCreated, removal, acknowledged, sent } = expected;
  const folder = await createTemporaryFolder();
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  const onDisk = await openIfThere(folder);
  await onDisk?.files.close();
  if (!onDisk) return isCreated && removal === "none" ? { count, lost: "all" } : undefined;
  if (removal === "acknowledged") return { count, lost: "the removal" };
  const stored = emailsOf(toPlain(onDisk.environment.state.toData()));
  const ids = new Set([...Object.keys(acknowledged), ...Object.keys(stored)]);
  const isRight = (id: string) => stored[id] === acknowledged[id] || (id in sent && stored[id] === sent[id]);
  const wrong = [...ids].filter((id) => !isRight(id));
  expect(emailsOf(readStored(folder))).toEqual(stored);
  return wrong.length > 0 ? { count, wrong, stored, acknowledged, sent } : undefined;
}
