// The programs in the README and the guides, run by the tools that they are for against the built package. Jest's runs
// in package.full.test.ts.
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createViteServer } from "vitest/node";
import { createClient } from "../../src/browser/client/client.js";
import { chromiumPath } from "../pages/chromium.js";
import { type Site, startExampleSite } from "../pages/example-site.js";
import { linkCommand, ROOT, type Running, runToEnd, serve, stop } from "../support/command.js";
import { blocksOf } from "../support/documents.js";
import { installMsw3, whyNotInNode } from "../support/msw.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

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

let folder: string;
let server: Running & { url: string };
let site: Site;
beforeAll(async () => {
  folder = await createTemporaryFolder(afterAll);
  await link("notifications-contract", ROOT);
  const tools = [
    "vitest",
    "msw",
    "@playwright/test",
    "express-openapi-validator",
    "express",
    "vite",
    "jsdom",
    "happy-dom",
  ];
  const ofReact = ["@tanstack/react-query", "react", "react-dom", "@types/react", "@testing-library/react"];
  for (const name of [...tools, ...ofReact]) await link(name, bin(name));
  server = await serve(["--port", "0", "--ephemeral"]);
  site = await startExampleSite();
});
afterAll(() => server && stop(server));

const bin = (...path: string[]) => join(ROOT, "node_modules", ...path);
/** Takes a fifth of the time of TypeScript 5, with which examples.full.test.ts compiles. */
const TSC = bin("typescript-7", "bin", "tsc");

async function link(name: string, target: string): Promise<void> {
  const path = join(folder, "node_modules", name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}

/** The program with the addresses of this test's servers. */
function readProgram(name: keyof typeof PROGRAMS): string {
  const [program] = blocksOf("program").filter(({ text }) => text.includes(PROGRAMS[name]));
  if (!program) throw new Error(`The documents have no program with ${PROGRAMS[name]}`);
  return program.text.replaceAll("http://127.0.0.1:4010", server.url).replaceAll("http://127.0.0.1:5173", site.url);
}

async function runProgram(name: keyof typeof PROGRAMS, file: string) {
  await writeFile(join(folder, file), readProgram(name));
  return runToEnd(process.execPath, [join(folder, file)], { cwd: folder });
}

describe("the programs of the documents", () => {
  test("each has a test here", () => {
    const names = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];
    for (const { document, text } of blocksOf("program")) {
      const matches = names.filter((name) => text.includes(PROGRAMS[name]));
      expect(matches, `${document}:\n${text}`).toHaveLength(1);
    }
    expect(blocksOf("program")).toHaveLength(names.length);
  });

  test.each([
    ["server", /^200 1\n$/],
    ["client", /^false\n$/],
    ["errors", /^This one stays on\.\n$/],
    ["request", /^true\n$/],
    ["iterator", /^(\d{4}-\d\d-\S+Z .+\n){26}$/],
    ["msw", /^200 3\n$/],
  ] as const)("%s", async (name, output) => {
    expect(await runProgram(name, `${name}.mjs`)).toEqual({ code: 0, output: expect.stringMatching(output) });
  });

  test("msw, with MSW 3", async ({ skip }) => {
    const reason = whyNotInNode();
    if (reason) return skip(reason);
    const { folder: parent = "", reason: failure } = await installMsw3(onTestFinished);
    if (failure) return skip(failure);
    await symlink(ROOT, join(parent, "node_modules/notifications-contract"));
    await writeFile(join(parent, "msw.mjs"), readProgram("msw"));
    const ended = await runToEnd(process.execPath, ["msw.mjs"], { cwd: parent });
    expect(ended).toEqual({ code: 0, output: "200 3\n" });
  });

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

  test("programs whose tools are not installed here compile, and the types are strict", async () => {
    const files = {
      "react-query.tsx": readProgram("reactQuery"),
      "preview.ts": readProgram("storybook"),
      "start.ts": readProgram("preview"),
      "errors.ts": readProgram("errors"),
      "check.ts": readProgram("check"),
      "strict.ts": STRICT,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const vite = { module: "esnext", moduleResolution: "bundler", target: "es2022", jsx: "react-jsx" };
    const compilerOptions = { ...vite, noEmit: true, strict: true, skipLibCheck: true, types: ["vite/client"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    const { code, output } = await runToEnd(process.execPath, [TSC], { cwd: folder });
    expect([code, output]).toEqual([0, ""]);
  });

  test("README's example compiles without `strict`", async () => {
    await writeFile(join(folder, "loose.mts"), readProgram("client"));
    const options = ["--noEmit", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"];
    const tsc = [TSC, "--ignoreConfig", "--strict", "false", ...options, "loose.mts"];
    const { code, output } = await runToEnd(process.execPath, tsc, { cwd: folder });
    expect([code, output]).toEqual([0, ""]);
  });

  /** Starts Vite with the configuration of a document, and returns its address. */
  async function startVite(name: keyof typeof PROGRAMS): Promise<string> {
    const root = join(folder, name);
    const configFile = join(root, "vite.config.mjs");
    await mkdir(root);
    await writeFile(configFile, readProgram(name));
    const vite = await createViteServer({
      root,
      configFile,
      logLevel: "error",
      server: { port: 0, host: "127.0.0.1" },
    });
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
    const root = join(folder, "next");
    await mkdir(join(root, "app/api/[...path]"), { recursive: true });
    const programs = {
      "session.js": "session",
      "forward.js": "forward",
      "app/api/[...path]/route.js": "route",
    } as const;
    for (const [file, name] of Object.entries(programs)) await writeFile(join(root, file), readProgram(name));
    await writeFile(join(root, "package.json"), '{ "type": "module" }');
    const { GET, PATCH } = await import(join(root, "app/api/[...path]/route.js"));
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

  test("Vitest: requests in each environment, and a component that is rendered", async () => {
    await writeFile(join(folder, "check.test.ts"), readProgram("check"));
    for (const environment of ["node", "jsdom", "happy-dom"]) {
      const text = inEnvironment(environment, readProgram("stubbed"));
      await writeFile(join(folder, `stubbed-${environment}.test.ts`), text);
    }
    await writeComponent(join(folder, "component"));
    await writeFile(join(folder, "vitest.config.mjs"), "export default {};\n");
    expect(await runVitest(folder)).toMatchObject({ code: 0, output: expect.stringMatching(/Tests .*6 passed/) });
  });

  /** Vitest would apply such a comment to this file, too, if it had the name of an environment. */
  const inEnvironment = (name: string, text: string) => `// @vitest-environment ${name}\n${text}`;

  const runVitest = (root: string) =>
    runToEnd(process.execPath, [bin("vitest", "vitest.mjs"), "run", "--root", root], { cwd: root });

  async function writeComponent(root: string): Promise<void> {
    await mkdir(root);
    for (const name of ["preference-centre.tsx", "error-message.tsx"])
      await copyFile(join(ROOT, "docs/examples/vite/src", name), join(root, name));
    await writeFile(join(root, "tsconfig.json"), '{ "compilerOptions": { "jsx": "react-jsx" } }');
    await writeFile(join(root, "app.test.tsx"), inEnvironment("jsdom", readProgram("component")));
    await writeFile(
      join(root, "app.tsx"),
      `import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
      import { createClient } from "notifications-contract/client";
      import { PreferenceCentre } from "./preference-centre";
      const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" });
      export const App = () => (
        <QueryClientProvider client={new QueryClient()}>
          <PreferenceCentre client={client} subscriberId="ines-moreau" />
        </QueryClientProvider>
      );`,
    );
  }

  test.skipIf(!chromiumPath)("Playwright: the fixture, and one response for one test", async () => {
    const page = `/?${new URLSearchParams({ baseUrl: server.url, apiKey: "demo-key", subscriberId: "ines-moreau" })}`;
    const specs = join(folder, "e2e");
    await mkdir(specs);
    await writeFile(join(specs, "feed.spec.ts"), readProgram("playwright"));
    await writeFile(
      join(specs, "prefer.spec.ts"),
      `import { expect, test } from "@playwright/test";
      test("prefer", async ({ page }) => {
        ${readProgram("prefer")}
        await page.goto(${JSON.stringify(page)});
        await expect(page.getByText("We are back in a moment.")).toBeVisible();
      });`,
    );
    const launchOptions = { executablePath: chromiumPath, args: ["--no-sandbox"] };
    await writeFile(
      join(folder, "playwright.config.ts"),
      readProgram("playwrightConfig").replace("use: {", `use: { launchOptions: ${JSON.stringify(launchOptions)},`),
    );
    await linkCommand(folder);
    await symlink(bin("@playwright", "test", "cli.js"), join(folder, "node_modules/.bin/playwright"));
    const [line] = blocksOf("command").filter(({ text }) => text.includes("playwright test"));
    const script = `${line?.text} feed.spec.ts prefer.spec.ts --reporter=line`;
    const { code, output } = await runToEnd("bash", ["-c", script], { cwd: folder, env: { NC_PORT: "0" } });
    expect(output).toMatch(/2 passed/);
    expect(code).toBe(0);
  });
});
