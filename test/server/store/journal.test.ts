// The journal as a file: which lines are valid.
import { readFileSync, writeFileSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Change } from "../../../src/core/domain/state.js";
import { UncertainAppendError } from "../../../src/core/state/environment.js";
import { type Journal, openJournal } from "../../../src/server/store/journal.js";
import { FaultyDisk } from "../../support/faulty-disk.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const disk = new FaultyDisk();
const toChanges = (id: number): Change[] => [{ type: "notificationRemoved", notificationId: String(id) }];

let path: string;
let journal: Journal;

beforeEach(async () => {
  path = join(await createTemporaryFolder(), "default.journal");
  journal = await openJournal(path, 0);
  for (const id of [1, 2]) await journal.append(toChanges(id));
});
afterEach(() => journal.close());

describe("another process", () => {
  const take = () => rename(path, `${path}.mine`);
  const acts: [string, () => unknown][] = [
    ["removes it", take],
    ["puts another in its place", () => take().then(() => writeFileSync(path, readFileSync(`${path}.mine`)))],
    ["writes a shorter text", () => writeFileSync(path, "")],
    ["writes a longer text", () => writeFileSync(path, `${readFileSync(path, "utf8")}more`)],
  ];
  test.each(acts)("%s: nothing is appended", async (_title, act) => {
    await act();
    const before = await readFile(path, "utf8").catch(() => undefined);
    await expect(journal.append(toChanges(3))).rejects.toThrow("was removed or replaced");
    expect(await readFile(path, "utf8").catch(() => undefined)).toBe(before);
  });

  test.each(acts)(
    "%s while a line is written: it does not count, and their text is not cut off",
    async (_title, act) => {
      disk.before("datasync", act);
      const { length } = journal;
      await expect(journal.append(toChanges(3))).rejects.toThrow(UncertainAppendError);
      expect(journal.length).toBe(length);
      expect(journal.assertInPlace).toThrow("was removed or replaced");
    },
  );

  test("writes a shorter text before a line is written: the line follows it, without a gap", async () => {
    disk.before("write", () => writeFileSync(path, "mine\n"));
    await expect(journal.append(toChanges(3))).rejects.toThrow(UncertainAppendError);
    expect(readFileSync(path, "utf8")).toMatch(/^mine\n\d+ \w{8} \[.*\]\n$/);
  });
});

test("a line that the disk rejects is cut off, and the cut is on disk before the append rejects", async () => {
  const texts: string[] = [];
  disk.rule = ({ name, args, proceed }) => {
    if (name !== "datasync") return proceed(...args);
    texts.push(readFileSync(path, "utf8"));
    if (texts.length === 1) throw new Error("EIO");
    return proceed();
  };
  const whole = readFileSync(path, "utf8");
  await expect(journal.append(toChanges(3))).rejects.toThrow("EIO");
  disk.heal();
  expect(texts).toEqual([expect.stringContaining('"notificationId":"3"'), whole]);
});
