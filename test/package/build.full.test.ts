// What a build leaves when it fails or is interrupted.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSmallProject, type SmallProject } from "./small-project.js";

let project: SmallProject;
beforeAll(async () => {
  project = await createSmallProject();
  expect(await project.build()).toBe("built");
});
afterAll(() => rm(project.root, { recursive: true }));

describe("the build", () => {
  test("fails for a type error, again and again, and leaves dist as it was; the correction is built", async () => {
    const { build, read, write } = project;
    await write("src/value.ts", "export const value: number = 'two';\n");
    expect(await build()).toBe("failed");
    expect(await build()).toBe("failed");
    expect(await read("dist/value.js")).toContain("value = 1");
    await write("src/value.ts", "export const value: number = 2;\n");
    expect(await build()).toBe("built");
    expect(await read("dist/value.js")).toContain("value = 2");
  });

  test("repeats a failed check until it passes", async () => {
    const { build, write } = project;
    await write("data/seed.json", "none");
    expect(await build()).toBe("failed");
    expect(await build()).toBe("failed");
    await write("data/seed.json", "4");
    expect(await build()).toBe("built");
  });

  test("compiles everything anew without its record, as after an interrupted build", async () => {
    await project.write("dist/value.js", "export const value = 9;\n");
    await project.remove("dist/.build");
    expect(await project.build()).toBe("built");
    expect(await project.read("dist/value.js")).toContain("value = 2");
    expect(await project.build()).toBe("unchanged");
  });
});
