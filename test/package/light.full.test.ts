// The package is light: what only `mock`, `review` and `usage` need is not installed with it, and nothing is loaded before it is used.
// package.full.test.ts proves the same of the packed package.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, runToEnd } from "../support/command.js";
import { readInstalledSize } from "./installed-size.js";

const PEERS = Object.keys(manifest.peerDependencies);
/** Ranges, so that npm installs the server beside what a front-end has. */
const OF_FRONT_ENDS: Record<string, string> = { msw: "^2.0.0 || ^3.0.0" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "light-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the dependencies", () => {
  test("every optional peer has a range for users, from the exact version of a clone on", () => {
    const versions: Record<string, string> = manifest.devDependencies;
    for (const [name, version] of Object.entries(manifest.peerDependencies)) {
      expect(versions[name], name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(version, name).toBe(OF_FRONT_ENDS[name] ?? `^${versions[name]}`);
    }
    expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(PEERS.map((name) => [name, { optional: true }])));
  });

  test("src imports no other library, and the peers only in mock/, tools/review/, tools/usage/ and /preview", () => {
    const importable = [manifest.name, ...Object.keys(manifest.dependencies), ...PEERS, ...builtinModules];
    const imports = readImports();
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter(({ library }) => !importable.includes(library))).toEqual([]);
    const outside = imports.filter(
      ({ file }) => !/^(mock\/|tools\/(review|usage)\/|browser\/preview\/preview\.ts$)/.test(file),
    );
    expect(outside.filter(({ library }) => PEERS.includes(library))).toEqual([]);
  });

  test("at most 140 packages and 28 MB are installed, with the package itself", () => {
    const lock: { packages: Record<string, { dev?: true }> } = JSON.parse(
      readFileSync(join(ROOT, "package-lock.json"), "utf8"),
    );
    const paths = Object.entries(lock.packages).flatMap(([path, { dev }]) => (path === "" || dev ? [] : [path]));
    const { packages, bytes } = readInstalledSize(ROOT, paths);
    expect(packages).toBeGreaterThan(100);
    expect(packages).toBeLessThan(140); // and the package itself
    expect(bytes).toBeGreaterThan(1e6);
    expect(bytes).toBeLessThan(24e6); // the package itself has 4 MB
  });
});

describe("without the optional peers", () => {
  const cli = () => join(folder, "dist", "cli.js");
  beforeAll(() => {
    for (const path of ["dist", "openapi.yaml", "package.json"])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    for (const name of Object.keys(manifest.dependencies)) {
      const path = join(folder, "node_modules", name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(join(ROOT, "node_modules", name), path);
    }
  });

  test.each([
    ["mock", /^@stoplight\/prism-/],
    ["review", /^(?!@stoplight\/prism-|msw|ts-morph)/],
    ["usage", /^ts-morph$/],
  ])("`%s` exits with 2 and prints the command that installs them; its --help works", async (command, pattern) => {
    const versions: Record<string, string> = manifest.devDependencies;
    const packages = PEERS.filter((name) => pattern.test(name));
    expect(packages.length).toBeGreaterThan(0);
    const line = `npm i -D ${packages.map((name) => `${name}@${versions[name]}`).join(" ")}`;
    const { code, output } = await runToEnd(process.execPath, [cli(), command]);
    expect(output.trim().split("\n").slice(1)).toEqual([`  ${line}`]);
    expect(code).toBe(2);
    const help = await runToEnd(process.execPath, [cli(), command, "--help"]);
    expect([help.code, help.output]).toEqual([0, expect.stringContaining(`notifications-contract ${command}`)]);
  });
});

/** What each entry point loads of the package, besides openapi-fetch and leven. */
const ENTRY_POINTS: [entry: string, files: string[]][] = [
  [
    "client",
    [
      ...["client", "pages", "result", "retry"].map((name) => `dist/browser/client/${name}.js`),
      "dist/core/domain/options.js",
      "dist/core/domain/random.js",
      "dist/core/pause.js",
    ],
  ],
  [
    "control",
    [
      ...["control", "result"].map((name) => `dist/browser/client/${name}.js`),
      "dist/core/domain/options.js",
      "dist/core/pause.js",
    ],
  ],
  ["types", ["dist/contract/openapi.gen.js"]],
];

describe("only what is used is loaded", () => {
  test("the command line loads nothing of a command before it runs", async () => {
    const program = `process.argv = ["node", "cli", "--version"]; await import("./dist/cli.js");`;
    const modules = await findLoadedModules(program, ROOT);
    expect(modules).toContain("dist/cli/program.js");
    expect(
      modules.filter((path) => /^dist\/(mock\/|tools\/(review|usage)\/|server\/(server|app)\.js)/.test(path)),
    ).toEqual([]);
    expect(modules.filter((path) => path.startsWith("node_modules/") && !/\/(commander|leven)\//.test(path))).toEqual(
      [],
    );
  });

  test.each(ENTRY_POINTS)(
    "notifications-contract/%s loads %j and at most openapi-fetch and leven",
    async (entry, files) => {
      const modules = await findLoadedModules(`await import("notifications-contract/${entry}");`, ROOT);
      expect(modules.filter((path) => !/^node_modules\/(openapi-fetch|leven)\//.test(path)).sort()).toEqual(files);
    },
  );
});

/** The paths of all files that a program loads, relative to the folder, that are no builtin modules. The program may exit by itself. */
async function findLoadedModules(program: string, folder: string): Promise<string[]> {
  const { output } = await runToEnd(process.execPath, ["--input-type=module", "-e", LIST + program], { cwd: folder });
  const [, list] = /^loaded:(.*)$/m.exec(output) ?? [];
  if (list === undefined) throw new Error(`the program did not end in order:\n${output}`);
  const urls: string[] = JSON.parse(list);
  return urls.flatMap((url) => {
    const [, path] = url.split(`${encodeURI(folder.replace(/\/$/, ""))}/`);
    return path === undefined || path.startsWith("[eval") ? [] : [path];
  });
}

const LIST = `
  import { Session } from "node:inspector";
  const urls = [];
  const session = new Session();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => urls.push(params.url));
  session.post("Debugger.enable");
  process.once("exit", () => process.stdout.write("\\nloaded:" + JSON.stringify(urls) + "\\n"));
`;

function readImports(): { file: string; library: string }[] {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  return files.flatMap((file) =>
    [...readFileSync(join(ROOT, "src", file), "utf8").matchAll(/(?:from|import\()\s*"([@\w][^"]*)"/g)].map(
      ([, specifier = ""]) => ({
        file,
        library: (/^(?:@[^/]+\/)?[^/]+/.exec(specifier.replace(/^node:/, "")) ?? [""])[0],
      }),
    ),
  );
}
