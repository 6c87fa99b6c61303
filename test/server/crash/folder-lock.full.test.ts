import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readOwners } from "../../support/folder-owners.js";
import { SIZES } from "../../support/sizes.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const ROUNDS = SIZES.lockRounds;
const CONTENDERS = 4;
const HEAD_START_MS = 3; // for the message to arrive everywhere before anybody begins

interface Report {
  outcome: "taken" | "released" | "FolderInUseError" | "FolderUnusableError";
  message?: string;
}

const CONTENDER = fileURLToPath(new URL("../../support/lock-contender.mjs", import.meta.url));
/** Options of `unshare`: the process has pid 1, and sees no process outside. */
const CONTAINER = ["--pid", "--fork", "--kill-child", "--mount-proc"];

let folder: string;
let contenders: ChildProcess[];

beforeAll(async () => {
  contenders = Array.from({ length: CONTENDERS }, () => fork(CONTENDER));
  await Promise.all(contenders.map((contender) => once(contender, "spawn")));
});
afterAll(async () => {
  const ends = contenders.map((contender) => once(contender, "exit"));
  for (const contender of contenders) contender.kill("SIGKILL");
  await Promise.all(ends);
});

beforeEach(async () => {
  folder = await createTemporaryFolder();
  await Promise.all(contenders.map((contender) => tell(contender, "release"))); // they are up, and have no other folder
});

const deadPid = String(spawnSync(process.execPath, ["--version"]).pid);
const starts: [string, (lock: string) => Promise<unknown>][] = [
  ["a folder without a lock", async () => {}],
  ["the lock of a dead process", (lock) => mkdir(lock).then(() => writeFile(join(lock, deadPid), ""))],
  ["a lock that names no process", (lock) => mkdir(lock)],
];

test.each(starts)(
  `${CONTENDERS} processes race for %s: exactly one has it, ${ROUNDS} times`,
  async (_title, prepare) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await prepare(join(folder, ".lock"));
      const reports = await raceToTake(contenders);
      const winner = contenders[reports.findIndex(({ outcome }) => outcome === "taken")];
      const others = Array.from({ length: CONTENDERS - 1 }, () => "FolderInUseError");
      expect(reports.map(({ outcome }) => outcome).sort()).toEqual([...others, "taken"]);
      for (const { message } of reports) {
        if (message) expect(message).toContain(`is in use by process ${winner?.pid}.`);
      }
      expect(await readdir(folder)).toEqual([".lock"]);
      expect(await readOwners(folder)).toEqual([winner?.pid]);
      await Promise.all(contenders.map((contender) => tell(contender, "release")));
      expect(await readdir(folder)).toEqual([]);
    }
  },
);

test(`one process unlocks a folder while others try to lock it: two never have it, ${ROUNDS} times`, async () => {
  const taken: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [owner, ...others] = contenders as [ChildProcess, ...ChildProcess[]];
    expect(await tell(owner, "take")).toEqual({ outcome: "taken" });
    const givenBack = tell(owner, "release", Date.now() + HEAD_START_MS);
    const reports = await raceToTake(others);
    await givenBack;
    const winners = others.filter((_other, index) => reports[index]?.outcome === "taken");
    expect(winners.length).toBeLessThanOrEqual(1);
    expect(await readOwners(folder)).toEqual(winners.map(({ pid }) => pid));
    taken.push(winners.length);
    await Promise.all(contenders.map((contender) => tell(contender, "release")));
    expect(await readdir(folder)).toEqual([]);
  }
  expect(taken).toContain(1);
});

function raceToTake(racers: ChildProcess[]): Promise<Report[]> {
  const at = Date.now() + HEAD_START_MS;
  return Promise.all(racers.map((contender) => tell(contender, "take", at)));
}

async function tell(contender: ChildProcess, what: "take" | "release", at = 0): Promise<Report> {
  const exited = new AbortController();
  const abort = () => exited.abort(new Error(`the contender exited with ${contender.exitCode} before it reported`));
  contender.once("exit", abort);
  try {
    const reported = once(contender, "message", { signal: exited.signal });
    contender.send({ what, folder, at });
    const [report] = await reported;
    return report as Report;
  } finally {
    contender.off("exit", abort);
  }
}

describe.skipIf(spawnSync("unshare", [...CONTAINER, "true"]).status !== 0)(
  "containers, on a file system without sockets",
  () => {
    async function start(inContainer: boolean): Promise<ChildProcess> {
      const [command = "", ...args] = [...(inContainer ? ["unshare", ...CONTAINER] : []), process.execPath, CONTENDER];
      const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
      const contender = spawn(command, args, { stdio: [...stdio], env: { ...process.env, NO_SOCKETS: "1" } });
      onTestFinished(() => void contender.kill("SIGKILL"));
      await tell(contender, "release");
      return contender;
    }

    test("both owners would have pid 1: the second one is rejected, with a remedy", async () => {
      const [first, second, host] = [await start(true), await start(true), await start(false)];
      expect(await tell(first, "take")).toEqual({ outcome: "taken" });
      const lock = join(folder, ".lock", (await readdir(join(folder, ".lock")))[0] ?? "");
      expect(lock).toMatch(/\/1-[0-9a-f]+$/);
      const rejected = await tell(second, "take");
      expect(rejected.outcome).toBe("FolderUnusableError");
      expect(rejected.message).toContain(`If no server runs there any more, delete ${lock} and start again.`);
      expect(await tell(host, "take")).toMatchObject({ outcome: "FolderInUseError" });

      const ended = once(first, "exit");
      first.kill("SIGKILL"); // and with it the container
      await ended;
      // `unshare` has ended; the owner in it runs a few milliseconds longer, and holds the folder until then.
      await expect.poll(() => tell(host, "take")).toEqual({ outcome: "taken" });
    });
  },
);
