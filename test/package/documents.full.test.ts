// The code in the README and the guides that a shell runs: requests, commands, CI jobs. Programs: programs.full.test.ts.
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { createControl } from "../../src/browser/client/control.js";
import { formatStartMessage } from "../../src/cli/start-message.js";
import { startServer } from "../../src/start-server.js";
import { isInForce, loadExceptions } from "../../src/tools/exceptions.js";
import verifyConfigSchema from "../../src/tools/verify/verify.config.schema.json" with { type: "json" };
import { PROPOSALS, toProposal } from "../proposals/proposals.js";
import { ROOT, runToEnd } from "../support/command.js";
import { BLOCKS, type BlockKind, blocksOf, readDocument } from "../support/documents.js";
import { createRepository } from "../support/git-repository.js";
import { readHelp } from "../support/in-process.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { createShell } from "./shell.js";

const CONTRACT = await readFile(join(ROOT, "openapi.yaml"), "utf8");

/** A repository with the contract, a proposal beside it, and one with a further operation on the branch `proposal`. */
async function createProject() {
  const shell = await createShell(await createTemporaryFolder(afterAll));
  const path = join(shell.folder, "openapi.yaml");
  await writeFile(path, CONTRACT);
  const git = createRepository(shell.folder);
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  git("checkout", "-qb", "proposal");
  const edit = PROPOSALS.find(({ title }) => title.startsWith("a POST with a body, 201")) ?? expect.unreachable();
  const { document } = toProposal(edit);
  await writeFile(
    path,
    stringify(document).replace("/v1/topics:\n    post:\n", "$&      operationId: getPreferences\n"),
  );
  await copyFile(path, join(shell.folder, "bin/further.yaml"));
  git("commit", "-qam", "Proposal");
  git("checkout", "-q", "main");
  const edited = CONTRACT.replace("maximum: 50", "maximum: 20").replaceAll("must be at most 50", "must be at most 20");
  await writeFile(join(shell.folder, "proposal.yaml"), edited);
  return shell;
}

const { folder, runScript } = await createProject();
const server = await startServer();
const proposal = await startServer({ contractPath: join(folder, "bin/further.yaml") });
const control = createControl({ baseUrl: server.url });
// The records that the examples of a team's own server need.
await control.createEnvironment({ name: "team", apiKey: "team-key", seed: "demo" });
for (const subscriberId of ["ada", "grace"]) await control.addSubscriber("team", { subscriberId });
await control.addWorkflow("team", { name: "Welcome", identifier: "welcome", channels: ["email", "in_app"] });
await writeFile(join(folder, "bug-4711.json"), await control.exportEnvironment("team"));
afterAll(() => Promise.all([server.close(), proposal.close()]));

/** Replaces the servers of the documents by those of this test. */
function here(text: string): string {
  const { url } = text.includes("--contract proposal:") ? proposal : server;
  return text
    .replaceAll(/http:\/\/127\.0\.0\.1:(4010|8080)|https:\/\/staging\.example\.com/g, url)
    .replaceAll(/\$\{\{ .*? \}\}/g, "main")
    .replace(/proposal\.yaml(?= \\\n {2}--mock-missing )/, "bin/further.yaml");
}

/** The texts of a kind of blocks, each once, also where several documents have it. */
const textsOf = (kind: BlockKind) => [...new Set(blocksOf(kind).map(({ text }) => text))];

describe("the documents", () => {
  test.each(textsOf("curl"))("%s", async (line) => {
    const { code, output } = await runScript(here(line).replace("curl ", "curl -sS "));
    expect(code).toBe(0);
    const response = JSON.parse(output);
    const responses = BLOCKS.filter(({ kind }, index) => kind === "response" && BLOCKS[index - 1]?.text === line);
    for (const { text } of responses) expect(isShown(JSON.parse(text), response), `${output} holds ${text}`).toBe(true);
    if (responses.length === 0) expect(response).not.toHaveProperty("statusCode"); // no error
  });

  test("each response follows its request", () => {
    for (const [index, { kind }] of BLOCKS.entries())
      if (kind === "response") expect(BLOCKS[index - 1]?.kind).toBe("curl");
  });

  test.each(textsOf("command"))("%s", async (script) => {
    const { code, output } = await runScript(here(script));
    expect(code, output).toBe(0);
    const listening = script.match(/^(npm start|npx \S+ (serve|mock))\b/gm) ?? [];
    expect(output.match(/URL +http/g) ?? []).toHaveLength(listening.length);
    if (script.includes("serve --contract proposal:")) expect(output).toMatch(/^ *Mocked +\S/m);
  });

  test.each(blocksOf("ci-job"))("a CI job of $document", async ({ text }) => {
    const job: { steps: { run?: string }[] } | { run: string }[] = parse(text);
    const scripts = (Array.isArray(job) ? job : job.steps).flatMap(({ run: script = [] }) => script);
    expect(scripts[0]).toBe("npm ci");
    expect(scripts.length).toBeGreaterThan(2);
    const env = { NC_API_KEY: "team-key", GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
    for (const script of scripts) {
      const { code, output } = await runScript(here(script), env);
      expect(code, `${script}\n${output}`).toBe(0);
    }
  });

  test("the lines for the image write the configuration, then the report", async () => {
    const [script = ""] = textsOf("container").filter((text) => text.includes(" verify "));
    const shell = await createShell(await createTemporaryFolder());
    const { code, output } = await shell.runScript(here(script), { NC_API_KEY: "team-key" });
    expect([code, output]).toEqual([0, expect.stringMatching(/verify\.config\.json.* 0 failed/s)]);
    expect(await readFile(join(shell.folder, "verify.xml"), "utf8")).toContain("<testsuite");
  });

  test("the fixture and the test for pytest", async ({ skip }) => {
    const [fixture, ...tests] = textsOf("pytest");
    const root = join(folder, "pytest");
    await mkdir(root);
    await writeFile(join(root, "conftest.py"), fixture ?? "");
    for (const [index, text] of tests.entries()) await writeFile(join(root, `test_${index}.py`), text);
    const env = { NOTIFICATIONS_URL: server.url };
    const { code, output } = await runToEnd("bash", ["-c", "python3 -m pytest -q"], { cwd: root, env });
    if (/No module named pytest|not found/.test(output) && !process.env.CI) skip("there is no pytest here");
    expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`^${tests.length} passed`, "m"))]);
  });

  test("every request of the control plane's tour succeeds", async () => {
    const [tour = ""] = textsOf("control-tour");
    const { code, output } = await runScript(here(tour).replaceAll("curl -s", "curl -sS --fail-with-body"));
    expect(code, output).toBe(0);
    expect(output).toContain('"name":"mine","apiKey":"my-key"');
    expect(output).toContain('"requests":[]');
  });

  test("each `Prefer` of the table of states is applied", async () => {
    const rows = [...readDocument("docs/quickstart.md").matchAll(/^\| .* \| `Prefer: ([^`]+)`/gm)];
    expect(rows.length).toBeGreaterThan(6);
    for (const [, prefer = ""] of rows) {
      const headers = { authorization: "ApiKey demo-key", prefer };
      const response = await fetch(`${server.url}/v1/notifications`, { headers });
      expect(response.headers.get("preference-applied")).toBe(prefer);
      expect(response.status).toBe(Number(/code=(\d+)/.exec(prefer)?.[1] ?? 200));
    }
  });

  test.each(blocksOf("verify-config"))("the configuration of verify in $document matches its schema", ({ text }) => {
    const validate = new Ajv2020({ strict: false }).compile(verifyConfigSchema);
    expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
  });

  test.each(blocksOf("exceptions"))("review accepts the edit of $document by its acceptances", async ({ text }) => {
    const path = join(folder, "acceptances.json");
    await writeFile(path, text);
    const days = ["2026-11-23", "2099-01-01"].map((day) =>
      loadExceptions(path).map((one) => isInForce(one, new Date(day))),
    );
    expect(days).toEqual([[true], [false]]);
    await writeFile(path, text.replace(/"until": "[^"]+"/, '"until": "9999-12-31"'));
    const line = "npm run review -- --base openapi.yaml --contract proposal.yaml --acceptances acceptances.json";
    const [{ reason }] = JSON.parse(text);
    expect(await runScript(line)).toEqual({ code: 0, output: expect.stringContaining(`query.limit: ${reason}\n`) });
  });

  /** A front-end with this package's client, whose third line reads a member that a proposal renames. */
  const FRONT_END = `import { createClient } from "notifications-contract/client";
const list = await createClient({ baseUrl: "http://127.0.0.1:4010", apiKey: "demo-key" }).listNotifications();
if (list.ok) console.log(list.data.hasMore, list.data.page);
`;

  test("the recipe with the proposal's types names the line of a front-end that no longer compiles", async () => {
    const shell = await createShell(await createTemporaryFolder());
    const installed = join(shell.folder, "node_modules/notifications-contract");
    const isOfTypes = (path: string) => !/\.\w+$/.test(path) || path.endsWith(".d.ts");
    await cp(join(ROOT, "dist"), join(installed, "dist"), { recursive: true, filter: isOfTypes });
    await copyFile(join(ROOT, "package.json"), join(installed, "package.json"));
    for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
      await symlink(join(ROOT, "node_modules", name), join(shell.folder, "node_modules", name));
    const compilerOptions = { module: "nodenext", target: "es2022", strict: true, skipLibCheck: true, types: [] };
    const files = {
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["feed.mts"] }),
      "feed.mts": FRONT_END,
      "proposal.yaml": CONTRACT.replace(/^ {8}hasMore: {/m, "        more: {"),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(shell.folder, name), text);
    const { code, output } = await shell.runScript(textsOf("types-of-proposal").join("\n"));
    expect([code, output]).toEqual([
      expect.any(Number),
      expect.stringMatching(/feed\.mts\(3,\d+\): error TS2339: .*hasMore/),
    ]);
    expect(output.match(/error TS/g)).toHaveLength(1);
    const generated = await readFile(join(installed, "dist/contract/openapi.gen.d.ts"), "utf8");
    const own = await readFile(join(ROOT, "src/contract/openapi.gen.ts"), "utf8");
    expect(generated, "what is unchanged is as in the package").toBe(own.replace("hasMore:", "more?:"));
  });

  test("each option of `serve` has the variable of its name in --help", async () => {
    const help = await readHelp("serve");
    const options = [...help.matchAll(/^ {2}(--[a-z-]+)(.*(?:\n {4,}.*)*)/gm)];
    const names = options.flatMap(([, name = "", text = ""]) => {
      const variable = /env:\s+(NC_[A-Z_]+)/.exec(text)?.[1];
      if (variable) expect(variable).toBe(`NC_${name.slice(2).toUpperCase().replaceAll("-", "_")}`);
      return variable ? [] : [name];
    });
    expect(names).toEqual(["--json"]); // not a setting
  });

  test("the start message has a curl line for each operation that works when pasted", async () => {
    const message = formatStartMessage("reference server", { ...server, hasControl: true, facts: {} });
    const lines = message.match(/curl (?:.*\\\n)*.*/g) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const { output } = await runScript(line.replace("curl ", "curl -sS -w '%{http_code}' "));
      expect(output.slice(-3)).toBe("200");
    }
  });
});

/** True if the response contains everything that the example shows. The example of a list may be shorter. */
function isShown(example: unknown, response: unknown): boolean {
  if (typeof example !== "object" || example === null) return example === response;
  if (typeof response !== "object" || response === null) return false;
  if (Array.isArray(example)) {
    return Array.isArray(response) && example.every((item) => response.some((other) => isShown(item, other)));
  }
  return Object.entries(example).every(([name, value]) => isShown(value, (response as Record<string, unknown>)[name]));
}
