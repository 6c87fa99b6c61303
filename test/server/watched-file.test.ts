// A watched file is read again after each save. Editors truncate a file before they write it.
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWatchedFile } from "../../src/server/watched-file.js";
import { createLogLines } from "../support/log-lines.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

type Outcome = number | string | ((path: string) => Promise<number>);

/** Opens a file whose loads have these outcomes, one after the other: a value, or the message of an error. */
async function open(...outcomes: Outcome[]) {
  const path = join(await createTemporaryFolder(), "cups.yaml");
  await writeFile(path, "a");
  const { log, logged, lines } = createLogLines();
  const load = async () => {
    const outcome = outcomes.shift();
    if (typeof outcome === "string") throw new Error(outcome);
    return typeof outcome === "function" ? outcome(path) : outcome;
  };
  const file = await openWatchedFile({ path, load, use() {}, isWatched: true, log });
  onTestFinished(() => file.close());
  return { file, log, logged, lines, path, save: () => writeFile(path, "b") };
}

test("an unfinished save is read again, and not reported", async () => {
  const { file, logged, lines, save } = await open(1, "it is empty", 2);
  await save();
  await logged(/cups\.yaml was reloaded/);
  expect([file.value, file.error]).toEqual([2, undefined]);
  expect(lines.join("\n")).not.toContain("it is empty");
});

test("a save that stays invalid is reported, and the last valid version stays; so is a removal", async () => {
  const { file, logged, path } = await open(1, "it is empty", "line 3 is wrong", 2);
  await rm(path);
  await logged(/line 3 is wrong\n?.*keeps the last/s);
  expect([file.value, file.error]).toEqual([1, "line 3 is wrong"]);
  await writeFile(`${path}.tmp`, "b");
  await rename(`${path}.tmp`, path); // as editors do
  await logged(/was reloaded/);
  expect([file.value, file.error]).toEqual([2, undefined]);
});

test("a file of a git revision is not watched", async () => {
  const { log, logged, lines, save } = await open(1, 2);
  const revision = { path: "HEAD:tea.yaml", load: async () => 1, use() {}, isWatched: true, log };
  onTestFinished((await openWatchedFile(revision)).close);
  await save();
  await logged(/cups\.yaml was reloaded/); // meanwhile a watch would see that there is no such file
  expect(lines.join("\n")).not.toContain("tea.yaml");
});

test("a save during the first load is not missed", async () => {
  const { file, logged } = await open((path) => writeFile(path, "b").then(() => 1), 2);
  await logged(/was reloaded/);
  expect(file.value).toBe(2);
});

test("a close waits for the load that is under way", async () => {
  let finish = (_value: number) => {};
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const loading = () => {
    begin();
    return new Promise<number>((resolve) => (finish = resolve));
  };
  const { file, lines, save } = await open(1, loading);
  await save();
  await begun;
  let isClosed = false;
  const closing = file.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  finish(2);
  await closing;
  expect([file.value, lines]).toEqual([2, [expect.stringMatching(/was reloaded$/)]]);
});
