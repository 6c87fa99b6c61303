// `node src/build/run.js <command> [options]`: builds what has changed, then runs the command in this process. The npm
// scripts start it, so that they need no shell syntax, which differs between systems.
import { fileURLToPath } from "node:url";
import "./assert-node.js";

const { buildProject } = await import("./build-project.js");

/** These also run on a branch whose openapi.yaml is ahead of the code. */
const LENIENT = ["serve", "mock", "proxy"];

if (process.env.npm_lifecycle_event) stopWithShell();
const [command = "", ...options] = process.argv.slice(2);
const outcome = await buildProject({ isLenient: LENIENT.includes(command) });
if (outcome === "failed") process.exit(1);
process.argv = [process.execPath, fileURLToPath(new URL("../../dist/cli.js", import.meta.url)), command, ...options];
await import("../../dist/cli.js");

/** `kill` of npm ends npm and the shell between, which does not pass the signal on: a server would keep its port. */
function stopWithShell() {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, 200);
  timer.unref();
}
