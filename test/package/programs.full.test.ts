// The programs in the README and the guides, and the projects of docs/examples, run by the tools that they are for
// against the built package. Jest's program runs in package.full.test.ts.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createViteServer } from "vitest/node";
import manifest from "../../package.json" with { type: "json" };
import { createClient } from "../../src/browser/client/client.js";
import { startServer } from "../../src/start-server.js";
import { chromiumPath } from "../pages/chromium.js";
import { startExampleSite } from "../pages/example-site.js";
import { ROOT, runToEnd } from "../support/command.js";
import { blocksOf, readDocument } from "../support/documents.js";
import { copyExample, linkPackage, readManifest, toExample } from "../support/example.js";
import { installMsw3, whyNotInNode } from "../support/msw.js";
import { isWeekly } from "../support/sizes.js";
import { createShell } from "./shell.js";

/** Each program of the documents, by a text that only it contains. The first test compares them. */
const PROGRAMS = {
  server: "await startServer({ now:",
  client: "console.error(result.status, ",
  errors: "workflowCritical",
  request: "client.request(",
  iterator: "for await (const page of ",
  reactQuery: 'from "notifications-contract/query"',
  prefer: "headers(), prefer:",
  msw: 'from "msw/node"',
  storybook: "loaders: [",
  check: "const fetch = checkFetch(",
  preview: "import.meta.env.BASE_URL",
  stubbed: "the feed continues after",
  vite: '{ proxy: { "/v1":',
  viteApi: '{ proxy: { "/api":',
  forward: "export async function forward(",
  session: "export async function readSession(",
  route: "forward as GET",
  playwrightConfig: "fullyParallel: true",
  playwright: "test as base",
  component: "screen.findByRole",
  jest: "jest.spyOn(",
};

type Program = keyof typeof PROGRAMS;

const server = await startServer();
afterAll(() => server.close());

/** A project with React, Vite and Vitest, in which most of the programs run. */
const folder = await copyExample("vite");
const at = (...path: string[]) => join(folder, ...path);
const bin = (...path: string[]) => join(ROOT, "node_modules", ...path);
await linkPackage(folder, "happy-dom");
for (const [program, path] of [
  ["tsc", isWeekly ? "typescript/bin/tsc" : "typescript-7/bin/tsc"], // the later one takes a fifth of the time
  ["vitest", "vitest/vitest.mjs"],
  ["playwright", "@playwright/test/cli.js"],
] as const)
  await symlink(bin(path), at("node_modules/.bin", program));

/** The program with the address of this test's server. */
function readProgram(name: Program): string {
  const [program] = blocksOf("program").filter(({ text }) => text.includes(PROGRAMS[name]));
  if (!program) throw new Error(`The documents have no program with ${PROGRAMS[name]}`);
  return program.text.replaceAll("http://127.0.0.1:4010", server.url);
}

async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(at(name), ".."), { recursive: true });
    await writeFile(at(name), text);
  }
}

describe("the programs of the documents", () => {
  test("each has a test here", () => {
    const names = Object.keys(PROGRAMS) as Program[];
    for (const { document, text } of blocksOf("program")) {
      const matches = names.filter((name) => text.includes(PROGRAMS[name]));
      expect(matches, `${document}:\n${text}`).toHaveLength(1);
    }
    expect(blocksOf("program")).toHaveLength(names.length);
  });

  test("those for Node.js print what they say", async () => {
    const outputs = {
      client: /^false\n$/,
      errors: /^This one stays on\.\n$/,
      request: /^true\n$/,
      iterator: /^(\d{4}-\d\d-\S+Z .+\n){26}$/,
      server: /^200 1\n$/,
      msw: /^200 3\n$/, // the last, since it replaces the global fetch
    };
    const names = Object.keys(outputs) as (keyof typeof outputs)[];
    for (const name of names) await writeFiles({ [`${name}.mjs`]: readProgram(name) });
    await writeFiles({
      "all.mjs": names.map((name) => `console.log("# ${name}"); await import("./${name}.mjs");`).join("\n"),
    });
    const { code, output } = await runToEnd(process.execPath, ["all.mjs"], { cwd: folder });
    expect(code, output).toBe(0);
    const printed = output.split(/^# (\w+)\n/m).slice(1);
    for (const [index, name] of names.entries())
      expect(printed.slice(2 * index, 2 * index + 2)).toEqual([name, expect.stringMatching(outputs[name])]);
  });

  test.runIf(isWeekly)("msw, with MSW 3", async ({ skip }) => {
    const reason = whyNotInNode();
    if (reason) return skip(reason);
    const { folder: parent = "", reason: failure } = await installMsw3(onTestFinished);
    if (failure) return skip(failure);
    await symlink(ROOT, join(parent, "node_modules/notifications-contract"));
    await writeFile(join(parent, "msw.mjs"), readProgram("msw"));
    const ended = await runToEnd(process.execPath, ["msw.mjs"], { cwd: parent });
    expect(ended).toEqual({ code: 0, output: "200 3\n" });
  });

  test("README's example compiles without `strict`", async () => {
    await writeFiles({ "loose.mts": readProgram("client") });
    const options = ["--noEmit", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"];
    const tsc = [bin("typescript-7/bin/tsc"), "--ignoreConfig", "--strict", "false", ...options, "loose.mts"];
    expect(await runToEnd(process.execPath, tsc, { cwd: folder })).toEqual({ code: 0, output: "" });
  });

  /** Starts Vite with the configuration of a document, and returns its address. */
  async function startVite(name: Program): Promise<string> {
    const configFile = at(name, "vite.config.mjs");
    await writeFiles({ [`${name}/vite.config.mjs`]: readProgram(name) });
    const address = { port: 0, host: "127.0.0.1" };
    const vite = await createViteServer({ root: at(name), configFile, logLevel: "error", server: address });
    onTestFinished(() => vite.close());
    await vite.listen();
    return vite.resolvedUrls?.local[0]?.slice(0, -1) ?? expect.unreachable();
  }

  test("Vite", async () => {
    const client = createClient({ baseUrl: await startVite("vite"), apiKey: "demo-key" });
    expect(await client.listNotifications({ limit: 1 })).toMatchObject({ ok: true, data: { data: [{}] } });
  });

  test("Vite: its proxy adds the key, below /api, for the subscriber me", async () => {
    const client = createClient({ baseUrl: `${await startVite("viteApi")}/api`, apiKey: "" });
    const updated = await client.updatePreferences("me", { channels: { sms: false } });
    expect(updated).toMatchObject({ ok: true, data: { global: { channels: { sms: false } } } });
    const listed = await client.listNotifications({ subscriberIds: ["me"], limit: 1 });
    expect(listed).toMatchObject({ ok: true, data: { data: [{ subscriber: { subscriberId: "ines-moreau" } }] } });
  });

  test("Next.js: the route handler adds the key, and shows users only their own records", async () => {
    vi.stubEnv("NOTIFICATIONS_URL", server.url);
    vi.stubEnv("NOTIFICATIONS_KEY", "demo-key");
    onTestFinished(() => void vi.unstubAllEnvs());
    await writeFiles({
      "next/session.js": readProgram("session"),
      "next/forward.js": readProgram("forward"),
      "next/app/api/[...path]/route.js": readProgram("route"),
    });
    const { GET, PATCH } = await import(at("next/app/api/[...path]/route.js"));
    const request = (path: string, init?: RequestInit) => new Request(`https://app.example.com/api${path}`, init);
    const headers = { cookie: "user=ines-moreau", "content-type": "application/json" };
    const others = "subscriberIds=eleni-papadaki&emails=eleni.papadaki@example.com&search=eleni";
    const list = await (await GET(request(`/v1/notifications?limit=50&${others}`, { headers }))).json();
    expect(list.data.length).toBeGreaterThan(0);
    for (const { subscriber } of list.data) expect(subscriber.subscriberId).toBe("ines-moreau");

    const body = JSON.stringify({ channels: { chat: false } });
    const update = request("/v2/subscribers/eleni-papadaki/preferences", { method: "PATCH", headers, body });
    expect((await (await PATCH(update)).json()).global.channels.chat).toBe(false);
    const live = createClient({ baseUrl: server.url, apiKey: "demo-key" });
    for (const [subscriberId, chat] of Object.entries({ "ines-moreau": false, "eleni-papadaki": true }))
      expect(await live.readPreferences(subscriberId)).toMatchObject({ data: { global: { channels: { chat } } } });

    expect((await GET(request("/v1/notifications"))).status).toBe(401);
    const rejection = await GET(request("/v1/notifications?limit=51", { headers }));
    expect([rejection.status, (await rejection.json()).message]).toEqual([422, "query.limit must be at most 50"]);
  });

  test.runIf(isWeekly && chromiumPath)("Playwright: the fixture, and one response for one test", async () => {
    const site = await startExampleSite();
    const page = `/?${new URLSearchParams({ baseUrl: server.url, apiKey: "demo-key", subscriberId: "ines-moreau" })}`;
    const root = at("playwright");
    await writeFiles({
      "playwright/e2e/feed.spec.ts": readProgram("playwright"),
      "playwright/e2e/prefer.spec.ts": `import { expect, test } from "@playwright/test";
      test("prefer", async ({ page }) => {
        ${readProgram("prefer")}
        await page.goto(${JSON.stringify(page)});
        await expect(page.getByText("We are back in a moment.")).toBeVisible();
      });`,
      "playwright/playwright.config.ts": withChromium(readProgram("playwrightConfig")).replace(
        "http://127.0.0.1:5173",
        site.url,
      ),
    });
    const [line] = blocksOf("command").filter(({ text }) => text.includes("playwright test"));
    const script = `${line?.text} feed.spec.ts prefer.spec.ts --reporter=line`;
    const { code, output } = await runToEnd("bash", ["-c", script], { cwd: root, env: { NC_PORT: "0" } });
    expect([code, output]).toEqual([0, expect.stringMatching(/2 passed/)]);
  });
});

/** A configuration of Playwright, with this machine's browser. */
function withChromium(config: string): string {
  const launchOptions = JSON.stringify({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  return config.replace("use: {", `use: { launchOptions: ${launchOptions},`);
}

const EXAMPLES = await readdir(join(ROOT, "docs/examples"));
const ON_NODE = EXAMPLES.filter((name) => existsSync(join(toExample(name), "package.json")));

describe("the examples", () => {
  test.each(ON_NODE)("%s names the versions that this project is tested with", async (name) => {
    const { dependencies, devDependencies } = await readManifest(name);
    const tested: Record<string, string> = manifest.devDependencies;
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (dependency === "notifications-contract") expect(version).toBe("file:../../..");
      else if (tested[dependency]) expect([dependency, version]).toEqual([dependency, tested[dependency]]);
    }
  });

  test.each(EXAMPLES.filter((name) => !name.includes(".")))("%s says how it starts, with one command", async (name) => {
    const readme = await readFile(join(toExample(name), "README.md"), "utf8");
    expect(/^```sh\n(.+\n)+?```$/m.exec(readme)?.[0]).toMatch(/^```sh\n.+\n```$/);
  });

  test("review-pipeline › npm start shows a verdict", async () => {
    const { folder, runScript } = await createShell(await copyExample("review-pipeline"));
    const { scripts } = await readManifest("review-pipeline");
    expect(await runScript(scripts.start ?? "")).toEqual({ code: 1, output: expect.stringContaining("query.limit") });
    expect(await readFile(join(folder, "review.html"), "utf8")).toContain("query.limit");
  });

  test("storybook › its preview is the one of the guide", async () => {
    const preview = await readFile(join(toExample("storybook"), ".storybook/preview.ts"), "utf8");
    expect(readDocument("docs/front-end.md")).toContain(preview);
  });

  test("pytest › finds nothing that its baseline does not have, and a bug that is planted", async ({ skip }) => {
    const modules = await runToEnd("bash", ["-c", "python3 -c 'import fastapi, pytest, uvicorn'"]);
    if (modules.code !== 0) skip("Python has no FastAPI here");
    const folder = await copyExample("pytest");
    const runTests = () => runToEnd("python3", ["-m", "pytest", "-q"], { cwd: folder });
    expect(await runTests()).toEqual({ code: 0, output: expect.stringContaining("1 passed") });
    const path = join(folder, "app.py");
    await writeFile(path, (await readFile(path, "utf8")).replace("le=50", "le=500"));
    expect(await runTests()).toEqual({ code: 1, output: expect.stringContaining("query.limit") });
  });
});

// With the programs of the documents that have the same tools.
describe("the example of Vite", () => {
  const STRICT = `
    import { startServer, type RunningServer } from "notifications-contract";
    import { type Control, createControl } from "notifications-contract/control";
    import type { components } from "notifications-contract/types";
    const server: RunningServer = await startServer({ plan: "free" });
    // @ts-expect-error a channel that the contract does not have
    const wrong: components["schemas"]["PreferencesUpdate"] = { channels: { fax: true } };
    const control: Control = createControl({ baseUrl: server.url });
    (await control.createEnvironment()).apiKey.trim();
    void wrong;
  `;
  const APP = `
    import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
    import { createClient } from "notifications-contract/client";
    import { PreferenceCentre } from "./preference-centre";
    const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" });
    export const App = () => (
      <QueryClientProvider client={new QueryClient()}>
        <PreferenceCentre client={client} subscriberId="ines-moreau" />
      </QueryClientProvider>
    );
  `;
  const ENVIRONMENTS = isWeekly ? ["node", "jsdom", "happy-dom"] : ["node"];
  const inOneThread = isWeekly ? [] : ["--", "--pool=threads", "--no-isolate"]; // takes less than half of the time
  /** Vitest would apply such a comment to this file, too, if it had the name of an environment. */
  const inEnvironment = (name: string, text: string) => `// @vitest-environment ${name}\n${text}`;

  beforeAll(async () => {
    await writeFiles({
      "src/react-query.tsx": readProgram("reactQuery"),
      "src/preview.ts": readProgram("storybook"),
      "src/start.ts": readProgram("preview"),
      "src/errors.ts": readProgram("errors"),
      "src/strict.ts": STRICT,
      "src/check.test.tsx": readProgram("check"),
      "src/app.tsx": APP,
      "src/app.test.tsx": readProgram("component"),
    });
    for (const environment of ENVIRONMENTS)
      await writeFiles({ [`src/${environment}.test.tsx`]: inEnvironment(environment, readProgram("stubbed")) });
  });

  test("npm run check", async () => {
    expect(await runToEnd("npm", ["run", "-s", "check"], { cwd: folder })).toEqual({ code: 0, output: "" });
  });

  test("npm test", async () => {
    const ended = await runToEnd("npm", ["test", ...inOneThread], { cwd: folder });
    const passed = new RegExp(`Tests .*${5 + ENVIRONMENTS.length} passed`);
    expect(ended).toEqual({ code: 0, output: expect.stringMatching(passed) });
  });

  test.runIf(isWeekly && chromiumPath)("npm run e2e", async () => {
    const config = await readFile(at("playwright.config.ts"), "utf8");
    await symlink(bin("vite/bin/vite.js"), at("node_modules/.bin/vite"));
    await writeFiles({ "playwright.config.ts": withChromium(config) });
    const ended = await runToEnd("npm", ["run", "e2e"], { cwd: folder });
    expect(ended).toEqual({ code: 0, output: expect.stringMatching(/3 passed/) });
  });
});
