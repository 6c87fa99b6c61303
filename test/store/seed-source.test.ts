// The server's own seed: read when it is needed, shared by those that are made of it, and a large one not held in between.
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/client/control.js";
import { startServer } from "../../src/server.js";
import { ROOT } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

async function startWith(seed: string) {
  const server = await startServer({ seed });
  onTestFinished(server.close);
  return createControl({ baseUrl: server.url });
}

async function writeSeed(subscribers: number): Promise<string> {
  const path = join(await createTemporaryFolder(), "seed.json");
  const seed = JSON.parse(await readFile(join(ROOT, "data/seeds/empty.json"), "utf8"));
  for (let index = 0; index < subscribers; index++) {
    seed.subscribers.push({ _id: index.toString(16).padStart(24, "0"), subscriberId: `subscriber-${index}` });
  }
  await writeFile(path, JSON.stringify(seed));
  return path;
}

test("a seed of usual size is held: its file may go", async () => {
  const path = join(await createTemporaryFolder(), "seed.json");
  await copyFile(join(ROOT, "data/seeds/demo.json"), path);
  const control = await startWith(path);
  await rm(path);
  await control.createEnvironment({ name: "one" });
});

test("a large one is read once more for all environments to come", async () => {
  const path = await writeSeed(10_001);
  const control = await startWith(path);
  await control.createEnvironment({ name: "one" });
  await rm(path);
  await control.createEnvironment({ name: "two" });
});

test("one that cannot be read refuses whoever asks, and is read again for the next", async () => {
  const path = await writeSeed(10_001);
  const control = await startWith(path);
  const whole = await readFile(path);
  await writeFile(path, whole.subarray(0, -10));
  await expect(control.createEnvironment({ name: "one" })).rejects.toThrow();
  await writeFile(path, whole);
  await control.createEnvironment({ name: "one" });
});
