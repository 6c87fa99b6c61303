// The command on the kiosk, and on projects that it cannot read. The other app, and its client, are in usage-command.full.test.ts.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createUsageCommand } from "../../../src/cli/usage-command.js";
import type { Usage } from "../../../src/tools/usage/usage-file.js";
import { runInProcess } from "../../support/in-process.js";
import { copyKiosk, KIOSK, TYPES } from "./apps.js";

const run = (...args: string[]) => runInProcess(createUsageCommand(), ...args);

const COLOR = 'import type { components } from "./api-types"; (n: components["schemas"]["Notification"]) => n.color;';
const OTHER = { "api-types.d.ts": "OTHER", "color.ts": COLOR };

test("an app with generated types; files that are not read are named", async () => {
  const folder = await copyKiosk();
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src", "app.vue"), "<template />");
  await writeFile(join(folder, "orders.ts"), 'import { list } from "@example/orders";\nlist();\n');
  const args = ["--project", join(folder, "tsconfig.json"), "--types", join(folder, "api-types.d.ts")];
  const { code, stdout, stderr } = await run(...args, "--name", "kiosk");
  expect(code, stderr).toBeUndefined();
  const usage: Usage = JSON.parse(stdout);
  expect(usage.references).toEqual(KIOSK);
  expect(usage.notRead).toEqual([
    { place: "src/app.vue", reason: "unsupported format" },
    { place: "orders.ts:1", reason: 'imports "@example/orders", which is not found' },
  ]);
  expect(stderr).toContain("src/app.vue: unsupported format; references in it may be missing.\n");
});

test.each<[string, Record<string, string>, string[], RegExp]>([
  ["no such project", {}, ["--project", "nowhere.json"], /nowhere\.json/],
  ["no types of the contract", { "screen.ts": "export {};" }, [], /no file imports the types of .* --types/s],
  ["types that nothing imports", {}, ["--types", "other.d.ts"], /--types: .*other\.d\.ts is no file of the project/],
  ["other types", OTHER, ["--types", "api-types.d.ts"], /The types have Notification\.color, .*--contract/],
  ["an unwritable file", {}, ["--types", "api-types.d.ts", "--out", "screen.ts/web.json"], /cannot be written/],
])("%s exits with 2", async (_title, files, args, message) => {
  const folder = await copyKiosk();
  const compilerOptions = { lib: ["ES5"], types: [] }; // without the DOM, which takes the longest to read
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["."] }));
  const types = await readFile(TYPES, "utf8");
  const other = types.replace("        Notification: {", "        Notification: { color: string;");
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text === "OTHER" ? other : text);
  const inFolder = args.map((arg) => (arg.startsWith("--") ? arg : join(folder, arg)));
  const { code, stderr } = await run("--project", join(folder, "tsconfig.json"), ...inFolder);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
