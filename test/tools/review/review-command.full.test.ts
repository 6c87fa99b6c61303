// Whole reviews: the present contract, what --allow accepts, and contracts in git.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createReviewCommand } from "../../../src/cli/review-command.js";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { loadContractText } from "../../support/contract-text.js";
import { createRepository } from "../../support/git-repository.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const { text } = loadContractText();
const NARROWER = text.replace("maximum: 50, default: 10", "maximum: 49, default: 10");
const LIMIT = "listNotifications:request:query.limit:maximum";
const AGREEMENT = "lint:agreements:components/schemas/NotificationPage/properties/pageSize/maximum";

const run = (...args: string[]) => runInProcess(createReviewCommand(), ...args);

test("the present contract: exits with 0, and writes three reports", async () => {
  const folder = await createTemporaryFolder();
  const [html, markdown, json] = [join(folder, "r.html"), join(folder, "r.md"), join(folder, "r.json")];
  const { code, stdout } = await run("--html", html, "--markdown", markdown, "--json", json);
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^Accept\n/);
  const page = await readFile(html, "utf8");
  expect(page).not.toMatch(/(src|href|action)="(?!#|data:)/);
  expect(page).not.toMatch(/url\(|@import|<link(?! rel="icon" href="data:)/);
  expect(Buffer.byteLength(await readFile(markdown)), "fits into a comment").toBeLessThan(60_000);
  const review = JSON.parse(await readFile(json, "utf8"));
  expect(review).toMatchObject({ verdict: "accept", reasons: [], lint: [] });
});

test("--allow accepts each reason, and the reports keep the justification", async () => {
  const folder = await createTemporaryFolder();
  const [contract, html, markdown] = [join(folder, "new.yaml"), join(folder, "yes.html"), join(folder, "yes.md")];
  await writeFile(contract, NARROWER);
  const allowed = [LIMIT, AGREEMENT].map((id) => `${id}=agreed, #42 = done`).concat("lint:nothing=because");
  const options = [...allowed.flatMap((reason) => ["--allow", reason]), "--html", html];
  const files = ["--contract", contract, "--base", CONTRACT_PATH];
  const accepted = await run(...files, ...options, "--markdown", markdown);
  expect(accepted.code, accepted.stdout).toBe(0);
  expect(accepted.stderr, "one that nothing needs").toContain("--allow lint:nothing matches no reason.\n");
  expect(accepted.stdout).toMatch(
    /^Accept: clients break in .*; 2 errors left \(line \d+, and 1 more\)\n.* 1 reason accepted\.\n/,
  );
  expect(accepted.stdout).toContain("query.limit: agreed, #42 = done");
  for (const file of [html, markdown]) expect(await readFile(file, "utf8")).toContain("42 = done");
  const sections = [...(await readFile(html, "utf8")).matchAll(/<h2[^>]* id="([^"]+)"/g)].map(([, id]) => id);
  expect(sections).toEqual(["what-changed", "accepted"]);
});

test("each side from the working tree or a revision", async () => {
  const repository = await createTemporaryFolder();
  const contract = join(repository, "api/openapi.yaml");
  await mkdir(dirname(contract));
  await writeFile(contract, text);
  const git = createRepository(repository);
  await writeFile(contract, NARROWER);
  git("commit", "-qam", "Second");
  const before = process.cwd();
  process.chdir(repository);
  try {
    for (const [reviewed, base] of [
      ["api/openapi.yaml", "HEAD~1:api/openapi.yaml"],
      ["HEAD:api/openapi.yaml", "HEAD~1"],
    ] as const) {
      const { code, stdout } = await run("--contract", reviewed, "--base", base);
      expect(code, stdout).toBe(1);
      expect(stdout).toContain("✗ query.limit maximum: 50 → 49 · breaks clients\n");
      expect(stdout).toContain(`compared with ${base} (`);
    }
    const nowhere = await run("--contract", "HEAD:api/none.yaml");
    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      expect.stringMatching(/git has no HEAD:api\/none\.yaml: .* git ls-tree -r --name-only HEAD\./),
    ]);
  } finally {
    process.chdir(before);
  }
});
