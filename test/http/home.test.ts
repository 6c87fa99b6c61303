// `/` and the icon: a page for browsers, JSON for programs, and no key but the built-in one.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_API_KEY } from "../../src/config.js";
import { type RunningServer, startServer } from "../../src/server.js";
import { sendTo } from "../support/socket-request.js";

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const OWN_KEY = "a-key-of-ones-own";

let withDemoKey: RunningServer;
let withOwnKey: RunningServer;
beforeAll(async () => {
  withDemoKey = await startServer();
  withOwnKey = await startServer({ apiKey: OWN_KEY, control: false });
});
afterAll(() => Promise.all([withDemoKey.close(), withOwnKey.close()]));

describe("/", () => {
  test("a browser gets a page with the key, the pages, and subscribers to try", async () => {
    const { status, headers, text } = await sendTo(withDemoKey.url, { target: "/", headers: BROWSER });
    expect([status, headers["content-type"], headers.vary]).toEqual([
      200,
      "text/html; charset=utf-8",
      expect.stringContaining("Accept"),
    ]);
    for (const part of [DEFAULT_API_KEY, 'href="/docs"', 'href="/console"', "ines-moreau"])
      expect(text).toContain(part);
  });

  test("a key of one's own is not shown, nor subscribers, nor a console that is not there", async () => {
    const { text } = await sendTo(withOwnKey.url, { target: "/", headers: BROWSER });
    expect(text).toContain("$NC_API_KEY");
    for (const part of [OWN_KEY, 'href="/console"', "ines-moreau"]) expect(text).not.toContain(part);
  });

  test.each([undefined, "*/*", "application/json"])("a program that accepts %s gets JSON", async (accept) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const { body } = await sendTo(withDemoKey.url, { target: "/", headers });
    expect(body).toMatchObject({ docs: "/docs", console: "/console", contract: "/openapi.yaml", health: "/health" });
  });
});

test.each(["/", "/docs", "/console"])(
  "the policy of %s allows its own style and scripts, and nothing else",
  async (target) => {
    const { headers } = await sendTo(withDemoKey.url, { target, headers: BROWSER });
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-[\w+/]+=*'; script-src( 'sha256-[\w+/]+=*'){2}$/,
    );
  },
);

test("/favicon.ico is an icon, without a key", async () => {
  const { status, headers } = await sendTo(withDemoKey.url, { target: "/favicon.ico" });
  expect([status, headers["content-type"]]).toEqual([200, "image/svg+xml; charset=utf-8"]);
});
