// The examples of docs/examples: they have the tested versions, and their scripts succeed.
import { existsSync } from "node:fs";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { chromiumPath } from "../pages/chromium.js";
import { ROOT, runToEnd } from "../support/command.js";
import { readDocument } from "../support/documents.js";
import { copyExample, readManifest, toExample } from "../support/example.js";
import { isWeekly } from "../support/sizes.js";

const EXAMPLES = await readdir(join(ROOT, "docs/examples"));
const ON_NODE = EXAMPLES.filter((name) => existsSync(join(toExample(name), "package.json")));

test.each(ON_NODE)("%s names the versions that this project is tested with", async (name) => {
  const { dependencies, devDependencies } = await readManifest(name);
  const tested: Record<string, string> = manifest.devDependencies;
  for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    if (dependency === "notifications-contract") expect(version).toBe("file:../../..");
    else if (tested[dependency]) expect([dependency, version]).toEqual([dependency, tested[dependency]]);
  }
});

test.each(EXAMPLES.filter((name) => !name.includes(".")))(
  "%s says in its README how it starts, with one command",
  async (name) => {
    const readme = await readFile(join(toExample(name), "README.md"), "utf8");
    const [first = ""] = readme.match(/^```sh\n(.+)\n```$/m) ?? [];
    expect(first).toMatch(/^```sh\n.+\n```$/);
  },
);

test("review-pipeline › npm start shows a verdict", async () => {
  const folder = await copyExample("review-pipeline");
  const { code, output } = await runToEnd("npm", ["start"], { cwd: folder });
  expect([code, output]).toEqual([1, expect.stringContaining("query.limit")]);
  expect(await readFile(join(folder, "review.html"), "utf8")).toContain("query.limit");
});

test("storybook › its preview is the one of the guide", async () => {
  const preview = await readFile(join(toExample("storybook"), ".storybook/preview.ts"), "utf8");
  expect(readDocument("docs/front-end.md")).toContain(preview);
});

test("pytest › finds nothing that its baseline does not have, and a bug that is planted", async ({ skip }) => {
  const modules = await runToEnd("python3", ["-c", "import fastapi, pytest, uvicorn"]).catch(() => ({ code: 1 }));
  if (modules.code !== 0) skip("Python has no FastAPI here");
  const folder = await copyExample("pytest");
  const runTests = () => runToEnd("python3", ["-m", "pytest", "-q"], { cwd: folder });
  expect(await runTests()).toEqual({ code: 0, output: expect.stringContaining("1 passed") });
  const path = join(folder, "app.py");
  await writeFile(path, (await readFile(path, "utf8")).replace("le=50", "le=500"));
  expect(await runTests()).toEqual({ code: 1, output: expect.stringContaining("query.limit") });
});

describe("vite", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await copyExample("vite");
    for (const [program, path] of [
      ["tsc", "typescript/bin/tsc"],
      ["vitest", "vitest/vitest.mjs"],
      ["vite", "vite/bin/vite.js"],
      ["playwright", "@playwright/test/cli.js"],
    ] as const)
      await symlink(join(ROOT, "node_modules", path), join(folder, "node_modules/.bin", program));
  });

  const runScript = (name: string, env = {}) => runToEnd("npm", ["run", name], { cwd: folder, env });

  test("npm run check", async () => {
    const { code, output } = await runScript("check");
    expect(code, output).toBe(0);
  });

  test("npm test", async () => {
    expect(await runScript("test")).toMatchObject({ code: 0, output: expect.stringMatching(/Tests .*2 passed/) });
  });

  test.runIf(isWeekly && chromiumPath)("npm run e2e", async () => {
    const path = join(folder, "playwright.config.ts");
    const launchOptions = JSON.stringify({ executablePath: chromiumPath, args: ["--no-sandbox"] });
    const config = await readFile(path, "utf8");
    await writeFile(path, config.replace("use: {", `use: { launchOptions: ${launchOptions},`));
    expect(await runScript("e2e")).toMatchObject({ code: 0, output: expect.stringMatching(/3 passed/) });
  });
});
