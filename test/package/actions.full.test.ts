// The composite actions, run as GitHub runs them: each step in bash, with the inputs in its environment.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { startServer } from "../../src/start-server.js";
import { ROOT } from "../support/command.js";
import { createRepository } from "../support/git-repository.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { createShell, type Shell } from "./shell.js";

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { run: string; if?: string; env?: Record<string, string> }[] };
}

type Values = Readonly<Record<string, string>>;

/** After a failure, only the steps that run always follow. Returns the code of each step that ran. */
async function runAction(name: string, { folder, runScript }: Shell, values: Values): Promise<number[]> {
  const action: Action = parse(await readFile(join(ROOT, `.github/actions/${name}/action.yml`), "utf8"));
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ ([\w.-]+)(?: \|\| env\.\w+)? \}\}/g, (_match, path: string) => {
      const input = action.inputs[path.replace("inputs.", "")];
      if (!input && !(path in values)) expect.unreachable(`nothing sets ${path}`);
      return values[path] ?? fill(input?.default ?? "");
    });
  const runner = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const codes: number[] = [];
  for (const step of action.runs.steps) {
    if (codes.some((code) => code !== 0) && step.if !== "always()") continue;
    const inputs = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, text]) => [key, fill(text)]));
    codes.push((await runScript(step.run, { ...runner, ...inputs })).code);
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

const server = await startServer();
afterAll(() => server.close());

test.each<[title: string, values: Values]>([
  ["inputs", { ...TARGET, "inputs.url": server.url }],
  ["a config file", { "inputs.config": "target.json" }],
])("verify writes the summary and the report of a server that conforms, by %s", async (_title, values) => {
  const shell = await createShell(await createTemporaryFolder());
  await writeFile(join(shell.folder, "target.json"), JSON.stringify({ url: server.url }));
  expect(await runAction("verify", shell, values)).toEqual([0, 0]);
  expect(await readFile(join(shell.folder, "summary.md"), "utf8")).toContain("0 failed");
  expect(await readFile(join(shell.folder, "verify.xml"), "utf8")).toContain("<testsuite");
});

test("review comments on the pull request that breaks clients, and fails", async () => {
  const shell = await createShell(await createTemporaryFolder());
  const at = (name: string) => join(shell.folder, name);
  const contract = await readFile(join(ROOT, "openapi.yaml"), "utf8");
  await writeFile(at("openapi.yaml"), contract);
  createRepository(shell.folder)("update-ref", "refs/remotes/origin/main", "HEAD");
  await writeFile(at("openapi.yaml"), contract.replace("maximum: 50", "maximum: 20"));
  expect(await runAction("review", shell, PULL_REQUEST)).toEqual([1, 0]);
  const call = await readFile(at("gh.txt"), "utf8");
  expect(call).toBe(`pr comment 7 --body-file ${at("review.md")} --edit-last --create-if-none\n`);
  for (const name of ["review.md", "review.html"]) expect(await readFile(at(name), "utf8")).toContain("query.limit");
});

test.each<[string, Values]>([
  ["verify", { ...TARGET, "inputs.url": "not-a-url" }],
  ["review", { ...PULL_REQUEST, "inputs.base": "missing.yaml" }],
])("after wrong usage, %s has no report, and only that fails", async (name, values) => {
  expect(await runAction(name, await createShell(await createTemporaryFolder()), values)).toEqual([2, 0]);
});
