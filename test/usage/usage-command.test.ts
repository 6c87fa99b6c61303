// The command on projects that it cannot read. What it finds in apps is in usage-command.full.test.ts and references.test.ts.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createUsageCommand } from "../../src/usage/usage-command.js";
import { runInProcess } from "../support/in-process.js";
import { copyKiosk, TYPES } from "./copy-kiosk.js";

const COLOR = 'import type { components } from "./api-types"; (n: components["schemas"]["Notification"]) => n.color;';

test.each<[string, Record<string, string>, string[], RegExp]>([
  ["no such project", {}, ["--project", "nowhere.json"], /nowhere\.json/],
  ["no types of the contract", { "screen.ts": "export {};" }, [], /no file imports the types of .* --types/s],
  ["types that nothing imports", {}, ["--types", "other.d.ts"], /--types: .*other\.d\.ts is no file of the project/],
  [
    "types of another contract",
    { "api-types.d.ts": "OTHER", "color.ts": COLOR },
    ["--types", "api-types.d.ts"],
    /The types have Notification\.color, .*--contract/,
  ],
  [
    "a file that cannot be written",
    {},
    ["--types", "api-types.d.ts", "--out", "screen.ts/web.json"],
    /cannot be written/,
  ],
])("%s exits with 2", async (_title, files, args, message) => {
  const folder = await copyKiosk();
  const compilerOptions = { lib: ["ES5"], types: [] }; // without the DOM, which takes the longest to read
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["."] }));
  const types = await readFile(TYPES, "utf8");
  for (const [name, text] of Object.entries(files))
    await writeFile(
      join(folder, name),
      text === "OTHER" ? types.replace("        Notification: {", "        Notification: { color: string;") : text,
    );
  const inFolder = args.map((arg) => (arg.startsWith("--") ? arg : join(folder, arg)));
  const { code, stderr } = await runInProcess(
    createUsageCommand(),
    "--project",
    join(folder, "tsconfig.json"),
    ...inFolder,
  );
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
