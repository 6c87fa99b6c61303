// The composite actions, run as GitHub runs them: each step in bash, with the inputs in its environment. A program `gh`
// records its call, and fails without the file of the comment.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { linkCommand, ROOT, runToEnd, serve, stop } from "../support/command.js";
import { createRepository } from "../support/git-repository.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { run: string; if?: string; env?: Record<string, string> }[] };
}

/**
 * Runs an action in a folder. After a failure, only the steps that run always follow. Returns the code of each step
 * that ran.
 */
async function runAction(name: string, folder: string, values: Readonly<Record<string, string>>): Promise<unknown[]> {
  const action: Action = parse(await readFile(join(ROOT, `.github/actions/${name}/action.yml`), "utf8"));
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ ([\w.-]+)(?: \|\| env\.\w+)? \}\}/g, (_match, path: string) => {
      const input = action.inputs[path.replace("inputs.", "")];
      if (!input && !(path in values)) expect.unreachable(`nothing sets ${path}`);
      return values[path] ?? fill(input?.default ?? "");
    });
  const runner = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const codes: unknown[] = [];
  for (const step of action.runs.steps) {
    if (codes.some((code) => code !== 0) && step.if !== "always()") continue;
    const inputs = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, text]) => [key, fill(text)]));
    const env = { ...runner, PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}`, ...inputs };
    codes.push((await runToEnd("bash", ["-eo", "pipefail", "-c", step.run], { cwd: folder, env })).code);
  }
  return codes;
}

const TARGET = {
  "inputs.api-key": "demo-key",
  "inputs.subscriber": "ines-moreau",
  "inputs.other-subscriber": "tomas-novak",
  "inputs.workflow": "comment-mention",
};
const PULL_REQUEST = { "github.base_ref": "main", "github.token": "token", "github.event.number": "7" };

async function createProject(): Promise<string> {
  const folder = await createTemporaryFolder();
  await linkCommand(folder);
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/gh"), '#!/bin/sh\n[ -f "$5" ] && echo "$@" >gh.txt\n', { mode: 0o755 });
  return folder;
}

test.each<[title: string, inputsFor: (url: string) => Readonly<Record<string, string>>]>([
  ["inputs", (url) => ({ ...TARGET, "inputs.url": url })],
  ["a config file", () => ({ "inputs.config": "target.json" })],
])("verify writes the summary and the report of a server that conforms, by %s", async (_title, inputsFor) => {
  const folder = await createProject();
  await linkCommand(folder, "--only query.limit"); // a few cases show that the steps work
  const server = await serve(["--port", "0", "--ephemeral", "--quiet"]);
  onTestFinished(() => void stop(server));
  await writeFile(join(folder, "target.json"), JSON.stringify({ url: server.url }));
  expect(await runAction("verify", folder, inputsFor(server.url))).toEqual([0, 0]);
  expect(await readFile(join(folder, "summary.md"), "utf8")).toContain("0 failed");
  expect(await readFile(join(folder, "verify.xml"), "utf8")).toContain("<testsuite");
});

test("review comments on the pull request that breaks clients, and fails", async () => {
  const folder = await createProject();
  const contract = await readFile(join(ROOT, "openapi.yaml"), "utf8");
  await writeFile(join(folder, "openapi.yaml"), contract);
  createRepository(folder)("update-ref", "refs/remotes/origin/main", "HEAD");
  await writeFile(join(folder, "openapi.yaml"), contract.replace("maximum: 50", "maximum: 20"));
  expect(await runAction("review", folder, PULL_REQUEST)).toEqual([1, 0]);
  const body = join(folder, "review.md");
  const call = await readFile(join(folder, "gh.txt"), "utf8");
  expect(call).toBe(`pr comment 7 --body-file ${body} --edit-last --create-if-none\n`);
  expect(await readFile(body, "utf8")).toContain("query.limit");
  expect(await readFile(join(folder, "review.html"), "utf8")).toContain("query.limit");
});

test.each<[string, Readonly<Record<string, string>>]>([
  ["verify", { ...TARGET, "inputs.url": "not-a-url" }],
  ["review", { ...PULL_REQUEST, "inputs.base": "missing.yaml" }],
])("after wrong usage, %s has no report, and only that fails", async (name, values) => {
  expect(await runAction(name, await createProject(), values)).toEqual([2, 0]);
});
