// The files for the repository's host: workflows, actions, forms; and the dry run of a release.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { findMissing } from "../../src/build/release.js";
import { ROOT } from "../support/command.js";
import { COMMANDS, readHelp } from "../support/in-process.js";

const readYaml = (path: string) => parse(readFileSync(join(ROOT, path), "utf8"));

interface Step {
  run?: string;
  uses?: string;
  shell?: string;
  "continue-on-error"?: unknown;
}
const WORKFLOWS = [".github/workflows/ci.yml", ".github/workflows/release.yml"];
const ACTIONS = [".github/actions/verify/action.yml", ".github/actions/review/action.yml"];
const EXAMPLE = "docs/examples/review-pipeline/.github/workflows/contract.yml";

const stepsOf = (workflow: string): Step[] =>
  Object.values<{ steps: Step[] }>(readYaml(workflow).jobs).flatMap(({ steps }) => steps);

describe.each([...WORKFLOWS, EXAMPLE])("%s", (workflow) => {
  const { jobs, permissions } = readYaml(workflow);

  test("may read, and nothing else by default", () => {
    expect(permissions.contents).toBe("read");
    for (const job of Object.values<Record<string, unknown>>(jobs)) expect(job["runs-on"]).toMatch(/^ubuntu-|matrix/);
  });

  test("runs scripts and files that exist, and puts no expression into a script", () => {
    for (const { run, uses } of stepsOf(workflow)) {
      expect(run ?? uses).toBeDefined();
      if (uses?.startsWith("./")) expect(existsSync(join(ROOT, uses, "action.yml")), uses).toBe(true);
      if (run === undefined) continue;
      expect(run).not.toContain("${{");
      const [, script] = /^npm (?:run )?(?!ci|pack|publish)(\w+)/.exec(run) ?? [];
      if (script !== undefined) expect(manifest.scripts).toHaveProperty(script);
      for (const [path] of run.matchAll(/(?<![\w-])(?:\.ci|docs|test|src)\/[\w./-]+/g))
        expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
  });
});

test("CI runs on every Node that the README names, and systems that were never tried fail nothing", () => {
  const { test: linux, smoke } = readYaml(".github/workflows/ci.yml").jobs;
  const readme = readFileSync(join(ROOT, "README.md"), "utf8").replaceAll("\n", " ");
  const [, named = ""] =
    /Linux runs in CI on Node\.js ([\d., and]+)\. macOS and Windows have jobs that have not run yet/.exec(readme) ?? [];
  expect(named.match(/[\d.]+/g)).toEqual(linux.strategy.matrix.node);
  expect(smoke.strategy.matrix.os.map((os: string) => os.split("-")[0])).toEqual(["macos", "windows"]);
  expect(smoke["continue-on-error"]).toBe(true);
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's syntax
const IF_PUBLISHING = "${{ vars.PUBLISH == 'true' }}";

test("nothing is published unless the repository says so", () => {
  for (const step of stepsOf(".github/workflows/release.yml")) {
    const isPublishing = /^npm publish(?!.*--dry-run)|^docker\/login/.test(step.run ?? step.uses ?? "");
    if (isPublishing) expect(step).toHaveProperty("if", IF_PUBLISHING);
    if (step.uses?.startsWith("docker/build-push")) expect(step).toHaveProperty("with.push", IF_PUBLISHING);
  }
});

test.each(ACTIONS)("%s passes inputs as variables, to options that exist", async (action) => {
  const { runs, inputs } = readYaml(action);
  const steps: (Step & { env?: Record<string, string> })[] = runs.steps;
  const used = JSON.stringify(steps).match(/(?<=inputs\.)[\w-]+/g);
  expect(used?.toSorted()).toEqual(Object.keys(inputs).toSorted());
  for (const { run = "", shell, env = {} } of steps) {
    expect([run, shell]).toEqual([expect.not.stringContaining("${{"), "bash"]);
    for (const [, name = ""] of run.matchAll(/"\$([A-Z]+)"/g))
      if (name !== "GITHUB") expect(Object.keys(env)).toContain(name);
    const [, command] = /notifications-contract (\w+)/.exec(run) ?? [];
    if (command === undefined) continue;
    expect(COMMANDS).toHaveProperty(command);
    const help = await readHelp(command);
    for (const [option] of run.matchAll(/--(?!no-install)[a-z-]+/g)) expect(help).toContain(`  ${option} `);
  }
});

test("the issue form asks for the version and for the start's JSON", () => {
  const { body } = readYaml(".github/ISSUE_TEMPLATE/bug.yml");
  const required = body.filter(({ validations }: { validations?: { required: boolean } }) => validations?.required);
  expect(required.map(({ id }: { id: string }) => id)).toEqual(["version", "start", "steps", "expected"]);
});

describe("the dry run of a release", () => {
  const address = "https://example.com";
  const ready = {
    manifest: { version: "1.0.0", repository: address, homepage: address, bugs: address },
    info: { contact: { url: address } },
    changelog: "# Changelog\n\n## Unreleased\n\n### Server\n\n## 1.0.0\n\n- a line\n",
    hasOwners: true,
    tags: ["v1.0.0"],
  };

  test("finds nothing missing in a release that is complete", () => {
    expect(findMissing(ready)).toEqual([]);
  });

  test.each([
    ["an address", { manifest: { ...ready.manifest, bugs: undefined } }, "package.json: bugs"],
    ["an owner", { hasOwners: false }, ".github/CODEOWNERS"],
    ["a contact", { info: {} }, "openapi.yaml: info.contact"],
    [
      "the changelog's section",
      { changelog: "# Changelog\n\n## Unreleased\n\n## 0.2.0\n" },
      "CHANGELOG.md: the section ## 1.0.0",
    ],
    [
      "the version of a line",
      { changelog: ready.changelog.replace("### Server\n", "### Server\n\n- another line\n") },
      "CHANGELOG.md: lines under ## Unreleased, which belong to a version",
    ],
    ["the tag", { tags: ["v0.9.0"] }, "git: the tag v1.0.0 on this commit"],
  ])("names %s", (_title, edit, missing) => {
    expect(findMissing({ ...ready, ...edit })).toEqual([missing]);
  });

  test("CONTRIBUTING.md lists what it names", () => {
    const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
    for (const name of ["repository", "homepage", "bugs", "CODEOWNERS", "info.contact", "CHANGELOG.md", "the tag"])
      expect(guide).toContain(name);
  });
});

test.each(manifest.files.filter((path) => !/^!|^dist$/.test(path)))("%s, which is published, exists", (path) => {
  expect(existsSync(join(ROOT, path))).toBe(true);
});

test("a dependency is pinned if and only if src imports its internals", () => {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.[jt]s$/.test(path),
  );
  const sources = files.map((path) => readFileSync(join(ROOT, "src", path), "utf8"));
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    const hasInternals = sources.some((text) => text.includes(`"${name}/`));
    expect([name, version]).toEqual([name, expect.stringMatching(hasInternals ? /^\d/ : /^\^\d/)]);
  }
});
