// The home page and the page for wrong addresses in a real browser.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/browser/client/control.js";
import { startServer } from "../../src/start-server.js";
import { runToEnd } from "../support/command.js";
import { expectUsable, hasChromium, openPage } from "./chromium.js";
import { expectCount, expectText } from "./console-page.js";

const server = await startServer({ checkResponses: true });
afterAll(() => server.close());

describe.skipIf(!hasChromium)("/", () => {
  test("says how to start: address and key are copied, the curl line runs, links lead to pages", async () => {
    const { page, urls } = await openPage();
    await page.goto(server.url);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    for (const [name, value] of [
      ["Base URL", server.url],
      ["API key", server.apiKey],
    ]) {
      await page.getByRole("button", { name: `Copy: ${name}` }).click();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(value);
    }
    const curl = (await page.getByRole("group", { name: "listNotifications as curl" }).textContent()) ?? "";
    expect((await runToEnd("bash", ["-c", curl.replace("curl ", "curl -sS ")])).output).toMatch(/^HTTP\/1\.1 200 /);
    for (const link of await page.locator("main > p a").all()) {
      const url = new URL((await link.getAttribute("href")) ?? "", server.url);
      expect([url.href, (await fetch(url, { headers: { accept: "text/html" } })).status]).toEqual([url.href, 200]);
    }
    expect(urls.filter((url) => !url.startsWith(server.url))).toEqual([]);
  });

  test("shows what runs in a line, and the last five requests", async () => {
    const own = await startServer();
    onTestFinished(() => own.close());
    const { page } = await openPage();
    const control = createControl({ baseUrl: own.url });
    const headers = { authorization: `ApiKey ${own.apiKey}` };
    for (let page = 0; page < 5; page += 1) await fetch(`${own.url}/v1/notifications?page=${page}`, { headers });
    await fetch(`${own.url}/v1/notifications?limit=51`, { headers });
    await page.goto(`${own.url}/pricing`); // a navigation, which is no request to the API
    await page.addInitScript(`globalThis.shift = 0; new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value;
    }).observe({ type: "layout-shift", buffered: true });`);
    await page.goto(own.url);
    const dashboard = page.getByRole("region", { name: "Last requests" });
    await expectText(dashboard.getByRole("status"), /^Running for under a minute · demo seed, in memory$/);
    await expectText(
      dashboard.getByRole("row").first(),
      /422GET \/v1\/notifications\?limit=51.*limit must be at most 50/,
    );
    await expectCount(dashboard.getByRole("row"), 5);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await page.evaluate("shift"), "nothing moves when the data come").toBeLessThan(0.01);
    await control.createEnvironment({ name: "late" });
    await control.advanceClock("late", 7 * 24 * 3_600_000);
    await control.addFault("late", { status: 503 });
    await page.reload();
    const line = / · clock running, 7 days ahead in late · 2 environments · 1 fault$/;
    await expectText(dashboard.getByRole("status"), line);
    await dashboard.getByRole("link", { name: "limit=51" }).click();
    await expectText(page.getByRole("region", { name: "Request", exact: true }), /422.*limit=51/s);
  });

  test("says that the server does not respond, and how to start it; without a control plane, it says nothing", async () => {
    const own = await startServer();
    const { page } = await openPage();
    await page.clock.install();
    await page.goto(own.url);
    const dashboard = page.locator("#dashboard");
    await expectText(dashboard.getByRole("status"), "demo seed");
    await own.close();
    await page.clock.runFor(6_000);
    const start = new RegExp(`^The server does not respond. Start it again: .*--port ${own.port} --ephemeral$`);
    await expectText(dashboard.getByRole("status"), start);
    const guarded = await startServer({ controlKey: "the-control-key" });
    onTestFinished(() => guarded.close());
    await page.goto(guarded.url);
    await dashboard.waitFor({ state: "hidden" });
  });

  test.each(["/dosc", "/v1/notifications"])(
    "%s, where nothing is, is a page that fits and whose curl runs",
    async (path) => {
      const { page } = await openPage({ colorScheme: "light", width: 390 });
      await page.goto(server.url + path);
      await expectText(page.getByRole("heading", { level: 1 }), path);
      await expectCount(page.locator("pre"), path.startsWith("/v1") ? 1 : 0);
      for (const curl of await page.locator("pre").allTextContents())
        expect((await runToEnd("bash", ["-c", curl.replace("curl ", "curl -sS ")])).output).toMatch(/^HTTP\/1\.1 200 /);
      await expectUsable(page);
    },
  );
});
