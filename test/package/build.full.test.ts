// The build runs if and only if something has changed, whatever the timestamps of the files are. With the real
// compiler, on a small project: two sources, a seed, and a check of the seed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { appendFile, cp, mkdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildIfChanged } from "../../src/build/build-project.js";
import { ROOT } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const COMPILER_OPTIONS = {
  ...{ target: "es2022", lib: ["es5"], types: [], skipLibCheck: true, module: "nodenext" },
  ...{ rootDir: "src", outDir: "dist", declaration: true },
  ...{ noEmitOnError: true, incremental: true, tsBuildInfoFile: "dist/.tsbuildinfo" },
};

const CHECK = `// @ts-nocheck
import { readFileSync, writeFileSync } from "node:fs";
const seed = readFileSync("data/seed.json", "utf8");
if (Number.isNaN(Number(seed))) process.exit(1);
writeFileSync("dist/checked.json", seed);
`;

let root: string;
const at = (path: string) => join(root, path);
const read = (path: string) => readFileSync(at(path), "utf8");
const write = (path: string, text: string) => writeFile(at(path), text);
const build = () =>
  buildIfChanged({
    root,
    inputs: ["src", "data", "tsconfig.json"],
    project: "tsconfig.json",
    programs: [["dist/check.js"]],
  });

beforeAll(async () => {
  root = await createTemporaryFolder(afterAll);
  for (const folder of ["src", "node_modules", "data"]) await mkdir(at(folder));
  await symlink(join(ROOT, "node_modules/typescript-7"), at("node_modules/typescript-7"));
  await write("package.json", '{ "type": "module" }');
  await write("tsconfig.json", JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ["src"] }));
  await write("data/seed.json", "1");
  await write("src/main.ts", 'export { value } from "./value.js";\n');
  await write("src/value.ts", "export const value: number = 1;\n");
  await write("src/check.ts", CHECK);
});

describe("the build, one change after the other", () => {
  test("compiles a clone and runs the checks; then there is nothing to do", async () => {
    expect(await build()).toBe("built");
    expect([read("dist/value.js"), read("dist/checked.json")]).toEqual([expect.stringContaining("value = 1"), "1"]);
    const { mtimeMs } = await stat(at("dist/value.js"));
    expect(await build()).toBe("unchanged");
    expect((await stat(at("dist/value.js"))).mtimeMs).toBe(mtimeMs);
  });

  test("detects an edit that keeps the size and the timestamp of the file", async () => {
    const { atime, mtime } = await stat(at("src/value.ts"));
    await write("src/value.ts", "export const value: number = 2;\n");
    await utimes(at("src/value.ts"), atime, mtime);
    await write("data/seed.json", "2");
    expect(await build()).toBe("built");
    expect([read("dist/value.js"), read("dist/checked.json")]).toEqual([expect.stringContaining("value = 2"), "2"]);
  });

  test("fails for a type error until it is fixed, and leaves dist unchanged; then for a check until it passes", async () => {
    await write("src/value.ts", "export const value: number = 'three';\n");
    expect([await build(), await build()]).toEqual(["failed", "failed"]);
    expect(read("dist/value.js")).toContain("value = 2");
    await write("src/value.ts", "export const value: number = 3;\n");
    await write("data/seed.json", "none");
    expect(await build()).toBe("failed");
    expect(read("dist/value.js")).toContain("value = 3");
    await write("data/seed.json", "4");
    expect([await build(), read("dist/checked.json")]).toEqual(["built", "4"]);
  });

  test("compiles everything if its record is missing, as after an interrupted build", async () => {
    await write("dist/value.js", "export const value = 9;\n");
    await rm(at("dist/.build"));
    expect(await build()).toBe("built");
    expect(read("dist/value.js")).toContain("value = 3");
    expect(await build()).toBe("unchanged");
  });

  test("deletes the output of a deleted source, and files without a source", async () => {
    await rm(at("src/value.ts"));
    await write("src/main.ts", "export const value = 5;\n");
    await write("dist/stray.json", "{}");
    expect(await build()).toBe("built");
    expect(["value.js", "value.d.ts", "stray.json"].filter((name) => existsSync(at(`dist/${name}`)))).toEqual([]);
    expect(await build()).toBe("unchanged");
  });
});

test("a link or a picture of a guide that leads nowhere is named, and fails the build", async () => {
  const folder = await createTemporaryFolder(afterAll);
  for (const name of ["dist", "docs"]) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of readdirSync(ROOT).filter((entry) => !existsSync(join(folder, entry)))) {
    await symlink(join(ROOT, name), join(folder, name));
  }
  await appendFile(
    join(folder, "docs/quickstart.md"),
    "\n[a](nowhere.md) [b](operations.md#nowhere) ![c](none.webp)\n",
  );
  const program = [join(folder, "dist/build/render-guides.js")];
  const { status, stderr } = spawnSync(process.execPath, program, { cwd: folder, encoding: "utf8" });
  expect([status, stderr.trim().split("\n")]).toEqual([
    1,
    [
      "docs/quickstart.md: the link to nowhere.md leads nowhere",
      "docs/quickstart.md: the link to operations.md#nowhere leads nowhere",
      "docs/quickstart.md: there is no picture none.webp",
    ],
  ]);
});
