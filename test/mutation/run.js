// Measures what the quick suite catches, after a build: `node test/mutation/run.js [--room core] [--count 40] [--seed 1]`.
// Puts mutants into src, one at a time, and runs the test files that run the mutated function. Prints the first that fails
// for each, and the score of each room. Takes about half an hour; the working tree does not change.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { drawMutants } from "./mutants.js";

const { values } = parseArgs({
  options: {
    room: { type: "string", multiple: true, default: ["core", "contract", "server", "tools"] },
    count: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
  },
});
const WORKERS = 2;
const TIME_LIMIT = 300_000; // a mutant that never ends is caught
const FEW = 2; // the test files of a worker share what the first of them loads, so only that one runs the loading

const folder = mkdtempSync(join(tmpdir(), "mutation-"));
const mutants = values.room.flatMap((room) =>
  drawMutants(room, Number(values.seed), Number(values.count)).map((mutant) => ({ ...mutant, room })),
);

const notes = await noteHits();
const survivors = [];
const queue = [...mutants.entries()];
await Promise.all(Array.from({ length: WORKERS }, judgeInTurn));
for (const room of values.room) {
  const count = (list) => list.filter((mutant) => mutant.room === room).length;
  console.log(`${room}: ${count(mutants) - count(survivors)} of ${count(mutants)} caught`);
}

/** Runs the quick suite without a mutant. */
async function noteHits() {
  const path = join(folder, "all.json");
  writeFileSync(path, JSON.stringify({ mutants }));
  if ((await runVitest(path, [])) !== 0) throw new Error("The quick suite fails without a mutant: run `npm test`.");
  const lines = readFileSync(`${path}.hits`, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

async function judgeInTurn() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [active, mutant] = next;
    const caughtBy = await judge(active, mutant);
    if (caughtBy === undefined) survivors.push(mutant);
    const change = `${mutant.file}:${mutant.line} ${JSON.stringify(mutant.was)} -> ${mutant.text}`;
    console.log(caughtBy === undefined ? `SURVIVED ${change}` : `caught   ${change} (${caughtBy})`);
  }
}

/** Resolves with the first test file that fails, or undefined. */
async function judge(active, { room }) {
  const hit = notes.filter(({ hits }) => hits.includes(active));
  if (hit.length === 0) return;
  const isNear = ({ path }) => hit.length <= FEW && path.includes(`/test/${room}/`);
  const files = notes.filter((note) => hit.includes(note) || isNear(note)).map(({ path }) => path);
  const seconds = Object.fromEntries(notes.map((note) => [note.path, note.seconds]));
  const path = join(folder, `${active}.json`);
  writeFileSync(path, JSON.stringify({ mutants, active, seconds }));
  const report = `--outputFile=${path}.report`;
  const code = await runVitest(path, ["--bail=1", "--maxWorkers=1", report, ...files], TIME_LIMIT);
  if (code === 0) return;
  if (code === null) return "no end";
  const { testResults } = JSON.parse(readFileSync(`${path}.report`, "utf8"));
  return relative(".", testResults.find(({ status }) => status === "failed")?.name ?? "");
}

/** Resolves with the exit code, or null after the time limit. Ends the workers, too: one may be in an endless loop. */
async function runVitest(mutation, args, timeLimit) {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config=test/mutation/vitest.config.js", ...args];
  const env = { ...process.env, MUTATION: mutation };
  const child = spawn(process.execPath, vitest, { env, stdio: "ignore", detached: true });
  const timer = timeLimit && setTimeout(() => process.kill(-child.pid, "SIGKILL"), timeLimit);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  return code;
}
