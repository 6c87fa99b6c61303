// The published package, packed and installed in an empty project as the README says, by npm, pnpm and yarn: its size,
// its commands with and without their optional peers, its entry points, and CommonJS. What the entry points load is in
// light.full.test.ts; the documents run in documents.full.test.ts and programs.full.test.ts.
import { readdirSync, statSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { build as bundleByVite } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, run, runToEnd, stop } from "../support/command.js";
import { blocksOf, readDocument } from "../support/documents.js";
import { isWeekly } from "../support/sizes.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const JEST = ["jest@30", "jest-environment-jsdom@30", "jest-fixed-jsdom@0.0.11"];
const TSC = join(ROOT, "node_modules/typescript-7/bin/tsc");
const EPHEMERAL = ["serve", "--port", "0", "--ephemeral"];

let folder: string;
let env: Record<string, string>;
let archive: string;
let installed: { code: unknown; output: string };
beforeAll(async () => {
  folder = await createTemporaryFolder(afterAll);
  // Without the settings of this machine's user, npm prints what a stranger sees.
  await writeFile(join(folder, "npmrc"), "");
  env = { NPM_CONFIG_USERCONFIG: join(folder, "npmrc"), NPM_CONFIG_PREFER_OFFLINE: "true", NPM_CONFIG_AUDIT: "false" };
  await runToEnd("npm", ["pack", "--silent", "--pack-destination", folder], { env });
  await mkdir(app());
  await writeFile(app("package.json"), '{"name":"app","private":true,"type":"module"}');
  const [line = "", file = ""] = /^npm i -D \.\/(\S+)$/m.exec(readDocument("README.md")) ?? [];
  archive = join(folder, file);
  await copyFile(archive, app(file));
  installed = await runLine(line);
});

const app = (...path: string[]) => join(folder, "app", ...path);
const program = () => app("node_modules", ".bin", "notifications-contract");
const runLine = (line: string) => runToEnd("bash", ["-c", line], { cwd: app(), env });

describe("the package", () => {
  test("installs without a warning", () => {
    expect(installed.code).toBe(0);
    expect(installed.output).not.toMatch(/warn/i);
  });

  test("`serve` keeps its state in the folder, and stops; `verify` runs", async () => {
    const server = run(program(), ["serve", "--port", "0"], { cwd: app() });
    const [, url = ""] = await server.printed(/URL +(http\S+)/);
    const few = ["--only", "listNotifications › query.limit"];
    const { code, output } = await runToEnd(program(), ["verify", "--url", url, ...few], { cwd: app() });
    expect([code, output]).toEqual([0, expect.stringMatching(/: \d{2,} passed, 0 failed, /)]);
    expect((await fetch(`${url}/console`)).status).toBe(200);
    expect(await stop(server)).toBe(0);
    expect(JSON.parse(await readFile(app("data", "environments", "default.json"), "utf8")).name).toBe("default");
  });

  test("`review` needs no optional peer", async () => {
    const { code, output } = await runToEnd(program(), ["review"], { cwd: app() });
    expect([code, output]).toEqual([0, expect.stringMatching(/^Accept/)]);
  });

  test("has at most 134 packages and 28 MB, and neither records of the build nor the seed generator", async () => {
    const lock = JSON.parse(await readFile(app("node_modules", ".package-lock.json"), "utf8"));
    // npm leaves out a package that is for another system.
    const sizes = Object.keys(lock.packages)
      .map((path) => sizeOf(app(path)))
      .filter((size) => size > 0);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.info(`installed: ${sizes.length} packages, ${(bytes / 1e6).toFixed(1)} MB`);
    expect(sizes.length).toBeGreaterThan(100);
    expect(sizes.length).toBeLessThanOrEqual(134);
    for (const document of ["README.md", "docs/dependencies.md"])
      expect(readDocument(document)).toContain(
        `installs ${sizes.length} packages, ${Math.round(bytes / 1e6)} MB in all`,
      );
    expect(bytes).toBeGreaterThan(10e6);
    expect(bytes).toBeLessThanOrEqual(28e6);
    const files = await readdir(app("node_modules", "notifications-contract"), { recursive: true });
    expect(files.filter((file) => /^dist\/(.*\/)?\.|^dist\/seed\//.test(file))).toEqual([]);
  });

  test("every entry point has what its name promises, and types that TypeScript checks in full; all modules load", async () => {
    const names = {
      ...{ ".": "startServer", client: "createClient", control: "createControl", fetch: "createFetchHandler" },
      ...{ fixtures: "buildNotification", check: "checkFetch", preview: "startPreview" },
      ...{ query: "preferencesQuery", "seeds/demo": "default" },
    };
    const { exports } = JSON.parse(await readFile(app("node_modules/notifications-contract/package.json"), "utf8"));
    const entries = Object.keys(exports).map((key) => key.replace("./", "").replace("seeds/*", "seeds/demo"));
    const ofFiles = entries.filter((entry) => /\.(json|yaml|js)$/.test(entry));
    const others = ["types"]; // types alone
    expect(entries.toSorted()).toEqual([...Object.keys(names), ...ofFiles, ...others].toSorted());
    const program = `
      for (const [entry, name] of Object.entries(${JSON.stringify(names)})) {
        const module = await import(entry === "." ? "notifications-contract" : "notifications-contract/" + entry);
        if (module[name] === undefined) console.log(entry, "has no", name);
      }
      const { existsSync, readdirSync } = await import("node:fs");
      for (const file of ${JSON.stringify(ofFiles)}) {
        if (!existsSync(new URL(import.meta.resolve("notifications-contract/" + file)))) console.log(file, "is missing");
      }
      for (const file of readdirSync("node_modules/notifications-contract/dist", { recursive: true }))
        if (/\\.js$/.test(file) && !/^(cli\\.js|cli.program\\.js|mock.*|pages.(console|script).*)$/.test(file))
          await import("./node_modules/notifications-contract/dist/" + file).catch(console.log);`;
    await writeFile(app("entries.mjs"), program);
    expect(await runToEnd(process.execPath, ["entries.mjs"], { cwd: app() })).toEqual({ code: 0, output: "" });
    const types = entries.filter((entry) => !ofFiles.includes(entry) && entry !== ".");
    const imports = types.map((entry, index) => `export type * as T${index} from "notifications-contract/${entry}";`);
    await writeFile(app("types.ts"), ['export type * from "notifications-contract";', ...imports].join("\n"));
    const options = "--noEmit --strict --target es2022 --lib es2023,dom,dom.iterable --skipLibCheck false".split(" ");
    const modes = ["--module nodenext", "--module esnext --moduleResolution bundler"];
    for (const mode of isWeekly ? modes : modes.slice(1)) {
      const args = [TSC, ...options, ...mode.split(" "), "types.ts"];
      expect(await runToEnd(process.execPath, args, { cwd: app() }), mode).toEqual({ code: 0, output: "" });
    }
  });

  test("publint finds nothing wrong", async () => {
    const tarball = new Uint8Array(await readFile(archive)).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });

  test.runIf(isWeekly)(
    "the types of every entry are found, but for YAML, which no program imports: it reads the file",
    async () => {
      const checked = await checkPackage(createPackageFromTarballData(await readFile(archive)));
      if (!checked.types) throw new Error("attw finds no types");
      // CommonJS and old resolution are not supported: the package consists of ES modules.
      const found = checked.problems.filter(
        (problem) => !("resolutionKind" in problem) || ["node16-esm", "bundler"].includes(problem.resolutionKind),
      );
      const unresolved = found.map((problem) => [problem.kind, "entrypoint" in problem ? problem.entrypoint : ""]);
      const expected = ["./openapi.yaml", "./control.openapi.yaml"].map((entry) => ["NoResolution", entry]);
      expect(unresolved.toSorted()).toEqual([...expected, ...expected].toSorted()); // by both resolutions
    },
  );
});

describe("in a bundle for a browser", () => {
  /** Bundles a program for a browser as Vite does. */
  async function bundle(program: string): Promise<string> {
    await writeFile(app("page.js"), program);
    const build = { write: false, minify: false, rolldownOptions: { input: app("page.js") } };
    const result = await bundleByVite({ root: app(), configFile: false, logLevel: "silent", build });
    const { output } = [result].flat()[0] as { output: { code: string }[] };
    return output[0]?.code ?? "";
  }
  /** The message of a bundle's failure, at the build or as it runs. */
  async function failureOf(program: string): Promise<string> {
    try {
      const code = await bundle(program);
      await import(`data:text/javascript,${encodeURIComponent(code)}`);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }
  const ENTRIES = "take one of [the entry points](../README.md#use-it-from-a-front-end)";

  test.each([
    [
      "the entry of Node",
      `import { startServer } from "notifications-contract"; await startServer();`,
      ["startServer needs Node.js", "notifications-contract/fetch", "startPreview"],
      "import `createFetchHandler` from",
    ],
    [
      "a name of another entry",
      `import { createClient } from "notifications-contract"; createClient({});`,
      ['"createClient" is not exported by', "page.js"],
      "the name is in another entry point",
    ],
    [
      "a file that is no entry",
      `import { createClient } from "notifications-contract/dist/browser/client/client.js"; createClient({});`,
      ['"./dist/browser/client/client.js" is not exported under the conditions', "(see exports field in"],
      ENTRIES,
    ],
    [
      "an entry that does not exist",
      `import { createClient } from "notifications-contract/clients"; createClient({});`,
      ['"./clients" is not exported under the conditions', "(see exports field in"],
      ENTRIES,
    ],
  ])("%s fails with what to do, or with a message of docs/operations.md", async (_title, program, says, remedy) => {
    const message = await failureOf(program);
    for (const part of says) expect(message).toContain(part);
    expect(readDocument("docs/operations.md")).toContain(remedy);
  });

  test("a preview without its peer is bundled, and names the command that installs it", async () => {
    const code = await bundle(`import { startPreview } from "notifications-contract/preview"; startPreview({});`);
    expect(code).toContain("MSW could not be loaded. Is it installed? Run `npm i -D msw`.");
  });
});

describe("its optional peers", () => {
  const versions: Record<string, string> = manifest.devDependencies;
  const packages = Object.keys(manifest.peerDependencies).filter((name) => name.startsWith("@stoplight/prism-"));
  const line = `npm i -D ${packages.map((name) => `${name}@${versions[name]}`).join(" ")}`;

  // Once a week as the line says, with Jest; else those of this project's node_modules, which have the same versions.
  test("`mock` exits with 2 and prints the command that installs them; it runs with them", async () => {
    const { code, output } = await runToEnd(program(), ["mock"], { cwd: app() });
    expect([code, output.trim().split("\n").slice(1)]).toEqual([2, [`  ${line}`]]);
    if (isWeekly) expect(await runLine([line, ...JEST].join(" "))).toMatchObject({ code: 0 });
    else
      for (const name of packages) {
        await mkdir(dirname(app("node_modules", name)), { recursive: true });
        await symlink(join(ROOT, "node_modules", name), app("node_modules", name));
      }
    const mock = run(program(), ["mock", "--port", "0"], { cwd: app() });
    const [, url] = await mock.printed(/URL +(http\S+)/);
    const response = await fetch(`${url}/v1/notifications`, { headers: { authorization: "ApiKey demo-key" } });
    expect(response.status).toBe(200);
    expect(await stop(mock)).toBe(0);
  }, 300_000);
});

describe("from CommonJS modules", () => {
  const commonjs = (...path: string[]) => app("commonjs", ...path);
  beforeAll(async () => {
    await mkdir(commonjs());
    await writeFile(commonjs("package.json"), '{"type":"commonjs"}');
  });

  test.runIf(isWeekly)("Jest, in Node and jest-fixed-jsdom: as printed, as ES modules, and with require", async () => {
    const [program] = blocksOf("program").filter(({ text }) => text.includes("jest.spyOn("));
    const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split(".").map(Number);
    const mayRequire = nodeMajor > 24 || (nodeMajor === 24 && nodeMinor >= 9);
    const files: Record<string, string> = {
      "jest.config.js": `
      const environments = ["node", "jest-fixed-jsdom"];
      const testMatch = ["**/*.test.?(m)js"];
      module.exports = { projects: environments.map((testEnvironment) => ({ testEnvironment, testMatch })) };`,
      "printed.test.js": program?.text ?? "",
      "module.test.mjs": ES_MODULE,
      ...(mayRequire ? { "require.test.js": REQUIRE } : {}),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(commonjs(name), text);
    const [line = ""] = /NODE_OPTIONS=\S+ npx jest/.exec(readDocument("docs/front-end.md")) ?? [];
    const { code, output } = await runToEnd("bash", ["-c", line], { cwd: commonjs() });
    expect(output).toMatch(new RegExp(`^Tests: +${mayRequire ? 6 : 4} passed, `, "m"));
    expect(code).toBe(0);
  });

  test("TypeScript: import in a CommonJS module", async () => {
    const source = `
    import { createClient } from "notifications-contract/client";
    import type { components } from "notifications-contract/types";
    const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" });
    export type Notification = components["schemas"]["Notification"];
    console.log(typeof client.listNotifications);`;
    await writeFile(commonjs("main.ts"), source);
    const options = "--strict --module nodenext --target es2022 --lib es2023,dom,dom.iterable --skipLibCheck".split(
      " ",
    );
    const compiled = await runToEnd(process.execPath, [TSC, ...options, "main.ts"], { cwd: commonjs() });
    expect(compiled).toEqual({ code: 0, output: "" });
    const { code, output } = await runToEnd(process.execPath, ["main.js"], { cwd: commonjs() });
    expect([code, output]).toEqual([0, expect.stringMatching(/^function$/m)]);
  });
});

// yarn checks the engines of every package, and takes the newest match: in CI, on the oldest Node as well.
describe("with other package managers", () => {
  const tool = (path: string) => join(folder, "tools/node_modules", path);
  beforeAll(async () => {
    const tools = ["install", "--prefix", join(folder, "tools"), "--no-audit", "--no-fund", "--prefer-offline"];
    const ended = await runToEnd("npm", [...tools, "pnpm@10", "yarn@1.22.22", "@yarnpkg/cli-dist@4.18.1"], {
      cwd: folder,
    });
    expect(ended.code, ended.output).toBe(0);
  });

  const managers: [name: string, script: string, add: string[]][] = [
    ["pnpm", "bin/pnpm.cjs", ["add"]],
    ["yarn", "bin/yarn.js", ["add", "--non-interactive", "--no-progress"]],
  ];
  test.runIf(isWeekly).each(managers)("%s installs it, and it serves", async (name, script, add) => {
    const cwd = join(folder, name);
    await mkdir(cwd);
    await writeFile(join(cwd, "package.json"), '{"name":"app","private":true}');
    const caches = { YARN_CACHE_FOLDER: join(folder, "cache"), NPM_CONFIG_STORE_DIR: join(folder, "store") };
    const added = await runToEnd(process.execPath, [tool(`${name}/${script}`), ...add, archive], { cwd, env: caches });
    expect(added.code, added.output).toBe(0);
    const cli = join(cwd, "node_modules/notifications-contract/dist/cli.js");
    const server = run(process.execPath, [cli, ...EPHEMERAL], { cwd });
    const [, url = ""] = await server.printed(/URL +(http\S+)/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await stop(server)).toBe(0);
  });

  test.runIf(isWeekly)(
    "Yarn Plug'n'Play installs it; it serves, says what `mock` lacks, and mocks with the printed lines",
    async () => {
      const cwd = join(folder, "pnp");
      await mkdir(cwd);
      const settings =
        "nodeLinker: pnp\nenableGlobalCache: false\nenableTelemetry: false\nenableImmutableInstalls: false\n";
      const { output: registry } = await runToEnd("npm", ["config", "get", "registry"], { cwd });
      const files = { "package.json": '{"name":"app","private":true}', "yarn.lock": "", ".yarnrc.yml": settings };
      for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
      const yarn = (...args: string[]) => [tool("@yarnpkg/cli-dist/bin/yarn.js"), ...args];
      const options = { cwd, env: { YARN_NPM_REGISTRY_SERVER: registry.trim() } };
      const peers = ["prism-core", "prism-http"].map((name) => `@stoplight/${name}`);
      const versions: Record<string, string> = manifest.devDependencies;
      const packages = [archive, ...peers.map((name) => `${name}@${versions[name]}`)];
      const added = await runToEnd(process.execPath, yarn("add", "-D", ...packages), options);
      expect(added.code, added.output).toBe(0);
      const start = async (command: string) => {
        const server = run(process.execPath, yarn("notifications-contract", command, "--port", "0"), options);
        const [, url = ""] = await server.printed(/URL +(http\S+)/);
        const headers = { authorization: "ApiKey demo-key" };
        expect((await fetch(`${url}/v1/notifications`, { headers })).status).toBe(200);
        await stop(server);
      };
      await start("serve"); // with a data folder
      await expect(start("mock")).rejects.toThrow("add the `packageExtensions` of docs/operations.md");
      await writeFile(join(cwd, ".yarnrc.yml"), `${settings}${blocksOf("yarn")[0]?.text}\n`);
      const extended = await runToEnd(process.execPath, yarn("install"), options);
      expect(extended.code, extended.output).toBe(0);
      await start("mock");
    },
  );
});

/** In blocks, as `du` counts them, without nested packages. 0 if there is no such path. */
function sizeOf(path: string): number {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 0;
  const names = entry.isDirectory() ? readdirSync(path).filter((name) => name !== "node_modules") : [];
  return names.reduce((sum, name) => sum + sizeOf(join(path, name)), entry.blocks * 512);
}

const LIST = `
  const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key", fetch: createFetchHandler({ seed }).fetch });
  test("lists", async () => expect((await client.listNotifications()).status).toBe(200));
`;

const ES_MODULE = `
  import { jest } from "@jest/globals";
  import { createClient } from "notifications-contract/client";
  import { createFetchHandler } from "notifications-contract/fetch";
  import seed from "notifications-contract/seeds/demo";
  jest.fn();
  ${LIST}`;

const REQUIRE = `
  const { createClient } = require("notifications-contract/client");
  const { createFetchHandler } = require("notifications-contract/fetch");
  const { default: seed } = require("notifications-contract/seeds/demo");
  ${LIST}`;
