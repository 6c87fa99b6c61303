// The published package, packed and installed in an empty project as the README says: its size, its commands with and without
// their optional peers, the library and the types.
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT, run, runToEnd, stop } from "../support/command.js";
import { blocksOf } from "../support/documents.js";
import { readInstalledSize } from "./installed-size.js";
import { ENTRY_POINTS, findLoadedModules } from "./loaded-modules.js";

const README = await readFile(join(ROOT, "README.md"), "utf8");
const EPHEMERAL = ["serve", "--port", "0", "--ephemeral"];

let folder: string;
let env: Record<string, string>;
let installed: { code: unknown; output: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "package-"));
  // No settings of this machine's user: what npm says here is what a stranger sees.
  await writeFile(join(folder, "npmrc"), "");
  env = { NPM_CONFIG_USERCONFIG: join(folder, "npmrc"), NPM_CONFIG_PREFER_OFFLINE: "true", NPM_CONFIG_AUDIT: "false" };
  await runToEnd("npm", ["pack", "--silent", "--pack-destination", folder], { env });
  await mkdir(app());
  await writeFile(app("package.json"), '{"name":"app","private":true,"type":"module"}');
  const [line = "", file = ""] = /^npm i -D \.\/(\S+)$/m.exec(README) ?? [];
  await copyFile(join(folder, file), app(file));
  installed = await runLine(line);
}, 180_000);
afterAll(() => rm(folder, { recursive: true }));

const app = (...path: string[]) => join(folder, "app", ...path);
const program = () => app("node_modules", ".bin", "notifications-contract");
function findProgram(document: string, word: string): string {
  const [program] = blocksOf("program").filter((block) => block.document === document && block.text.includes(word));
  if (!program) throw new Error(`${document} has no program with ${word}.`);
  return program.text;
}

const runLine = (line: string) => runToEnd("bash", ["-c", line], { cwd: app(), env });

describe("the package", () => {
  test("installs without a warning", () => {
    expect(installed.code).toBe(0);
    expect(installed.output).not.toMatch(/warn/i);
  });

  test("`notifications-contract serve` serves, keeps its state in the folder, and stops", async () => {
    const server = run(program(), ["serve", "--port", "0"], { cwd: app() });
    const [, url] = await server.printed(/URL +(http\S+)/);
    const response = await fetch(`${url}/v1/notifications?limit=1`, { headers: { authorization: "ApiKey demo-key" } });
    expect(response.status).toBe(200);
    expect((await fetch(`${url}/console`)).status).toBe(200);
    expect(await stop(server)).toBe(0);
    expect(JSON.parse(await readFile(app("data", "environments", "default.json"), "utf8")).name).toBe("default");
  });

  test("has at most 160 packages and 30 MB, and neither records of the build nor the seed generator", async () => {
    const lock = JSON.parse(await readFile(app("node_modules", ".package-lock.json"), "utf8"));
    const { packages, bytes } = readInstalledSize(app(), Object.keys(lock.packages));
    console.info(`installed: ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB`);
    expect(packages).toBeGreaterThan(100);
    expect(packages).toBeLessThanOrEqual(160);
    expect(bytes).toBeGreaterThan(10e6);
    expect(bytes).toBeLessThanOrEqual(30e6);
    const files = await readdir(app("node_modules", "notifications-contract"), { recursive: true });
    expect(files.filter((file) => /(^|\/)\.|^dist\/seed\//.test(file))).toEqual([]);
  });

  test.each(ENTRY_POINTS)("/%s loads %j of it, and at most openapi-fetch and leven", async (entry, files) => {
    const modules = await findLoadedModules(`await import("notifications-contract/${entry}");`, app());
    const expected = files.map((file) => `node_modules/notifications-contract/${file}`);
    expect(modules.filter((path) => !/^node_modules\/(openapi-fetch|leven)\//.test(path)).sort()).toEqual(expected);
  });

  test("every entry point has what its name promises", async () => {
    const names = {
      ...{ ".": "startServer", client: "createClient", control: "createControl", fetch: "createFetchHandler" },
      ...{ fixtures: "buildNotification", check: "checkFetch", coverage: "coverageOf", preview: "startPreview" },
      ...{ vite: "notificationsContract", "seeds/demo": "default" },
    };
    const { exports } = JSON.parse(await readFile(app("node_modules/notifications-contract/package.json"), "utf8"));
    const entries = Object.keys(exports).map((key) => key.replace("./", "").replace("seeds/*", "seeds/demo"));
    const ofFiles = entries.filter((entry) => /\.(json|yaml|js)$/.test(entry));
    const others = ["types", "react-query"]; // types alone, and what needs React
    expect(entries.toSorted()).toEqual([...Object.keys(names), ...ofFiles, ...others].toSorted());
    const program = `
      for (const [entry, name] of Object.entries(${JSON.stringify(names)})) {
        const module = await import(entry === "." ? "notifications-contract" : "notifications-contract/" + entry);
        if (module[name] === undefined) console.log(entry, "has no", name);
      }
      const { existsSync } = await import("node:fs");
      for (const file of ${JSON.stringify(ofFiles)}) {
        if (!existsSync(new URL(import.meta.resolve("notifications-contract/" + file)))) console.log(file, "is missing");
      }`;
    await writeFile(app("entries.mjs"), program);
    expect(await runToEnd(process.execPath, ["entries.mjs"], { cwd: app() })).toEqual({ code: 0, output: "" });
  });

  test("`verify`, `proxy` and `reset` run from it", async () => {
    const server = run(program(), EPHEMERAL, { cwd: app() });
    const [, url = ""] = await server.printed(/URL +(http\S+)/);
    const proxy = run(program(), ["proxy", "--port", "0", "--upstream", url], { cwd: app() });
    const [, proxyUrl = ""] = await proxy.printed(/up at (\S+),/);
    const verified = await runToEnd(program(), ["verify", "--url", proxyUrl, "--only", "updatePreferences › example"], {
      cwd: app(),
    });
    expect(verified.output).toMatch(/^\d{2,} passed, 0 failed, /m);
    expect(verified.code).toBe(0);
    expect(await stop(proxy)).toBe(0);
    expect(await stop(server)).toBe(0);
    const reset = await runToEnd(program(), ["reset"], { cwd: app() });
    expect([reset.code, reset.output]).toEqual([0, expect.stringContaining("demo")]);
  });

  test("the README's program for test runners runs", async () => {
    const text = findProgram("README.md", "startServer");
    await writeFile(app("program.mjs"), text);
    expect(await runToEnd(process.execPath, ["program.mjs"], { cwd: app() })).toEqual({ code: 0, output: "200 1\n" });
  });

  test("the guide's program with the client runs", async () => {
    const text = findProgram("docs/front-end.md", "iterateNotifications");
    const server = run(program(), EPHEMERAL, { cwd: app() });
    const [, url = ""] = await server.printed(/URL +(http\S+)/);
    await writeFile(app("client.mjs"), text.replace("http://127.0.0.1:4010", url));
    const { code, output } = await runToEnd(process.execPath, ["client.mjs"], { cwd: app() });
    expect(await stop(server)).toBe(0);
    expect(code).toBe(0);
    expect(output).toMatch(/^false\n(\d{4}-\d\d-\S+Z .+\n){26}$/);
  });

  test("the types are there, and strict", async () => {
    const text = `
      import { startServer, type RunningServer } from "notifications-contract";
      import { type Control, createControl } from "notifications-contract/control";
      import type { components } from "notifications-contract/types";
      const server: RunningServer = await startServer({ plan: "free" });
      const update: components["schemas"]["PreferencesUpdate"] = { channels: { email: true } };
      // @ts-expect-error a channel that the contract does not have
      const wrong: components["schemas"]["PreferencesUpdate"] = { channels: { fax: true } };
      const control: Control = createControl({ baseUrl: server.url });
      (await control.createEnvironment()).apiKey.trim();
      void [update, wrong];
    `;
    await writeFile(app("program.ts"), text);
    const compilerOptions = { noEmit: true, strict: true, module: "nodenext", target: "es2022", skipLibCheck: true };
    await writeFile(app("tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] } }));
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const { code, output } = await runToEnd(process.execPath, [tsc, "--project", app()], { cwd: app() });
    expect([code, output]).toEqual([0, ""]);
  });
});

describe("its optional peers", () => {
  /** Runs the command without them, and then the line that it prints. */
  async function installPeers(command: string): Promise<void> {
    const { code, output } = await runToEnd(program(), [command], { cwd: app() });
    expect(code).toBe(2);
    const [line = ""] = /npm i -D .+$/m.exec(output) ?? [];
    expect(line, output).not.toBe("");
    const help = await runToEnd(program(), [command, "--help"], { cwd: app() });
    expect([help.code, help.output]).toEqual([0, expect.stringContaining(`notifications-contract ${command}`)]);
    const { code: installCode, output: log } = await runLine(line);
    expect(installCode, log).toBe(0);
  }

  test("`mock` runs once those that it names are installed", async () => {
    await installPeers("mock");
    const mock = run(program(), ["mock", "--port", "0"], { cwd: app() });
    const [, url] = await mock.printed(/URL +(http\S+)/);
    const response = await fetch(`${url}/v1/notifications`, { headers: { authorization: "ApiKey demo-key" } });
    expect(response.status).toBe(200);
    expect(await stop(mock)).toBe(0);
  }, 300_000);

  test("`review` runs once those that it names are installed", async () => {
    await installPeers("review");
    const { code, output } = await runToEnd(program(), ["review"], { cwd: app() });
    expect(output).toMatch(/^Accept: .*the tests are not part of this package/ms);
    expect(code).toBe(0);
  }, 300_000);
});
