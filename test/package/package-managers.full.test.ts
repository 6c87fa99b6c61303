// npm, pnpm and yarn classic install the packed package in an empty project, on the oldest Node and on a later one, and it serves.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, run, runToEnd, stop } from "../support/command.js";

const NODES = ["20.19", "24"];
// Each with the arguments that add a file to a project. yarn checks the engines of every package, and takes the newest match.
const MANAGERS: [manager: string, version: string, add: string[]][] = [
  ["npm", "11", ["install", "--no-audit", "--no-fund"]],
  ["pnpm", "10", ["add"]],
  ["yarn", "1.22.22", ["add", "--non-interactive", "--no-progress"]],
];

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "managers-"));
  const packed = await runToEnd("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: ROOT });
  expect(packed.code, packed.output).toBe(0);
  const [file = ""] = await readdir(folder);
  archive = join(folder, file);
}, 180_000);
afterAll(() => rm(folder, { recursive: true }));

test.each(NODES.flatMap((node) => MANAGERS.map((manager) => [node, ...manager] as const)))(
  "Node %s, %s",
  async (node, manager, version, add) => {
    const cwd = join(folder, `${manager}-${node}`);
    await mkdir(cwd);
    await writeFile(join(cwd, "package.json"), '{"name":"app","private":true}');
    const within = (...command: string[]) => ["-y", "-p", `node@${node}`, "-p", `${manager}@${version}`, ...command];
    const env = { YARN_CACHE_FOLDER: join(folder, "cache"), NPM_CONFIG_STORE_DIR: join(folder, "store") };
    const installed = await runToEnd("npx", within(manager, ...add, archive), { cwd, env });
    expect(installed.code, installed.output).toBe(0);
    const { output } = await runToEnd("npx", within("node", "-p", "process.execPath"), { cwd });
    const program = join(cwd, "node_modules", "notifications-contract", "dist", "cli.js");
    const server = run(output.trim().split("\n").at(-1) ?? "", [program, "serve", "--port", "0", "--ephemeral"], {
      cwd,
    });
    const [, url = ""] = await server.printed(/(http:\/\/127\.0\.0\.1:\d+)/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await stop(server)).toBe(0);
  },
);
