// The command: its reports and its exit code.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createReviewCommand } from "../../src/review/review-command.js";
import { loadContractText } from "../support/contract-text.js";
import { runInProcess } from "../support/in-process.js";

const { text } = loadContractText();
const NARROWER = text.replace("maximum: 50, default: 10", "maximum: 49, default: 10");
const LIMIT = "listNotifications:request:query.limit:maximum";
const _AGREEMENT = "lint:agreements:components/schemas/NotificationPage/properties/pageSize/maximum";
const _EXAMPLE = "example:listNotifications/422/severalViolations"; // it says the limit

describe("review", () => {
  let folder: string;
  const run = (...args: string[]) => runInProcess(createReviewCommand(), ...args);
  const inFolder = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "review-command-"));
    await writeFile(inFolder("narrower.yaml"), NARROWER);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("the base may be a git reference; a breaking change exits with 1, with line, id and witness", async () => {
    const repository = await mkdtemp(join(folder, "git-"));
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: repository });
    const contract = join(repository, "openapi.yaml");
    await writeFile(contract, text);
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "-m", "first");
    git("tag", "v1.0.0");
    await writeFile(contract, NARROWER);
    const link = ["--link", "https://example.com/blob/{sha}/{path}#L{line}"];
    const { code, stdout } = await run(
      ...["--contract", contract, "--base", "v1.0.0", "--markdown", inFolder("no.md"), ...link],
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^listNotifications: query\.limit .*\nReject: 1 reason\.\n.*, compared with v1\.0\.0 \(\d[\d.]+\)\.\n/,
    );
    expect(stdout).toMatch(
      /asks for a major version: clients break\. info\.version was (\S+) and is still \1, which is lower than 2\.0\.0\./,
    );
    const line = NARROWER.slice(0, NARROWER.indexOf("maximum: 49")).split("\n").length;
    expect(stdout).toContain(
      `✗ openapi.yaml:${line}: listNotifications: query.limit was at most 50 and is at most 49 now.`,
    );
    expect(stdout).toContain(`--allow '${LIMIT}=…'`);
    const comment = await readFile(inFolder("no.md"), "utf8");
    expect(comment).toContain("curl -i 'http://127.0.0.1:4010/v1/notifications?limit=50'");
    expect(comment, "what changed comes first").toMatch(
      /^\*\*What changed:\*\* listNotifications: query\.limit was .*\n\n## ❌ Reject: 1 reason\n/,
    );
    const sha = String(git("rev-parse", "HEAD")).trim();
    expect(comment).toContain(`[openapi.yaml:${line}](https://example.com/blob/${sha}/openapi.yaml#L${line})`);
    expect(comment).toContain("  components/parameters/limit/schema:\n-   maximum: 50\n+   maximum: 49\n");
    expect(comment, "the decision on the very parameter").toMatch(
      /\nD-29: May <code>page<\/code> and <code>limit<\/code> have a fraction\? No/,
    );
    const [, options] = /```sh\n(--allow [^`]*?)\n```/.exec(comment) ?? [];
    expect(options, "one for the cause, none for what follows").toBe(`--allow '${LIMIT}=justification'`);
    expect(comment).toMatch(/What follows from it \(2\)/);
    expect(stdout).toMatch(
      /What follows from it \(2\):\n {6}line \d+: These must agree: .*\n {6}line \d+: Example .* is wrong: .*\n {4}--allow/,
    );
    for (const base of ["v9", "--output=x"]) {
      const { code, stderr } = await run("--contract", contract, "--base", base);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/there is no such file, and git has no/)]);
    }
  });

  test.each([
    ["an allowance without a justification", ["--allow", LIMIT], /justification/],
    ["an unknown option", ["--bass", "main"], /unknown option/],
    ["a link to nowhere", ["--link", "https://example.com"], /\{path\}/],
    ["an empty base, as of an unset variable", ["--base", ""], /--base is empty/],
  ])("%s exits with 2", async (_title, args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test("a report that cannot be written, and a contract that cannot be read, say so", async () => {
    const unwritable = await run("--json", inFolder("none/r.json"));
    expect([unwritable.code, unwritable.stderr]).toEqual([2, expect.stringContaining("cannot be written")]);
    const unreadable = await run("--contract", inFolder("none.yaml"));
    expect([unreadable.code, unreadable.stderr]).toEqual([2, expect.stringContaining("cannot be read")]);
  });
});
