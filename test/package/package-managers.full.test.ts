// npm, pnpm and yarn classic install the packed package in an empty project, and it serves on the oldest Node and on a later one.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, run, runToEnd, stop } from "../support/command.js";

const OLDEST = "20.19";
const LATER = "24";
const NODES = [OLDEST, LATER];
// Each with the Node that runs it, and what adds a file to a project. yarn checks the engines of every package, and takes the
// newest match.
const MANAGERS: [name: string, version: string, program: string, node: string, add: string[]][] = [
  ["npm", "11", "npm/bin/npm-cli.js", OLDEST, ["install", "--no-audit", "--no-fund"]],
  ["pnpm", "10", "pnpm/bin/pnpm.cjs", LATER, ["add"]],
  ["yarn", "1.22.22", "yarn/bin/yarn.js", OLDEST, ["add", "--non-interactive", "--no-progress"]],
];

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "managers-"));
  const packed = await runToEnd("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: ROOT });
  expect(packed.code, packed.output).toBe(0);
  const [file = ""] = await readdir(folder);
  archive = join(folder, file);
  const binaries = NODES.map((node) => `node-${node}@npm:node-${process.platform}-${process.arch}@${node}`);
  const managers = MANAGERS.map(([name, version]) => `${name}@${version}`);
  const tools = ["install", "--prefix", join(folder, "tools"), "--no-audit", "--no-fund", "--prefer-offline"];
  const installed = await runToEnd("npm", [...tools, ...binaries, ...managers], { cwd: folder });
  expect(installed.code, installed.output).toBe(0);
}, 180_000);
afterAll(() => rm(folder, { recursive: true }));

const tool = (path: string) => join(folder, "tools/node_modules", path);
const binaryOf = (node: string) => tool(`node-${node}/bin/node`);

test.each(MANAGERS)("%s %s installs it, and it serves", async (name, _version, program, node, add) => {
  const cwd = join(folder, name);
  await mkdir(cwd);
  await writeFile(join(cwd, "package.json"), '{"name":"app","private":true}');
  const caches = { YARN_CACHE_FOLDER: join(folder, "cache"), NPM_CONFIG_STORE_DIR: join(folder, "store") };
  const env = { ...caches, PATH: `${tool(`node-${node}/bin`)}:${process.env.PATH}` };
  const installed = await runToEnd(binaryOf(node), [tool(program), ...add, archive], { cwd, env });
  expect(installed.code, installed.output).toBe(0);
  for (const serving of name === "npm" ? NODES : [node]) {
    const cli = join(cwd, "node_modules/notifications-contract/dist/cli.js");
    const server = run(binaryOf(serving), [cli, "serve", "--port", "0", "--ephemeral"], { cwd });
    const [, url = ""] = await server.printed(/(http:\/\/127\.0\.0\.1:\d+)/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await stop(server)).toBe(0);
  }
});
