// The build runs when something has changed and only then, whatever the times of the files say. With the real compiler, on a
// small project; build.full.test.ts has failed and interrupted builds.
import { existsSync } from "node:fs";
import { rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSmallProject, type SmallProject } from "./small-project.js";

let project: SmallProject;
beforeAll(async () => {
  project = await createSmallProject();
});
afterAll(() => rm(project.root, { recursive: true }));

describe("the build, one change after the other", () => {
  test("of a clone: compiles everything and runs the checks; then there is nothing to do", async () => {
    const { root, build, read } = project;
    expect(await build()).toBe("built");
    expect(await read("dist/value.js")).toContain("value = 1");
    expect(await read("dist/checked.json")).toBe("1");
    const before = await stat(join(root, "dist/value.js"));
    expect(await build()).toBe("unchanged");
    expect((await stat(join(root, "dist/value.js"))).mtimeMs).toBe(before.mtimeMs);
  });

  test("an edit is picked up, also with the size and the time of the file before", async () => {
    const { root, build, read, write } = project;
    const { atime, mtime } = await stat(join(root, "src/value.ts"));
    await write("src/value.ts", "export const value: number = 2;\n");
    await utimes(join(root, "src/value.ts"), atime, mtime);
    await write("data/seed.json", "2");
    expect(await build()).toBe("built");
    expect(await read("dist/value.js")).toContain("value = 2");
    expect(await read("dist/checked.json")).toBe("2");
  });

  test("the output of a deleted source is deleted, and so is what has no source", async () => {
    const { root, build, remove, write } = project;
    await remove("src/value.ts");
    await write("src/main.ts", "export const value = 3;\n");
    await write("dist/stray.json", "{}");
    expect(await build()).toBe("built");
    for (const path of ["value.js", "value.d.ts", "stray.json"])
      expect(existsSync(join(root, "dist", path))).toBe(false);
    expect(await build()).toBe("unchanged");
  });
});
