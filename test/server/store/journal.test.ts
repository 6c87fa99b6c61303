// The journal as a file: which lines are valid.
import { readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Change } from "../../../src/core/domain/state.js";
import { UncertainAppendError } from "../../../src/core/state/environment.js";
import { type Journal, openJournal } from "../../../src/server/store/disk/journal.js";
import { findFileHandlePrototype } from "../../support/file-handle.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

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
    expect(journal.isInPlace()).toBe(false);
    const before = await readFile(path, "utf8").catch(() => undefined);
    await expect(journal.append(toChanges(3))).rejects.toThrow("was removed or replaced");
    expect(await readFile(path, "utf8").catch(() => undefined)).toBe(before);
  });

  test.each(acts)(
    "%s while a line is written: it does not count, and their text is not cut off",
    async (_title, act) => {
      const prototype = await findFileHandlePrototype();
      const { datasync } = prototype;
      const spy = vi.spyOn(prototype, "datasync").mockImplementationOnce(async function (this: FileHandle) {
        await act();
        return datasync.call(this);
      });
      const { length } = journal;
      await expect(journal.append(toChanges(3))).rejects.toThrow(UncertainAppendError);
      spy.mockRestore();
      expect(journal.length).toBe(length);
      expect(journal.isInPlace()).toBe(false);
    },
  );

  test("writes a shorter text before a line is written: the line follows it, without a gap", async () => {
    const prototype = await findFileHandlePrototype();
    const actual = prototype.write as (...args: unknown[]) => Promise<unknown>;
    const spy = vi.spyOn(prototype, "write").mockImplementationOnce(async function (
      this: FileHandle,
      ...args: unknown[]
    ) {
      writeFileSync(path, "mine\n");
      return actual.apply(this, args) as never;
    } as never);
    await expect(journal.append(toChanges(3))).rejects.toThrow(UncertainAppendError);
    spy.mockRestore();
    expect(readFileSync(path, "utf8")).toMatch(/^mine\n\d+ \w{8} \[.*\]\n$/);
  });
});

test("a line that the disk rejects is cut off, and the cut is on disk before the append rejects", async () => {
  const texts: string[] = [];
  const prototype = await findFileHandlePrototype();
  const { datasync } = prototype;
  const spy = vi.spyOn(prototype, "datasync").mockImplementation(async function (this: FileHandle) {
    texts.push(readFileSync(path, "utf8"));
    if (texts.length === 1) throw new Error("EIO");
    return datasync.call(this);
  });
  const whole = readFileSync(path, "utf8");
  await expect(journal.append(toChanges(3))).rejects.toThrow("EIO");
  spy.mockRestore();
  expect(texts).toEqual([expect.stringContaining('"notificationId":"3"'), whole]);
});
