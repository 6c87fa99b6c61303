// The README's recipes for test runners, run by these runners against the built package. Cypress is not at hand: of its
// recipe the tasks are run.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../browser/chromium.js";
import { type ExampleSite, startExampleSite } from "../browser/example-site.js";
import { ROOT, type Running, runToEnd, serve, stop } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";

let folder: string;
let server: Running & { url: string };
let site: ExampleSite;
beforeAll(async () => {
  await buildIfStale();
  folder = await mkdtemp(join(tmpdir(), "recipes-"));
  await mkdir(join(folder, "node_modules", "@playwright"), { recursive: true });
  await symlink(ROOT, join(folder, "node_modules", "notifications-contract"));
  for (const name of ["vitest", "@playwright/test"]) await symlink(bin(name), join(folder, "node_modules", name));
  server = await serve(["--port", "0", "--ephemeral"]);
  site = await startExampleSite();
});
afterAll(async () => {
  await site?.close();
  if (server) await stop(server);
  if (folder) await rm(folder, { recursive: true });
});

const bin = (...path: string[]) => join(ROOT, "node_modules", ...path);
const README = await readFile(join(ROOT, "README.md"), "utf8");

/** The block that imports from this module, at home on the servers of this test. */
async function writeRecipe(name: string, from: string): Promise<void> {
  const blocks = [...README.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  const found = blocks.filter((text) => text.includes(`from "${from}"`) && text.includes("notifications-contract/"));
  const [recipe] = found.filter((text) => name.includes("config") === text.includes("defineConfig"));
  if (!recipe) throw new Error(`The README has no recipe with ${from} for ${name}.`);
  const here = recipe.replaceAll("http://127.0.0.1:4010", server.url).replaceAll("http://127.0.0.1:5173", site.url);
  await writeFile(join(folder, name), here);
}

describe("the README's recipes", () => {
  test("Vitest", async () => {
    await writeRecipe("world.test.ts", "vitest");
    await writeFile(join(folder, "vitest.config.mjs"), "export default {};\n");
    const args = [bin("vitest", "vitest.mjs"), "run", "--root", folder, "--config", join(folder, "vitest.config.mjs")];
    const { code, output } = await runToEnd(process.execPath, args, { cwd: folder });
    expect(output).toMatch(/Tests .*2 passed/);
    expect(code).toBe(0);
  });

  test.skipIf(!chromiumPath)("Playwright", async () => {
    await writeRecipe("feed.spec.ts", "@playwright/test");
    const [config = ""] =
      /```ts\n(import { defineConfig } from "@playwright\/test";[\s\S]*?)```/.exec(README)?.slice(1) ?? [];
    const here = config.replace("http://127.0.0.1:4010", server.url).replace("http://127.0.0.1:5173", site.url);
    const launchOptions = { executablePath: chromiumPath, args: ["--no-sandbox"] };
    await writeFile(
      join(folder, "playwright.config.ts"),
      here.replace("use: {", `use: { launchOptions: ${JSON.stringify(launchOptions)},`),
    );
    const args = [bin("@playwright", "test", "cli.js"), "test", "feed.spec.ts", "--reporter=line"];
    const { code, output } = await runToEnd(process.execPath, args, { cwd: folder });
    expect(output).toMatch(/1 passed/);
    expect(code).toBe(0);
  });

  test("Cypress: the tasks", async () => {
    await writeRecipe("cypress.config.mjs", "cypress");
    await mkdir(join(folder, "node_modules", "cypress"));
    const stand = { name: "cypress", type: "module", exports: "./main.js" };
    await writeFile(join(folder, "node_modules", "cypress", "package.json"), JSON.stringify(stand));
    await writeFile(
      join(folder, "node_modules", "cypress", "main.js"),
      "export const defineConfig = (config) => config;\n",
    );
    const { default: config } = await import(join(folder, "cypress.config.mjs"));
    const tasks: Record<string, (given: unknown) => Promise<Record<string, unknown> | null>> = {};
    config.e2e.setupNodeEvents((name: string, given: typeof tasks) => {
      expect(name).toBe("task");
      Object.assign(tasks, given);
    });
    const made = await tasks.createEnvironment?.({});
    expect(made).toMatchObject({ apiKey: expect.any(String) });
    const fault = { environment: made?.name, fault: { status: 503 } };
    expect(await tasks.addFault?.(fault)).toMatchObject({ status: 503, hits: 0 });
    expect(await tasks.deleteEnvironment?.(made?.name)).toBeNull();
  });
});
