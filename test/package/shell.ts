// Runs scripts of documents and actions as a shell does. Commands of this package run in this process, since most of
// their time would be the start of a program: in the place of npm, npx, docker and this package are programs that write down the
// arguments. The place of gh records its call, and fails without the file of the comment.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, runToEnd } from "../support/command.js";
import { COMMANDS, runInProcess } from "../support/in-process.js";

const NAME = manifest.name;
/** What `npm start` runs. */
const [, START = ""] = /run\.js (.*)/.exec(manifest.scripts.start) ?? [];
/** A few cases of verify show that a line works. A clone's contract is the one in the folder. */
const ADDED: Readonly<Record<string, { unless: RegExp; options: string[] }>> = {
  verify: { unless: /^--(only|init)$/m, options: ["--only", "query.limit"] },
  review: { unless: /^--contract$/m, options: ["--contract", "openapi.yaml"] },
};

const RECORD = `printf '%s\\0' "\${0##*/}" "$NC_API_KEY" "$@" >>"$CALLS"; echo >>"$CALLS"`;
const PROGRAMS: Readonly<Record<string, string>> = {
  npm: `[ "$1" = ci ] || { ${RECORD}; }`,
  npx: `[ "$1" != --no-install ] || shift; if [ "$1" = ${NAME} ]; then ${RECORD}; else exec "$@"; fi`,
  docker: RECORD,
  [NAME]: RECORD,
  tsc: `exec "${join(ROOT, "node_modules/typescript-7/bin/tsc")}" "$@"`, // a fifth of the time of TypeScript 5
  gh: '[ -f "$5" ] && echo "$@" >gh.txt',
};

export interface Shell {
  folder: string;
  /** Returns the first exit code that is not 0, and all output. */
  runScript: (script: string, env?: Record<string, string>) => Promise<{ code: number; output: string }>;
}

export async function createShell(folder: string): Promise<Shell> {
  const bin = join(folder, "bin");
  const calls = join(bin, "calls");
  await mkdir(bin);
  for (const [name, text] of Object.entries(PROGRAMS))
    await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

  async function runScript(script: string, env: Record<string, string> = {}) {
    await rm(calls, { force: true });
    const PATH = [bin, process.env.PATH, join(ROOT, "node_modules/.bin")].join(delimiter);
    const variables = { PATH, CALLS: calls, ...env };
    const options = ["-eo", "pipefail", "-c", script];
    const { code, output } = await runToEnd("bash", options, { cwd: folder, env: variables });
    const ended = { code: Number(code), output };
    const recorded = await readFile(calls, "utf8").catch(() => "");
    for (const call of recorded.split("\n").slice(0, -1)) {
      const [program = "", apiKey = "", ...args] = call.split("\0").slice(0, -1);
      const { code = 0, stdout, stderr } = await runCommand(folder, apiKey, toArguments(program, args, folder));
      ended.code ||= code;
      ended.output += stdout + stderr;
    }
    return ended;
  }
  return { folder, runScript };
}

async function runCommand(folder: string, apiKey: string, [name = "", ...args]: readonly string[]) {
  const before = process.cwd();
  process.chdir(folder);
  vi.stubEnv("NC_API_KEY", apiKey || undefined).stubEnv("NC_PORT", "0");
  try {
    return await runInProcess(COMMANDS[name]?.() ?? expect.unreachable(`no command ${name}`), ...args);
  } finally {
    vi.unstubAllEnvs();
    process.chdir(before);
  }
}

/** The command with its options, without the child command of a server: test/cli/child-command.full.test.ts. */
function toArguments(program: string, args: readonly string[], folder: string): string[] {
  const [name = "", ...options] = program === "npm" ? ofNpm(args) : args.slice(args.indexOf(NAME) + 1);
  if (program === "docker") {
    const [volume, workdir] = ["--volume", "--workdir"].map((option) => args[args.indexOf(option) + 1]);
    expect([args[0], volume], "runs in the mounted folder").toEqual(["run", `${folder}:${workdir}`]);
  }
  const own = options.includes("--") ? options.slice(0, options.indexOf("--")) : options;
  const { unless = /^/, options: added = [] } = ADDED[name] ?? {};
  return [name, ...own, ...(unless.test(own.join("\n")) ? [] : added)];
}

function ofNpm(args: readonly string[]): string[] {
  const dashes = args.indexOf("--");
  const [script = [], options] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes + 1)];
  return [...(script[0] === "start" ? START.split(" ") : script.slice(1)), ...options];
}
