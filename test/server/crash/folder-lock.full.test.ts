import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readOwners } from "../../support/folder-owners.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const ROUNDS = 10;
const CONTENDERS = 20;
const HEAD_START_MS = 10; // for the message to arrive everywhere before anybody begins

interface Report {
  outcome: "taken" | "released" | "FolderInUseError" | "FolderUnusableError";
  message?: string;
}

const CONTENDER = fileURLToPath(new URL("../../support/lock-contender.mjs", import.meta.url));
/** Options of `unshare`: the process has pid 1, sees no process outside, and may name its host. */
const CONTAINER = ["--pid", "--fork", "--kill-child", "--mount-proc", "--uts"];

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

test(`${CONTENDERS} processes race for the lock of a dead one: exactly one has it, ${ROUNDS} times`, async () => {
  const deadPid = spawnSync(process.execPath, ["--version"]).pid;
  for (let round = 1; round <= ROUNDS; round += 1) {
    await mkdir(join(folder, ".lock"));
    await writeFile(join(folder, ".lock", `${deadPid}-0a1b2c3d`), "");
    const reports = await raceToTake(contenders);
    const winner = contenders[reports.findIndex(({ outcome }) => outcome === "taken")];
    const others = Array.from({ length: CONTENDERS - 1 }, () => "FolderInUseError");
    expect(reports.map(({ outcome }) => outcome).sort()).toEqual([...others, "taken"]);
    for (const { message } of reports) {
      if (message) expect(message).toContain(`is in use by process ${winner?.pid}.`);
    }
    expect(await readOwners(folder)).toEqual([winner?.pid]);
    await Promise.all(contenders.map((contender) => tell(contender, "release")));
    expect(await readdir(folder)).toEqual([]);
  }
});

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
  "containers, whose owners all have pid 1",
  () => {
    async function start(host: string): Promise<ChildProcess> {
      const script = 'hostname "$0" && exec "$@"';
      const args = [...CONTAINER, "sh", "-c", script, host, process.execPath, CONTENDER];
      const container = spawn("unshare", args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
      onTestFinished(() => void container.kill("SIGKILL"));
      await tell(container, "release");
      return container;
    }

    test("one that lives keeps others out; killed, it is followed by one of the same name, not of another", async () => {
      const [first, second, other] = [await start("first"), await start("first"), await start("other")];
      expect(await tell(first, "take")).toEqual({ outcome: "taken" });
      for (const container of [second, other]) {
        expect(await tell(container, "take")).toMatchObject({ outcome: "FolderInUseError" });
      }
      const ended = once(first, "exit");
      first.kill("SIGKILL"); // and with it the container
      await ended;
      // `unshare` has ended; the owner in it runs a few milliseconds longer, and holds the folder until then.
      await expect.poll(() => tell(other, "take")).toMatchObject({ outcome: "FolderUnusableError" });
      expect((await tell(other, "take")).message).toContain("by process 1 of the host first");
      expect(await tell(second, "take")).toEqual({ outcome: "taken" });
    });
  },
);
