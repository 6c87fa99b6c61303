// The code in the README and the guides, run: requests, commands, CI jobs; and what the commands print.
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { createControl } from "../../src/browser/client/control.js";
import { createReviewCommand } from "../../src/cli/review-command.js";
import { isInForce, loadExceptions } from "../../src/tools/exceptions.js";
import verifyConfigSchema from "../../src/tools/verify/verify.config.schema.json" with { type: "json" };
import { PROPOSALS, toProposal } from "../proposals/proposals.js";
import { CLI, linkCommand, ROOT, type Running, run, runToEnd, serve, stop } from "../support/command.js";
import { BLOCKS, blocksOf, readDocument } from "../support/documents.js";
import { createRepository } from "../support/git-repository.js";
import { COMMANDS as IN_PROCESS, readHelp, runInProcess } from "../support/in-process.js";
import { findFreePort, listen } from "../support/listen.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const COMMANDS = [...new Set(blocksOf("command").map(({ text }) => text))];
const isProxy = (script: string) => / proxy\b/.test(script);
/** True if it runs the command after `--`. */
const hasChild = (script: string) => / -- (?!-)/.test(script);
/** True if each line starts a server that runs until it is stopped. */
const isServe = (script: string) =>
  !hasChild(script) &&
  script.split("\n").every((line) => /^(npm start|npm run mock|npx notifications-contract (serve|mock))\b/.test(line));
const PROPOSED = "POST /v1/topics";

let server: Running & { url: string };
/** Serves the branch `proposal` of the folder. */
let proposal: Running & { url: string };
let folder: string;
beforeAll(async () => {
  server = await serve(["--port", "0", "--ephemeral"]);
  folder = await createTemporaryFolder(afterAll);
  const contract = await readFile(join(ROOT, "openapi.yaml"), "utf8");
  await copyFile(join(ROOT, "openapi.yaml"), join(folder, "openapi.yaml"));
  const edited = contract.replace("maximum: 50", "maximum: 20").replaceAll("must be at most 50", "must be at most 20");
  await writeFile(join(folder, "proposal.yaml"), edited);
  await addTeamEnvironment();
  await addProposalBranch();
  proposal = await serve(["--port", "0", "--ephemeral", "--contract", "proposal:openapi.yaml"], { cwd: folder });
});
afterAll(async () => {
  if (server) await stop(server);
  if (proposal) await stop(proposal);
});

/** The records that the examples of a team's own server need. */
async function addTeamEnvironment(): Promise<void> {
  const control = createControl({ baseUrl: server.url });
  await control.createEnvironment({ name: "team", apiKey: "team-key", seed: "demo" });
  for (const subscriberId of ["ada", "grace"]) await control.addSubscriber("team", { subscriberId });
  await control.addWorkflow("team", { name: "Welcome", identifier: "welcome", channels: ["email", "in_app"] });
  await writeFile(join(folder, "bug-4711.json"), await control.exportEnvironment("team"));
}

/** Makes the folder a git repository whose branch `proposal` has one operation more. */
async function addProposalBranch(): Promise<void> {
  const path = join(folder, "openapi.yaml");
  const edit = PROPOSALS.find(({ title }) => title.startsWith("a POST with a body, 201"));
  if (!edit) throw new Error("there is no such proposal");
  const current = await readFile(path, "utf8");
  const git = createRepository(folder);
  git("checkout", "-qb", "proposal");
  await writeFile(path, stringify(toProposal(edit).document));
  git("commit", "-qam", "Proposal");
  git("checkout", "-q", "main");
  expect(await readFile(path, "utf8")).toBe(current);
}

/** Replaces the servers of the documents by those of this test. */
function here(text: string): string {
  const { url } = text.includes("--contract proposal:") ? proposal : server;
  return text.replaceAll(/http:\/\/127\.0\.0\.1:(4010|8080)|https:\/\/staging\.example\.com/g, url);
}

/** What `npm start` runs. */
const [, START = ""] = /run\.js (.*)/.exec(manifest.scripts.start) ?? [];

/** A few cases of verify show that a line works. */
const FEW = "--only query.limit";

const PROGRAM = `'${process.execPath}' '${CLI}'`;

/** A script of the documents with the built command line, on the servers and branches of this test. */
function toLocal(script: string): string {
  return here(script)
    .replaceAll(/ \\\n */g, " ")
    .replaceAll(/^.* verify .*$/gm, (line) => (line.includes(" --only ") ? line : `${line} ${FEW}`))
    .replaceAll(/npm run (\w+)(?: --)?/g, `${PROGRAM} $1`)
    .replaceAll(/npm start(?: --)?/g, `${PROGRAM} ${START}`)
    .replaceAll("npx notifications-contract", PROGRAM)
    .replaceAll(/^npm ci.*$/gm, "")
    .replaceAll(/--base (main|origin\/\S+( \S+ }})?)/g, "--base HEAD");
}

const runs = new Map<string, ReturnType<typeof runToEnd>>();

/** Runs a script. A script that several documents contain is run once. */
function runScript(script: string): ReturnType<typeof runToEnd> {
  const local = toLocal(script);
  const env: Record<string, string> = local.includes("--subscriber ada") ? { NC_API_KEY: "team-key" } : {};
  const ended = runs.get(local) ?? runOnce(local, env);
  runs.set(local, ended);
  return ended;
}

/** The commands that have run in a process of their own. */
const started = new Set<string>();

/**
 * The first script of each command runs in a process of its own. Further ones that are one call run in this process,
 * with the arguments that the shell makes of it: most of their time would be the start of the program.
 */
async function runOnce(local: string, env: Record<string, string>): ReturnType<typeof runToEnd> {
  const call = local.trim();
  const name = /^'[^']+' '[^']+' (\w+)/.exec(call)?.[1] ?? "";
  const isOneCall = call.startsWith(PROGRAM) && !/[\n|&;<>$]/.test(call);
  if (!isOneCall || !started.has(name)) {
    started.add(name);
    return runToEnd("bash", ["-ec", local], { cwd: folder, env });
  }
  const list = `printf '%s\\0' ${call.slice(PROGRAM.length)}`;
  const [, ...args] = (await runToEnd("bash", ["-ec", list], { cwd: folder })).output.split("\0").slice(0, -1);
  const before = process.cwd();
  process.chdir(folder);
  try {
    const command = IN_PROCESS[name]?.() ?? expect.unreachable(`no command ${name}`);
    const { code = 0, stdout, stderr } = await runInProcess(command, ...args);
    return { code, output: stdout + stderr };
  } finally {
    process.chdir(before);
  }
}

describe("the documents", () => {
  const curls = [...new Set(blocksOf("curl").map(({ text }) => text))];
  test.each(curls)("%s", async (line) => {
    const { code, output } = await runToEnd("bash", ["-c", here(line).replace("curl ", "curl -sS ")]);
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

  test("the fixture and the test for pytest", async ({ skip }) => {
    const python = await runToEnd("python3", ["-m", "pytest", "--version"]).catch(() => ({ code: 1 }));
    if (python.code !== 0 && !process.env.CI) skip("there is no pytest here");
    const [fixture, ...tests] = blocksOf("pytest").map(({ text }) => text);
    const root = join(folder, "pytest");
    await mkdir(root);
    await writeFile(join(root, "conftest.py"), fixture ?? "");
    for (const [index, text] of tests.entries()) await writeFile(join(root, `test_${index}.py`), text);
    const env = { NOTIFICATIONS_URL: server.url };
    const { code, output } = await runToEnd("python3", ["-m", "pytest", "-q"], { cwd: root, env });
    expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`^${tests.length} passed`, "m"))]);
  });

  test("every request of the control plane's tour succeeds", async () => {
    const [tour] = blocksOf("control-tour");
    const script = here(tour?.text ?? "").replaceAll("curl -s", "curl -sS --fail-with-body");
    const { code, output } = await runToEnd("bash", ["-ec", script]);
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

  const isPrefix = (script: string) => COMMANDS.some((other) => other.startsWith(`${script} `)); // the longer one runs
  const ending = COMMANDS.filter(
    (script) => ![isServe, hasChild, isProxy, isPrefix].some((matches) => matches(script)),
  );
  test.each(ending)("%s", async (script) => {
    const { code, output } = await runScript(script);
    expect(code, output).toBe(0);
  });

  test.each(COMMANDS.filter(isServe).flatMap((script) => script.split("\n")))("%s", async (line) => {
    const running = run("bash", ["-c", `exec ${toLocal(line)}`], { cwd: folder, env: { NC_PORT: "0" } });
    const [, url = ""] = await running.printed(/URL +(http\S+)/);
    const response = await fetch(`${url}/health`);
    expect(response.status).toBe(200);
    expect(running.output()).not.toContain("was reloaded"); // nobody has saved it
    const { implementation } = (await response.json()) as { implementation?: { mocked: string[] } };
    if (line.includes("proposal:")) expect(implementation?.mocked).toEqual([PROPOSED]);
    expect(await stop(running)).toBe(0);
  });

  test.each(COMMANDS.filter((script) => hasChild(script) && !isProxy(script)))(
    "%s, with another child",
    async (script) => {
      const child = "node -p process.env.NC_URL";
      const local = toLocal(script).replace(/ -- (?!-).*$/, ` -- ${child}`);
      const { code, output } = await runToEnd("bash", ["-c", local], { cwd: folder, env: { NC_PORT: "0" } });
      expect([code, output]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/m)]);
    },
  );

  test.each(blocksOf("verify-config"))("the configuration of verify in $document matches its schema", ({ text }) => {
    const validate = new Ajv2020({ strict: false }).compile(verifyConfigSchema);
    expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
  });

  const exceptions = blocksOf("exceptions");
  test.each(exceptions)("the exceptions of $document are read, and expire", async ({ text }) => {
    const path = join(folder, "exceptions.json");
    await writeFile(path, text);
    const [exception, ...others] = loadExceptions(path);
    expect([exception, others]).toEqual([JSON.parse(text)[0], []]);
    const days = ["2026-11-23", "2099-01-01"].map((day) => exception && isInForce(exception, new Date(day)));
    expect(days).toEqual([true, false]);
  });

  test("review accepts the edit of the guide by the acceptances of the guide", async () => {
    const { text = "" } = exceptions.find(({ document }) => document === "docs/spec-review.md") ?? {};
    const acceptances = join(folder, "acceptances.json");
    await writeFile(acceptances, text.replace(/"until": "[^"]+"/, '"until": "9999-12-31"'));
    const args = ["--base", join(folder, "openapi.yaml"), "--contract", join(folder, "proposal.yaml")];
    const { code, stdout } = await runInProcess(createReviewCommand(), ...args, "--acceptances", acceptances);
    const [{ reason }] = JSON.parse(text);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`query.limit: ${reason}\n`)]);
  });

  test("the proxy's script, through npx, exits with the worse of its own code and that of the tests", async () => {
    const [script = ""] = COMMANDS.filter((script) => isProxy(script) && hasChild(script));
    const throughNpx = here(script).replace(/^npm ci.*$/m, ""); // a link replaces the installed command
    await linkCommand(folder);
    const violating = createServer((_request, response) => void response.end("{}"));
    onTestFinished(() => void violating.close());
    const wrongUrl = await listen(violating);
    const port = await findFreePort();
    const runWith = (upstream: string, code: number) => {
      const tests = `curl -sS -H 'authorization: ApiKey demo-key' http://127.0.0.1:${port}/v1/notifications; exit ${code}`;
      const text = throughNpx.replace(/npm test$/, `bash -c "${tests}"`).replace(server.url, upstream);
      return runToEnd("bash", ["-c", text], { cwd: folder, env: { NC_PORT: String(port) } });
    };
    const conforming = expect.stringContaining("0 in responses");
    expect(await runWith(server.url, 0)).toEqual({ code: 0, output: conforming });
    expect(await runWith(server.url, 4)).toEqual({ code: 4, output: conforming });
    expect(await runWith(wrongUrl, 0)).toEqual({ code: 1, output: expect.stringContaining("✗ response") });
    expect(await readFile(join(folder, "violations.jsonl"), "utf8")).toContain('"direction":"response"');
  });

  test.each(blocksOf("ci-job"))("a CI job of $document", async ({ text }) => {
    const job = parse(text);
    const ofSteps: { run?: string }[] | undefined = Array.isArray(job) ? job : job.steps;
    const scripts: string[] = ofSteps
      ? ofSteps.flatMap(({ run: script = [] }) => script)
      : Object.values<{ script: string[] }>(job).flatMap(({ script }) => script);
    const [install, ...steps] = scripts;
    expect(install).toBe("npm ci");
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      const [, file] = /^gh .*--body-file (\S+)|^cat (\S+)/.exec(step)?.filter(Boolean) ?? [];
      if (file)
        await readFile(join(folder, file)); // there is no GitHub here
      else expect(await runScript(step), step).toMatchObject({ code: 0 });
    }
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
});

describe("the start message", () => {
  test("has a curl line for each operation that works when pasted", async () => {
    const lines = server.output().match(/curl (?:.*\\\n)*.*/g) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const { output } = await runToEnd("bash", ["-c", line.replace("curl ", "curl -sS -w '%{http_code}' ")]);
      expect(output.slice(-3)).toBe("200");
    }
  });
});

test.each([
  ["an unknown option", ["serve", "--prot", "1"], 2, /unknown option '--prot'/],
  ["an unknown command", ["sevre"], 2, /sevre/],
  ["the version", ["--version"], 0, /^\d+\.\d+\.\d+\n$/],
])("the command line › %s", async (_title, args, code, message) => {
  const ended = await runToEnd(process.execPath, [CLI, ...args]);
  expect(ended).toEqual({ code, output: expect.stringMatching(message) });
  expect(ended.output).not.toContain("    at ");
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
