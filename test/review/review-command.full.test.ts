// Whole reviews: the present contract, what --allow accepts, and contracts in several files.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { createReviewCommand } from "../../src/review/review-command.js";
import { loadContractText } from "../support/contract-text.js";
import { runInProcess } from "../support/in-process.js";

const { text } = loadContractText();
const NARROWER = text.replace("maximum: 50, default: 10", "maximum: 49, default: 10");
const LIMIT = "listNotifications:request:query.limit:maximum";
const AGREEMENT = "lint:agreements:components/schemas/NotificationPage/properties/pageSize/maximum";
const EXAMPLE = "example:listNotifications/422/severalViolations"; // it says the limit

describe("review", () => {
  let folder: string;
  const run = (...args: string[]) => runInProcess(createReviewCommand(), ...args);
  const inFolder = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "review-command-"));
    await writeFile(inFolder("narrower.yaml"), NARROWER);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("the present contract: exits with 0, and writes three reports", async () => {
    const [html, markdown, json] = [inFolder("r.html"), inFolder("r.md"), inFolder("r.json")];
    const { code, stdout } = await run("--html", html, "--markdown", markdown, "--json", json);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^Accept: no reason to reject it\.\n/);
    const page = await readFile(html, "utf8");
    expect(page).not.toMatch(/(src|href|action)="(?!#|data:)/);
    expect(page).not.toMatch(/url\(|@import|<link(?! rel="icon" href="data:)/);
    expect(Buffer.byteLength(await readFile(markdown))).toBeLessThan(60_000);
    const review = JSON.parse(await readFile(json, "utf8"));
    expect(review).toMatchObject({ verdict: "accept", reasons: [], lint: [] });
    for (const why of Object.values({ ...review.rules.off, ...review.rules.narrowed }))
      expect(why).toMatch(/\w{3}.*\.$/);
  });

  test("--allow accepts each reason, and the reports keep the justification", async () => {
    const allowed = [LIMIT, AGREEMENT, EXAMPLE].map((id) => `${id}=agreed, #42 = done`).concat("lint:nothing=because");
    const options = [...allowed.flatMap((reason) => ["--allow", reason]), "--html", inFolder("yes.html")];
    const files = ["--contract", inFolder("narrower.yaml"), "--base", CONTRACT_PATH];
    const accepted = await run(...files, ...options, "--markdown", inFolder("yes.md"));
    expect(accepted.code, accepted.stdout).toBe(0);
    expect(accepted.stderr, "one that nothing needs").toContain("--allow lint:nothing matches no reason.\n");
    expect(accepted.stdout).toContain(`${LIMIT} is allowed: agreed, #42 = done`);
    for (const file of ["yes.html", "yes.md"]) expect(await readFile(inFolder(file), "utf8")).toContain("42 = done");
  });

  test("a contract in several files, each side from the working tree or a revision; a place is a line of its file", async () => {
    const repository = await mkdtemp(join(folder, "files-"));
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: repository });
    const [contract, limit] = [join(repository, "api/openapi.yaml"), join(repository, "api/schemas/limit.yaml")];
    await mkdir(dirname(limit), { recursive: true });
    const sizes = "{ type: integer, minimum: 1, maximum: 50, default: 10 }";
    const root = text.replace(`schema: ${sizes}`, 'schema: { $ref: "./schemas/limit.yaml" }');
    await writeFile(contract, root);
    await writeFile(limit, `${sizes}\n`);
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "-m", "first");
    await writeFile(limit, `${sizes.replace("50", "49")}\n`);
    git("commit", "--quiet", "-a", "-m", "second");
    const line = root.slice(0, root.indexOf('"./schemas/limit.yaml"')).split("\n").length;
    const change = (file: string) =>
      `✗ ${file}:${line}: listNotifications: query.limit was at most 50 and is at most 49`;
    const before = process.cwd();
    process.chdir(repository);
    try {
      for (const [reviewed, base] of [
        ["api/openapi.yaml", "HEAD~1:api/openapi.yaml"],
        ["HEAD:api/openapi.yaml", "HEAD~1"],
      ] as const) {
        const { code, stdout } = await run("--contract", reviewed, "--base", base);
        expect(code, stdout).toBe(1);
        expect(stdout).toContain(change(reviewed));
        expect(stdout).toContain(`compared with ${base} (`);
        expect(stdout, "the change is the one reason").toContain("Reject: 1 reason.");
      }
      const nowhere = await run("--contract", "HEAD:api/none.yaml");
      expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("git has no HEAD:api/none.yaml")]);
    } finally {
      process.chdir(before);
    }
  });
});
