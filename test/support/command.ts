// Runs a program as a child process, and waits for its output.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface Running {
  child: ChildProcess;
  /** Returns the output of both streams so far. */
  output: () => string;
  /** Settles once the output matches. Rejects if the program ends first. */
  printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Settles with the exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
}

// Without the variables of npm scripts and our settings, as in a user's shell.
// The settings of the test runner for colors are not those of the commands; Node turns colors off where there is `CI`.
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm|NC)_|^(CI|FORCE_COLOR|NO_COLOR)$/i.test(name)),
);

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** An open file for stderr, instead of `output`. */
  stderr?: number;
}

export function run(command: string, args: string[], { cwd = ROOT, env = {}, stderr }: CommandOptions = {}): Running {
  const stdio: StdioOptions = ["ignore", "pipe", stderr ?? "pipe"];
  const child = spawn(command, args, { cwd, env: { ...ENVIRONMENT, ...env }, stdio });
  let text = "";
  let notice = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      text += chunk;
      notice();
    });
  }
  const ended = once(child, "close").then(([code, signal]) => (code as number | null) ?? (signal as NodeJS.Signals));
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      notice = () => {
        const match = pattern.exec(text);
        if (match) resolve(match);
      };
      notice();
      ended.then((code) => reject(new Error(`ended with ${code} before it printed ${pattern}:\n${text}`)));
    });
  return { child, output: () => text, printed, ended };
}

/** Runs a program to its end. */
export async function runToEnd(command: string, args: string[], options?: CommandOptions) {
  const running = run(command, args, options);
  const code = await running.ended;
  return { code, output: running.output() };
}

/** Starts the built `serve`. */
export async function serve(args: string[], options?: CommandOptions): Promise<Running & { url: string }> {
  const running = run(process.execPath, [CLI, "serve", ...args], options);
  const [, url = ""] = await running.printed(/URL +(http\S+)/);
  return { ...running, url };
}

/**
 * Makes `npx notifications-contract` run the built command in a folder, as if npm had installed it there.
 *
 * @param options follow those of each call.
 */
export async function linkCommand(folder: string, options = ""): Promise<void> {
  const path = join(folder, "node_modules/.bin/notifications-contract");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@" ${options}\n`, { mode: 0o755 });
}

/** Stops a program and waits for its end. */
export async function stop(running: Running): Promise<number | NodeJS.Signals | null> {
  running.child.kill("SIGTERM");
  return running.ended;
}

/** Repeats a signal until the program ends, since signals right after the first count as the same Ctrl-C. */
export async function signalUntilEnded({ child, ended }: Running, signal: NodeJS.Signals): Promise<void> {
  const pressing = setInterval(() => child.kill(signal), 100);
  await ended.finally(() => clearInterval(pressing));
}
