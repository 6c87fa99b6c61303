// A journal that is begun anew while others append to it.
import { existsSync, readFileSync } from "node:fs";
import { type FileHandle, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { createJournal, type Journal } from "../../src/store/disk/journal.js";
import { readJournalText, toCommitLine } from "../../src/store/disk/journal-text.js";
import { findFileHandlePrototype } from "../support/file-handle.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const before = { file: "a".repeat(64), contract: "contract", commit: 0 };
const after = { file: "b".repeat(64), contract: "contract", commit: 1 };
const toEntry = (commit: number) => toCommitLine({ commit, changes: [] });

let path: string;
let journal: Journal;
let position: number;

beforeEach(async () => {
  path = join(await createTemporaryFolder(), "default.journal");
  journal = await createJournal(path, before);
  await journal.append(toEntry(1));
  position = journal.length; // the file is to hold what comes before
  await journal.append(toEntry(2));
});

const read = async () => {
  const { files, commits, length } = readJournalText(await readFile(path), path);
  return { file: files.at(-1)?.file, commits: commits.map(({ commit }) => commit), length };
};

describe("restart", () => {
  test("what is appended until nobody else appends is in the new journal, and so is what comes after", async () => {
    await journal.restart(after, position, async (task) => {
      await journal.append(toEntry(3));
      return task();
    });
    await journal.append(toEntry(4));
    expect(await read()).toEqual({ file: after.file, commits: [2, 3, 4], length: journal.length });
    await journal.close();
  });

  test("others wait only while what they have appended meanwhile is copied: the rest has been", async () => {
    let copied: string[] = [];
    await journal.restart(after, position, async (task) => {
      copied = (await readFile(`${path}.tmp`, "utf8")).trimEnd().split("\n");
      return task();
    });
    expect(copied).toHaveLength(3);
    expect(copied).toEqual((await readFile(path, "utf8")).trimEnd().split("\n"));
    await journal.close();
  });

  test("when it does not come to that, the journal stays as it is, and nothing lies beside it", async () => {
    const refused = journal.restart(after, position, async () => {
      throw new Error("not now");
    });
    await expect(refused).rejects.toThrow("not now");
    await expect(stat(`${path}.tmp`)).rejects.toThrow("ENOENT");
    await journal.append(toEntry(3));
    expect(await read()).toEqual({ file: before.file, commits: [1, 2, 3], length: journal.length });
    await journal.close();
  });
});

describe("fsync", () => {
  let sync: MockInstance<FileHandle["sync"]>;
  let seen: { what: string; inPlace: string }[];

  beforeEach(async () => {
    const prototype = await findFileHandlePrototype();
    const actual = prototype.sync;
    seen = [];
    sync = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
      const isFolder = (await this.stat()).isDirectory();
      const inPlace = existsSync(path) ? readFileSync(path, "utf8") : "nothing";
      seen.push({ what: isFolder ? "folder" : readFileSync(`${path}.tmp`, "utf8"), inPlace });
      return actual.call(this);
    });
  });
  afterEach(() => sync.mockRestore());

  test("a journal that is begun is on disk before it takes its place, and the folder after", async () => {
    path = `${path}.other`;
    const other = await createJournal(path, before);
    const text = readFileSync(path, "utf8");
    await other.close();
    expect(seen).toEqual([
      { what: text, inPlace: "nothing" },
      { what: "folder", inPlace: text },
    ]);
  });

  test("one that is begun anew is too, with what came last", async () => {
    const former = readFileSync(path, "utf8");
    await journal.restart(after, position, async (task) => {
      await journal.append(toEntry(3));
      return task();
    });
    const text = readFileSync(path, "utf8");
    const last = text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
    const withThree = former + text.slice(last.length);
    expect(seen).toEqual([
      { what: last, inPlace: former },
      { what: text, inPlace: withThree },
      { what: "folder", inPlace: text },
    ]);
    await journal.close();
  });
});

describe("an entry counts when the disk has it", () => {
  let texts: string[];
  let response: (error?: Error) => void;
  let sync: MockInstance<FileHandle["datasync"]>;

  beforeEach(async () => {
    const prototype = await findFileHandlePrototype();
    texts = [];
    sync = vi.spyOn(prototype, "datasync").mockImplementation(() => {
      texts.push(readFileSync(path, "utf8"));
      return new Promise((resolve, reject) => {
        response = (error) => (error ? reject(error) : resolve());
      });
    });
  });
  afterEach(async () => {
    sync.mockRestore();
    await journal.close();
  });

  const nextSync = (count: number) => vi.waitFor(() => expect(texts).toHaveLength(count));

  test("an append waits for it, with the whole entry in the file", async () => {
    let isDone = false;
    const appended = journal.append(toEntry(3)).then(() => {
      isDone = true;
    });
    await nextSync(1);
    expect(texts[0]).toContain('"commit":3');
    expect(isDone).toBe(false);
    response();
    await appended;
    expect(readJournalText(readFileSync(path), path).commits.at(-1)?.commit).toBe(3);
  });

  test("where the disk refuses it, it is cut off, and the cut is on disk before the append rejects", async () => {
    const whole = readFileSync(path, "utf8");
    let isRefused = false;
    const appended = journal.append(toEntry(3)).catch((error: Error) => {
      isRefused = true;
      return error.message;
    });
    await nextSync(1);
    response(new Error("EIO"));
    await nextSync(2);
    expect(texts[1]).toBe(whole);
    expect(isRefused).toBe(false);
    response();
    expect(await appended).toBe("EIO");
  });
});
