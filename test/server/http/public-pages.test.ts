// Pages without a key. `/` is a page for browsers and JSON for programs, and shows only the built-in key. /openapi.yaml
// and /openapi.json are the contract's file, with the address from which they are fetched.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createClient } from "../../../src/browser/client/client.js";
import { DEFAULT_API_KEY } from "../../../src/server/config.js";
import { startServer } from "../../../src/start-server.js";
import { loadContractText } from "../../support/contract-text.js";
import { sendTo } from "../../support/socket-request.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const OWN_KEY = "a-custom-key";

const withDemoKey = await startServer();
const withOwnKey = await startServer({ apiKey: OWN_KEY, control: false });
afterAll(() => Promise.all([withDemoKey.close(), withOwnKey.close()]));

describe("/", () => {
  test("a browser gets a page with the key and the pages", async () => {
    const { status, headers, text } = await sendTo(withDemoKey.url, { target: "/", headers: BROWSER });
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.vary).toContain("Accept");
    for (const part of [DEFAULT_API_KEY, 'href="/docs"', 'href="/console"', 'href="/docs/quickstart"'])
      expect(text).toContain(part);
  });

  test("shows neither a custom key, nor a console if there is none", async () => {
    const { text } = await sendTo(withOwnKey.url, { target: "/", headers: BROWSER });
    expect(text).toContain("$NC_API_KEY");
    for (const part of [OWN_KEY, 'href="/console"']) expect(text).not.toContain(part);
    expect((await sendTo(withOwnKey.url, { target: "/docs" })).text).not.toContain('href="/console');
    expect((await sendTo(withOwnKey.url, { target: "/" })).body).not.toHaveProperty("console");
    expect((await sendTo(withOwnKey.url, { target: "/console" })).status).toBe(401); // as every path that needs a key
  });

  test.each([undefined, "*/*", "application/json"])("a program that accepts %s gets JSON", async (accept) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const { body } = await sendTo(withDemoKey.url, { target: "/", headers });
    expect(body).toMatchObject({ docs: "/docs", console: "/console", contract: "/openapi.yaml", health: "/health" });
  });
});

test.each(["/", "/docs", "/Docs/", "/docs/front-end", "/console", "/nothing", "/v1/notifications", "/_control/nope"])(
  "the policy of %s allows its own style and scripts, and nothing else",
  async (target) => {
    const { headers } = await sendTo(withDemoKey.url, { target, headers: BROWSER });
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-[\w+/]+=*'; script-src 'sha256-[\w+/]+=*'$/,
    );
  },
);

test("/_control is the control plane's contract as a page, without a key; a program gets its 404", async () => {
  const guarded = await startServer({ controlKey: "a-control-key" });
  onTestFinished(() => guarded.close());
  const open = (accept: string) => fetch(`${guarded.url}/_control`, { headers: { accept } });
  const page = await open("text/html");
  expect([page.status, page.headers.get("content-security-policy")]).toEqual([200, expect.stringContaining("sha256-")]);
  expect(await page.text()).toMatch(/<h1>Control plane<.h1>.*addFault/s);
  expect((await open("application/json")).status).toBe(401);
});

test.each([
  ["/v1/notifications?limit=0", 401, "<h1><code>/v1/notifications</code></h1>\n<p>Missing authorization header."],
  ["/nothing", 401, "There is no page <code>/nothing</code>"],
  ["/_control/nope", 404, "<h1><code>/_control/nope</code></h1>"],
  ["/_control/", 401, "There is no page <code>/_control/</code>"],
  ["/_Control", 401, "There is no page <code>/_Control</code>"],
])("%s is a page for a person who opens it, and JSON for a program", async (target, status, text) => {
  const page = await sendTo(withDemoKey.url, { target, headers: BROWSER });
  expect([page.status, page.headers["content-type"]]).toEqual([status, "text/html; charset=utf-8"]);
  expect(page.text).toContain(text);
  const keyed = { ...BROWSER, authorization: `ApiKey ${DEFAULT_API_KEY}` };
  for (const headers of [{}, keyed]) {
    const program = await sendTo(withDemoKey.url, { target, headers });
    expect(program.headers["content-type"]).toMatch(/^application\/json/);
    expect(program.body).toHaveProperty("message");
  }
});

test.each([
  ["/dosc", "/docs", "/docs"],
  ["/docs/listNotification", "/docs#listNotifications", "/docs#listNotifications"],
  ["/console/requests", "/console#requests", "/console#requests"],
  ["/v1/notification", "GET /v1/notifications", "/docs#operation-listNotifications"],
  ["/nothing/like/it", undefined, undefined],
  ["/v1/notifications", undefined, undefined],
  ["/_control/nope", undefined, undefined],
])("the page of %s suggests %s", async (target, name, href) => {
  const { text } = await sendTo(withDemoKey.url, { target, headers: BROWSER });
  const suggestions = [...text.matchAll(/class="suggestion">(.*?)<\/p>/gs)].map(([, html]) => html);
  expect(suggestions).toEqual(name ? [expect.stringContaining(`href="${href}"`)] : []);
  if (name) expect(suggestions[0]?.replaceAll(/<[^>]+>/g, "")).toBe(`Did you mean ${name}?`);
});

test("without a control plane, its pages are a 404 that says so", async () => {
  for (const path of ["/_control", "/console"]) {
    const response = await fetch(withOwnKey.url + path, { headers: { accept: "text/html" } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).toContain("runs without a control plane");
  }
  for (const target of ["/consoles", "/console/requests"]) {
    const { text } = await sendTo(withOwnKey.url, { target, headers: BROWSER });
    expect(text, target).not.toContain('class="suggestion"');
  }
});

test("/favicon.ico is an icon, without a key", async () => {
  const { status, headers } = await sendTo(withDemoKey.url, { target: "/favicon.ico" });
  expect([status, headers["content-type"]]).toEqual([200, "image/svg+xml; charset=utf-8"]);
});

describe("a served contract", () => {
  const { url } = withDemoKey;
  const { text, digest } = loadContractText();
  const document = parse(text); // once, since it takes a quarter of a second

  test.each([
    ["a name and a port", "mock.test:8080", "http://mock.test:8080"],
    ["an IPv6 address", "[::1]:4010", "http://[::1]:4010"],
    ["an invalid host", 'a"}/../b', url],
    ["credentials", "user:secret@elsewhere.test", url],
    ["a long name", `${"a".repeat(300)}.test`, url],
  ])("fetched with a Host header of %s", async (_title, host, address) => {
    const yaml = await sendTo(url, { target: "/openapi.yaml", headers: { host } });
    const json = await sendTo(url, { target: "/openapi.json", headers: { host } });
    expect(yaml.text).toBe(text.replace("url: http://127.0.0.1:4010", `url: "${address}"`));
    expect(json.body).toEqual({ ...document, servers: [{ ...document.servers[0], url: address }] });
  });

  test("has the digest of the file in /health, not of the copy", async () => {
    const { body } = await sendTo(url, { target: "/health" });
    expect(body.contract.sha256).toBe(digest);
  });
});

test("/health names a data file that somebody changed while the server runs", async () => {
  const dataFolder = await createTemporaryFolder();
  const server = await startServer({ dataFolder });
  onTestFinished(server.close);
  const path = join(dataFolder, "default.json");
  await appendFile(path, "\n");
  const readHealth = async () => (await sendTo(server.url, { target: "/health" })).body;
  expect(await readHealth()).not.toHaveProperty("data");
  const { updatePreferences } = createClient({ baseUrl: server.url, apiKey: server.apiKey });
  expect((await updatePreferences("ines-moreau", { channels: { sms: false } })).ok).toBe(true);
  const error = expect.stringMatching(`^${path} was changed while the server runs, and is not overwritten`);
  await expect.poll(readHealth).toMatchObject({ status: "ok", data: { errors: [error] } });
});
