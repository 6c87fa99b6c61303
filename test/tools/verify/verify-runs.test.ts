// The command against the second implementation: known causes, those of GitHub's annotations, and the progress of a
// slow run.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createVerifyCommand } from "../../../src/cli/verify-command.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { pause, startBackend } from "./backend.js";
import { MAIN_KEY } from "./backend-data.js";
import { around, inPages, type Plant, plantAll } from "./plant.js";

const NO_MORE = inPages(() => ({ hasMore: false })); // a decision's rule
const PAGE_OF_9 = inPages(() => ({ pageSize: 9 })); // the document's

async function verify(plants: Plant[], ...options: string[]) {
  const { url, close } = await startBackend(plantAll(...plants));
  const ofTarget = ["--api-key", MAIN_KEY, "--subscriber", "ada", "--other-subscriber", "grace-42"];
  const only = ["--workflow", "weekly_digest", "--seed", "1", "--only", "hasMore", "--only", "defaults"];
  const all = ["--url", url.href, ...ofTarget, ...only, ...options];
  const { code, stdout, stderr } = await runInProcess(createVerifyCommand(), ...all).finally(close);
  return { code, output: stderr + stdout };
}

test("a baseline has the known causes; only new ones fail, and fixed ones are named", async () => {
  const path = join(await createTemporaryFolder(), "baseline.json");
  const failure = "listNotifications › hasMore › true exactly when the next page has a record — value";

  expect((await verify([NO_MORE], "--update-baseline", path)).code).toBe(0);
  const { causes } = JSON.parse(await readFile(path, "utf8"));
  expect(causes).toEqual([{ title: expect.any(String), severity: "decision", failures: [failure] }]);

  const same = await verify([NO_MORE], "--baseline", path);
  expect(same.output).toMatch(/only as the baseline says: 1 passed, 1 failed for one cause, 1 of them known,.*\n$/);
  expect(same.code).toBe(0);

  const worse = await verify([NO_MORE, PAGE_OF_9], "--baseline", path);
  expect(worse.output).toMatch(/2 failed for 2 causes, 1 of them known,.*\n$/);
  expect(worse.output.match(/repeat: .*/g)).toEqual([expect.stringContaining("defaults")]);
  expect(worse.code).toBe(1);

  const fixed = await verify([], "--baseline", path);
  expect(fixed.output).toContain(`Fixed, so remove them with --update-baseline:\n  ${failure}`);
  expect(fixed.code).toBe(0);
});

test("GitHub shows each cause, by its severity", async () => {
  process.env.GITHUB_ACTIONS = "true";
  const bugs = [NO_MORE, PAGE_OF_9];
  const all = await verify(bugs).finally(() => delete process.env.GITHUB_ACTIONS);
  const annotations = all.output.match(/^::\w+ title=Contract tests::.* \[.*\]/gm) ?? [];
  expect(annotations.map((line) => line.replace(/title=.* \[/, "["))).toEqual([
    "::warning [D-24.1]",
    expect.stringMatching(/^::error \[§/),
  ]);
});

test("a target that takes 100 ms for a response is verified, with its progress", async () => {
  const slow = around("respond", async ({ original }, request) => pause(100).then(() => original(request)));
  const { code, output } = await verify([slow]);
  expect(output).toMatch(/^[12]\/2, 0 failed {2}listNotifications › /m);
  expect(output).toMatch(/2 passed, 0 failed, 0 not applicable/);
  expect(code).toBe(0);
});

test.each([
  ["/nowhere/baseline.json", "does not exist. Write it with --update-baseline /nowhere/baseline.json."],
  ["package.json", "package.json is not a baseline. Write it with --update-baseline package.json."],
])("--baseline %s exits with 2", async (path, message) => {
  const { code, output } = await verify([], "--baseline", path);
  expect([code, output]).toEqual([2, expect.stringContaining(message)]);
});
