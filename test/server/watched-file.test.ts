// A watched file is read again after each save. Editors truncate a file before they write it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWatchedFile } from "../../src/server/watched-file.js";
import { createLogLines } from "../support/log-lines.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

/** Opens a file whose loads have these outcomes, one after the other: a value, or the message of an error. */
async function open(outcomes: readonly (number | string)[]) {
  const path = join(await createTemporaryFolder(), "cups.yaml");
  await writeFile(path, "a");
  const { log, logged, lines } = createLogLines();
  const rest = [...outcomes];
  const load = async () => {
    const outcome = rest.shift();
    if (typeof outcome === "string") throw new Error(outcome);
    return outcome;
  };
  const file = await openWatchedFile({ path, load, use() {}, isWatched: true, log });
  onTestFinished(() => file.close());
  return { file, logged, lines, save: () => writeFile(path, "b") };
}

test("an unfinished save is read again, and not reported", async () => {
  const { file, logged, lines, save } = await open([1, "it is empty", 2]);
  await save();
  await logged(/cups\.yaml was reloaded/);
  expect([file.value, file.error]).toEqual([2, undefined]);
  expect(lines.join("\n")).not.toContain("it is empty");
});

test("a save that stays invalid is reported, and the last valid version stays", async () => {
  const { file, logged, save } = await open([1, "it is empty", "line 3 is wrong"]);
  await save();
  await logged(/line 3 is wrong\n?.*keeps the last/s);
  expect([file.value, file.error]).toEqual([1, "line 3 is wrong"]);
});
