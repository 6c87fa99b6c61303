// A journal that is begun anew while others append to it.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createJournal, type Journal } from "../../src/store/journal.js";
import { readJournalText } from "../../src/store/journal-text.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const before = { file: "a".repeat(64), contract: "contract", commit: 0 };
const after = { file: "b".repeat(64), contract: "contract", commit: 1 };
const toEntry = (commit: number) => ({ commit, changes: [] });

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
      await task();
    });
    await journal.append(toEntry(4));
    expect(await read()).toEqual({ file: after.file, commits: [2, 3, 4], length: journal.length });
    await journal.close();
  });

  test("others wait only while what they have appended meanwhile is copied: the rest has been", async () => {
    let copied: string[] = [];
    await journal.restart(after, position, async (task) => {
      copied = (await readFile(`${path}.tmp`, "utf8")).trimEnd().split("\n");
      await task();
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
