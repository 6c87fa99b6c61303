// A lowdb adapter whose write is on disk when it resolves. lowdb's own JSONFile renames without fsync, which a power cut
// undoes, and its writes wait for one another (typicode/lowdb#549).
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Adapter } from "lowdb";

export class DurableJsonFile<T> implements Adapter<T> {
  readonly #path: string;
  readonly #toText: (value: T) => string;
  readonly #fromText: (text: string) => T;

  constructor(path: string, form: { toText: (value: T) => string; fromText: (text: string) => T }) {
    this.#path = path;
    this.#toText = form.toText;
    this.#fromText = form.fromText;
  }

  async read(): Promise<T | null> {
    try {
      return this.#fromText(await readFile(this.#path, "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  /** Writes beside the file, then puts it in place: at every moment the file is whole, the old or the new. */
  async write(value: T): Promise<void> {
    const temporary = `${this.#path}.tmp`;
    try {
      await writeDurably(temporary, this.#toText(value));
      await rename(temporary, this.#path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(dirname(this.#path)); // the rename itself is an entry of the folder
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(join(path, "."), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
