// The command: its reports and its exit code.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createReviewCommand } from "../../../src/cli/review-command.js";
import type { Review } from "../../../src/tools/review/review.js";
import { ROOT } from "../../support/command.js";
import { loadContractText } from "../../support/contract-text.js";
import { createRepository } from "../../support/git-repository.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const { text } = loadContractText();
const EDITED = text.replace("maximum: 50, default: 10", "maximum: 49, default: 10");
const LIMIT = "listNotifications:request:query.limit:maximum";

const run = (...args: string[]) => runInProcess(createReviewCommand(), ...args);

test("the base may be a git reference; a breaking change exits with 1, with line, id and counterexample", async () => {
  const folder = await createTemporaryFolder();
  const inFolder = (name: string) => join(folder, name);
  const contract = inFolder("openapi.yaml");
  await writeFile(contract, text);
  createRepository(folder)("tag", "v1.0.0");
  await writeFile(contract, EDITED);
  const compared = ["--contract", contract, "--base", "v1.0.0"];
  const reports = ["--html", inFolder("new/r.html"), "--markdown", inFolder("r.md"), "--json", inFolder("r.json")];
  const { code, stdout } = await run(...compared, ...reports);
  expect(code).toBe(1);
  const major = Number(parse(text).info.version.split(".")[0]);
  const headline = `Reject: breaks clients (query.limit at most 49, was 50); needs ${major + 1}.0.0`;
  const [page, comment, json] = await Promise.all(
    ["new/r.html", "r.md", "r.json"].map((name) => readFile(inFolder(name), "utf8")),
  );
  const review: Review = JSON.parse(json ?? "");
  expect(stdout.split("\n")[0]).toBe(headline);
  expect(comment).toMatch(`## ❌ ${headline}\n`);
  expect(page).toContain(`<strong>${headline}</strong>`);
  expect(page).toContain('id="next-steps"');
  expect(review).toMatchObject({ schemaVersion: 3, verdict: "reject", headline, breaks: ["clients"] });
  const line = EDITED.slice(0, EDITED.indexOf("maximum: 49")).split("\n").length;
  const diff = new RegExp(`^- +${line} .*maximum: 50,.*\\n\\+ +${line} .*maximum: 49,`, "m");
  for (const report of [stdout, comment, page]) {
    expect(report?.match(/maximum: 50 → 49/g), "once").toHaveLength(1);
    expect(report?.match(/--allow /g), "one for the cause, none for what follows").toHaveLength(1);
    expect(report).toMatch(/Correct 2 errors/);
    expect(report).toContain("limit=50"); // the counterexample
    if (report !== page) expect(report).toMatch(diff);
  }
  expect(comment, "what it rests on").toMatch(
    /\*\*D-29\*\*: May <code>page<\/code> and <code>limit<\/code> have a fraction\? No/,
  );
  for (const base of ["v9", "--output=x"]) {
    const { code, stderr } = await run("--contract", contract, "--base", base);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no such file, and git has no .* Choose a branch \(git branch --all\)/),
    ]);
  }
});

test.each([
  ["an allowance without a justification", ["--allow", LIMIT], /justification/],
  ["the placeholder of a report as a justification", ["--allow", `${LIMIT}=<why>`], /in place of <why>/],
  ["an unknown option", ["--bass", "main"], /unknown option/],
  ["an empty base, as of an unset variable", ["--base", ""], /--base is empty/],
  ["two results to standard output", ["--json", "-", "--html", "-"], /^Only one result can go to standard output/],
])("%s exits with 2", async (_title, args, message) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test.each([
  [".", /is outside of a git repository\. Name the file as well, such as main:openapi\.yaml, or give a file/],
  ["node_modules/a-package", /is a package's contract\. Name yours: --contract <file>/],
])("a revision of a contract in %s says which file to name", async (folder, message) => {
  const contract = join(await createTemporaryFolder(), folder, "openapi.yaml");
  await mkdir(dirname(contract), { recursive: true });
  await writeFile(contract, text);
  const { code, stderr } = await run("--contract", contract, "--base", "main");
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test("--policy tolerant accepts a new member of a response", async () => {
  const folder = await createTemporaryFolder();
  const [older, newer, comment] = ["a.yaml", "b.yaml", "r.md"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const small = await readFile(join(ROOT, "test/tools/review/golden/openapi.yaml"), "utf8");
  await writeFile(older, small);
  const next = small.replace("version: 2.0.0", "version: 9.9.9");
  await writeFile(newer, next.replace("        hasMore: {", "        total: { type: integer }\n        hasMore: {"));
  const args = ["--contract", newer, "--base", older, "--json", "-"];
  const changesOf = async (...more: string[]) => (JSON.parse((await run(...args, ...more)).stdout) as Review).changes;
  expect(await changesOf("--markdown", comment)).toMatchObject([{ class: "breaking", places: ["200 body.total"] }, {}]);
  expect(await readFile(comment, "utf8"), "which it names").toMatch(
    /^## ⚠️ Accept: clients that reject unknown members break in 9\.9\.9\n.*breaks only clients that reject unknown members/s,
  );
  expect(await changesOf("--policy", "tolerant")).toMatchObject([{ class: "compatible", breaks: [] }, {}]);
});

test("a report that cannot be written, and a contract that cannot be read, say so", async () => {
  const folder = await createTemporaryFolder();
  const unwritable = await run("--json", folder);
  expect([unwritable.code, unwritable.stderr]).toEqual([2, expect.stringContaining("cannot be written")]);
  const unreadable = await run("--contract", join(folder, "none.yaml"));
  expect([unreadable.code, unreadable.stderr]).toEqual([2, expect.stringContaining("cannot be read")]);
});

test("--rules prints who breaks by which change", async () => {
  const { code, stdout } = await run("--rules");
  expect(code).toBeUndefined();
  expect(stdout).toMatch(/^maximum +clients +implementations +implementations +clients$/m);
  expect(stdout).toMatch(/^deprecated +nobody +nobody +nobody +nobody$/m);
});

test("the reports that the guide writes are not committed, and its job may comment on a pull request", async () => {
  const [ignored, guide] = await Promise.all(
    [".gitignore", "docs/spec-review.md"].map((file) => readFile(join(ROOT, file), "utf8")),
  );
  expect(ignored?.split("\n")).toEqual(expect.arrayContaining(["review.html", "review.md"]));
  const [, block = ""] = /On GitHub, in a job.*?```yaml\n(.*?)```/s.exec(guide ?? "") ?? [];
  const job: { permissions: object; steps: { run?: string; if?: string }[] } = parse(block);
  expect(job.permissions).toMatchObject({ "pull-requests": "write" });
  const comment = job.steps.find(({ run: line }) => line?.startsWith("gh pr comment"));
  expect(comment?.run).toMatch(/--body-file review\.md .*--edit-last --create-if-none$/);
  expect(comment?.if, "a rejected change is commented, too").toBe("always()");
  expect(job.steps.some(({ run: line }) => line?.includes("--markdown review.md"))).toBe(true);
});
