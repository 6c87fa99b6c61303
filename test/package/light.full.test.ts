// The package is light: what only `mock` needs is not imported elsewhere, and nothing is loaded
// before it is used. package.full.test.ts has the size of the packed package, and its commands without their optional
// peers.
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, runToEnd } from "../support/command.js";

const PEERS = Object.keys(manifest.peerDependencies);
/** The build bundles these development dependencies. */
const BUNDLED = [
  "pages/report/jsdiff.ts: diff",
  "tools/review/changes/pattern-language.ts: refa",
  "tools/review/version.ts: semver",
];
/** Ranges, so that npm installs the server beside what a front-end has. */
const OF_FRONT_ENDS: Record<string, string> = { msw: "^2.0.0 || ^3.0.0" };

describe("the dependencies", () => {
  test("every optional peer has a range for users, from the exact version of a clone on", () => {
    const versions: Record<string, string> = manifest.devDependencies;
    for (const [name, version] of Object.entries(manifest.peerDependencies)) {
      expect(versions[name], name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(version, name).toBe(OF_FRONT_ENDS[name] ?? `^${versions[name]}`);
    }
    expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(PEERS.map((name) => [name, { optional: true }])));
  });

  test("src imports no other library that is not bundled, and the peers only in mock/ and /preview", () => {
    const importable = [manifest.name, ...Object.keys(manifest.dependencies), ...PEERS, ...builtinModules, "test"];
    const imports = readImports();
    expect(imports.length).toBeGreaterThan(100);
    const published = imports.filter(({ file }) => !file.startsWith("build/"));
    const others = published.filter(({ library }) => !importable.includes(library));
    expect(new Set(others.map(({ file, library }) => `${file}: ${library}`))).toEqual(new Set(BUNDLED));
    const outside = imports.filter(({ file }) => !/^(mock\/|browser\/preview\/preview\.ts$)/.test(file));
    expect(outside.filter(({ library }) => PEERS.includes(library))).toEqual([]);
  });
});

test("the bundled automata compare patterns as the library does", async () => {
  const bundled: typeof import("../../src/tools/review/changes/pattern-language.js") = await import(
    join(ROOT, "dist/tools/review/changes/pattern-language.js")
  );
  const { findTextsBeyond } = await import("../../src/tools/review/changes/pattern-language.js");
  for (const other of ["^(a|b)*$", "^\\p{L}+$", "^(\\p{Script=Greek}|\\p{Ll})*$"])
    expect(bundled.findTextsBeyond(["^(\\p{L}|a)*$"], other), other).toEqual(findTextsBeyond(["^(\\p{L}|a)*$"], other));
});

const OPTIONS = [
  "dist/contract/json.js",
  "dist/contract/nearest-name.js",
  "dist/core/options.js",
  "dist/core/domain/clock.js",
];
const inClient = (...names: string[]) => names.map((name) => `dist/browser/client/${name}.js`);

/** The package's own files that each entry point loads. */
const ENTRY_POINTS: [entry: string, files: string[]][] = [
  [
    "client",
    [
      ...inClient("client", "pages", "result"),
      ...OPTIONS,
      "dist/core/request/prefer-hint.js",
      "dist/core/domain/random.js",
    ],
  ],
  ["control", [...inClient("control", "result"), ...OPTIONS]],
  ["types", ["dist/contract/openapi.gen.js"]],
];

describe("only what is used is loaded", () => {
  test("the command line loads nothing of a command before it runs", async () => {
    const program = `process.argv = ["node", "cli", "--version"]; await import("./dist/cli.js");`;
    const modules = await findLoadedModules(program);
    expect(modules).toContain("dist/cli/program.js");
    const needless = /^dist\/(mock\/|tools\/review\/|server\/(server|app)\.js)|^node_modules\/(?!(commander|leven)\/)/;
    expect(modules.filter((path) => needless.test(path))).toEqual([]);
  });

  test.each(ENTRY_POINTS)(
    "notifications-contract/%s loads %j, and at most openapi-fetch and leven",
    async (entry, files) => {
      const modules = await findLoadedModules(`await import("notifications-contract/${entry}");`);
      const own = modules.filter((path) => !/^node_modules\/(openapi-fetch|leven)\//.test(path));
      expect(own.toSorted()).toEqual(files.toSorted());
    },
  );
});

const OF_BROWSERS = ["check", "client", "control", "fetch", "fixtures", "preview", "query"] as const;

test.each(OF_BROWSERS)("notifications-contract/%s, bundled for a browser, needs nothing of Node", (entry) => {
  const files = listReachable(join(ROOT, manifest.exports[`./${entry}`].default));
  expect(files.size).toBeGreaterThan(3);
  expect([...files].filter((file) => /^node:/.test(file) || builtinModules.includes(file))).toEqual([]);
});

/** What a bundler finds from a file on: its imports, dynamic ones too, and theirs. Packages are only named. */
function listReachable(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const [, target = ""] of readFileSync(file, "utf8").matchAll(
    /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]([\w@.][^"'`\n]*)["'`]/g,
  )) {
    if (target.startsWith(".")) listReachable(join(dirname(file), target), reached);
    else reached.add(target);
  }
  return reached;
}

/** The paths of all files that a program loads, without builtin modules. The program may exit by itself. */
async function findLoadedModules(program: string): Promise<string[]> {
  const { output } = await runToEnd(process.execPath, ["--input-type=module", "-e", LIST + program]);
  const [, list] = /^loaded:(.*)$/m.exec(output) ?? [];
  if (list === undefined) throw new Error(`the program did not exit normally:\n${output}`);
  const urls: string[] = JSON.parse(list);
  const root = pathToFileURL(ROOT).href;
  return urls.filter((url) => url.startsWith(root) && !url.includes("[eval")).map((url) => url.slice(root.length));
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
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, "src", file), "utf8");
      return [
        ...text.matchAll(/(?:^(?:import|export|\}).* from|import\()\s*"(?:node:)?((?:@[^/"]+\/)?\w[^/"]*)/gm),
      ].map(([, library = ""]) => ({
        file,
        library,
      }));
    });
}
