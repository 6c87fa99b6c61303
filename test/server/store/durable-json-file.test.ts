import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { DurableJsonFile, FileChangedError } from "../../../src/server/store/durable-json-file.js";
import { FaultyDisk } from "../../support/faulty-disk.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const disk = new FaultyDisk();
const form = {
  toChunks: (text: string) => [Buffer.from('"'), Buffer.from(`${text}"`)],
  parse: (bytes: Buffer) => JSON.parse(bytes.toString()) as string,
};

let folder: string;
let path: string;
let file: DurableJsonFile<string>;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  path = join(folder, "file.json");
  file = new DurableJsonFile(path, form);
});

test("a reader gets the old or the new text, whole, while it is written", async () => {
  const texts = ["a", "b"].map((letter) => letter.repeat(400_000));
  await file.write(texts[0] as string);
  let isWriting = true;
  const seen = new Set<string>();
  const reader = (async () => {
    while (isWriting) seen.add(await readFile(path, "utf8"));
  })();
  for (let round = 1; round <= 10; round += 1) await file.write(texts[round % 2] as string);
  isWriting = false;
  await reader;
  expect([...seen].toSorted()).toEqual(texts.map((text) => `"${text}"`));
});

test("other work continues between any two chunks", async () => {
  let turns = 0;
  let isWriting = true;
  const count = () => {
    turns += 1;
    if (isWriting) setImmediate(count);
  };
  count();
  const counts = new Set<number>();
  function* toChunks() {
    for (let chunk = 0; chunk < 50; chunk += 1) {
      counts.add(turns);
      yield Buffer.alloc(64 * 1024, "a");
    }
  }
  await new DurableJsonFile(path, { ...form, toChunks }).write("");
  isWriting = false;
  expect(counts.size).toBe(50);
});

test.each([
  ["in place", (text: string) => writeFile(path, text)],
  ["in its place", (text: string) => writeFile(`${path}.mine`, text).then(() => rename(`${path}.mine`, path))],
])(
  "a text that another process writes %s while it is written stays, and the write is rejected",
  async (_title, edit) => {
    await file.write("old");
    disk.before("sync", () => edit('"edited"'));
    await expect(file.write("new")).rejects.toThrow(FileChangedError);
    expect(await readdir(folder)).toEqual(["file.json"]);
    expect(await file.read()).toBe("edited");
    await file.write("newer");
    expect(await file.read()).toBe("newer");
  },
);
