import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { DurableJsonFile, FileChangedError } from "../../../src/server/store/disk/durable-json-file.js";
import { findFileHandlePrototype } from "../../support/file-handle.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

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

describe("read", () => {
  test("a file that is not there is null", async () => {
    expect(await file.read()).toBeNull();
  });
  test("what was written comes back", async () => {
    await file.write("first");
    await file.write("Zoë 👋");
    expect(await file.read()).toBe("Zoë 👋");
  });
  test("any error but a missing file is thrown", async () => {
    await mkdir(path);
    await expect(file.read()).rejects.toThrow("EISDIR");
  });
});

describe("write", () => {
  test("the file is for its owner alone, and nothing is left beside it", async () => {
    await file.write("first");
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
    expect(await readdir(folder)).toEqual(["file.json"]);
  });

  test("whoever reads while it is written finds the old text or the new one, whole", async () => {
    const texts = ["a", "b"].map((letter) => letter.repeat(400_000));
    await file.write(texts[0] as string);
    let isWriting = true;
    const seen = new Set<string>();
    const reader = (async () => {
      while (isWriting) seen.add(await readFile(path, "utf8"));
    })();
    for (let round = 1; round <= 40; round += 1) await file.write(texts[round % 2] as string);
    isWriting = false;
    await reader;

    expect([...seen].map((text) => `${text.slice(0, 2)}, ${text.length} characters`).sort()).toEqual([
      '"a, 400002 characters',
      '"b, 400002 characters',
    ]);
  });
});

describe("write › others", () => {
  const SLICE = Buffer.alloc(64 * 1024, "a");

  test("have a turn after each slice", async () => {
    let turns = 0;
    let isWriting = true;
    const count = () => {
      turns += 1;
      if (isWriting) setImmediate(count);
    };
    count();
    const turnsAtSlices: number[] = [];
    function* toChunks() {
      for (let slice = 0; slice < 50; slice += 1) {
        turnsAtSlices.push(turns);
        yield SLICE;
      }
    }
    await new DurableJsonFile(path, { ...form, toChunks }).write("");
    isWriting = false;
    expect(new Set(turnsAtSlices).size).toBe(50);
  });
});

test.each([
  ["in place", (text: string) => writeFile(path, text)],
  ["by another", (text: string) => writeFile(`${path}.mine`, text).then(() => rename(`${path}.mine`, path))],
])("a text that others write %s while it is written stays, and the write is rejected", async (_title, edit) => {
  await file.write("old");
  const sync = vi.spyOn(await findFileHandlePrototype(), "sync").mockImplementationOnce(() => edit('"edited"'));
  await expect(file.write("new")).rejects.toThrow(FileChangedError);
  sync.mockRestore();
  expect(await readdir(folder)).toEqual(["file.json"]);
  expect(await file.read()).toBe("edited");
  await file.write("newer");
  expect(await file.read()).toBe("newer");
});

test("a folder in its place is left alone, and the temporary file is gone", async () => {
  await mkdir(path);
  await expect(file.write("new")).rejects.toThrow(FileChangedError);
  expect(await readdir(folder)).toEqual(["file.json"]);
});
