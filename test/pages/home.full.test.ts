// The home page in a real browser; what it says to whom is in test/server/http/public-pages.test.ts.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/browser/client/control.js";
import { startServer } from "../../src/proposals/start-server.js";
import { runToEnd } from "../support/command.js";
import { expectUsable, findAxeViolations, hasChromium, openPage, VIEWS } from "./chromium.js";
import { expectText } from "./console-page.js";

const server = await startServer({ checkResponses: true });
afterAll(() => server.close());

describe.skipIf(!hasChromium)("/", () => {
  test("links to pages that exist, and its curl lines run as they are", async () => {
    const { page, urls } = await openPage();
    await page.goto(server.url);
    for (const link of await page.locator("main a").all()) {
      const url = new URL((await link.getAttribute("href")) ?? "", server.url);
      expect([url.pathname, (await fetch(url, { headers: { accept: "text/html" } })).status]).toEqual([
        url.pathname,
        200,
      ]);
    }
    const choices = page.getByRole("group", { name: "Request to try" }).getByRole("radio");
    const samples = page.locator(".samples");
    const curl = samples.getByRole("group", { name: "Request as curl" });
    expect(await choices.count()).toBe(4);
    for (const choice of await choices.all()) {
      await choice.check({ force: true }); // its label shows it
      await expectText(samples.getByRole("group", { name: "Response" }), "Send the request to see the response.");
      const line = (await curl.textContent()) ?? "";
      expect(line, "one kind of quotes").not.toMatch(/"demo/);
      const printStatus = line.replace("curl ", "curl -sS -o /dev/null -w '%{http_code}' ");
      const status = line.includes("limit=51&chanels=sms") ? "422" : "200";
      expect((await runToEnd("bash", ["-c", printStatus])).output, line).toBe(status);
      await samples.getByRole("button", { name: "Send" }).click();
      await expectText(samples.getByRole("status"), new RegExp(`^${status} [A-Z].* in \\d+ ms`));
      expect(await choice.isChecked(), "the request stays").toBe(true);
    }
    await page.emulateMedia({ forcedColors: "active" });
    const outline = "getComputedStyle(document.querySelector('.cards label:has(:checked)')).outlineStyle";
    expect(await page.evaluate(outline), "seen without its colours").toBe("solid");
    expect(urls.filter((url) => !url.startsWith(server.url))).toEqual([]);
  });

  test("shows the running server, its last requests and what to try", async () => {
    const { page } = await openPage();
    const control = createControl({ baseUrl: server.url });
    await control.addFault("default", { status: 503, count: 1 });
    const { name } = await control.createEnvironment({ name: "faulty" });
    await control.addFault(name, { status: 503 });
    await fetch(`${server.url}/v1/notifications?limit=51`, { headers: { authorization: `ApiKey ${server.apiKey}` } });
    await page.goto(`${server.url}/pricing`); // a navigation, which is no request to the API
    await page.addInitScript(`globalThis.shift = 0; new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value;
    }).observe({ type: "layout-shift", buffered: true });`);
    await page.goto(server.url);
    const dashboard = page.getByRole("region", { name: "This server" });
    await expectText(
      dashboard.locator("dl"),
      /Running.*minute.*Data.*demo seed in memory.*running.*Environments2 default, faulty.*Faults2 active in default, faulty/,
    );
    await control.deleteEnvironment(name);
    const last = page.getByRole("region", { name: "Last requests" });
    await expectText(last.getByRole("row").first(), /422GET \/v1\/notifications\?limit=51.*limit must be at most 50/);
    const [request, reason] = [last.getByText("GET /v1").first(), last.getByText("limit must be").first()];
    const [above, below] = [await request.boundingBox(), await reason.boundingBox()];
    expect(below?.y, "a line of its own").toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
    expect(below?.height, "in one line").toBeLessThan(30);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await page.evaluate("shift"), "nothing moves when the data come").toBeLessThan(0.01);
    const [tried, listed] = await Promise.all([page.locator("#try").boundingBox(), last.boundingBox()]);
    expect(listed?.x, "beside what to try").toBeGreaterThan((tried?.x ?? 0) + (tried?.width ?? 0) / 2);
    expect(listed?.y, "in the first screen").toBeLessThan(500);
    await page.getByRole("group", { name: "Request as code" }).getByLabel("TypeScript", { exact: true }).check();
    await expectText(page.locator("[data-tab=TypeScript] pre"), "client.listNotifications({ limit: 2 })");
    await page.reload();
    expect(await page.getByLabel("TypeScript", { exact: true }).isChecked(), "it is remembered").toBe(true);
    await control.clearFaults("default");
    await last.getByRole("link", { name: "limit=51" }).first().click();
    await expectText(
      page.getByRole("region", { name: "Request", exact: true }),
      /422 GET \/v1\/notifications\?limit=51/,
    );
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => new URL(page.url()).search, { message: "it opens once" }).toBe("?environment=default");
  });

  test("has the words of the console for a clock that differs from this machine's", async () => {
    const own = await startServer();
    onTestFinished(() => own.close());
    const { page } = await openPage();
    const control = createControl({ baseUrl: own.url });
    const { name } = await control.createEnvironment(); // the default one is as usual
    await control.advanceClock(name, 7 * 24 * 3_600_000);
    await page.goto(own.url);
    await expectText(page.locator("#dashboard .warn"), new RegExp(`^running, 7 days ahead .* UTC in ${name}$`));
    const clock = page.getByRole("region", { name: "This server" }).getByRole("link", { name: /^running/ });
    await expectText(clock, /^running, 7 days ahead$/);
    await clock.click();
    await expectText(page.locator("#clock [data-mode]"), /^running, 7 days ahead$/);
  });

  test("says that the server does not respond any more", async () => {
    const own = await startServer();
    const { page } = await openPage();
    await page.clock.install();
    await page.goto(own.url);
    const last = page.getByRole("region", { name: "Last requests" });
    await last.getByText("No requests yet. Send one, or copy the curl.").waitFor();
    expect(await last.getByRole("alert").isVisible()).toBe(false);
    const response = page.getByRole("group", { name: "Response" });
    const isCopied = () => page.getByRole("button", { name: "Copy: response" }).isVisible();
    expect(await isCopied(), "there is nothing to copy").toBe(false);
    expect((await response.boundingBox())?.height, "nor to show").toBeLessThan(60);
    await createControl({ baseUrl: own.url }).addFault("default", { delayMs: 1 });
    await page.clock.pauseAt(Date.now() + 60_000); // nothing is refreshed by time
    await page.getByRole("button", { name: "Send" }).click();
    await expectText(page.getByRole("status"), /^200 OK in \d+ ms, delayed .* ms by a fault · See it in Requests$/);
    await expectText(last.getByRole("row").first(), /200GET .*delayed .* ms by a fault/);
    expect(await isCopied()).toBe(true);
    await own.close();
    await page.getByRole("button", { name: "Send" }).click();
    await expectText(response, new RegExp(`does not respond.*serve --port ${own.port} --ephemeral$`, "s"));
    await expectText(
      last.getByRole("alert"),
      new RegExp(`^The server does not respond. Start it again: .*--port ${own.port} --ephemeral`),
    );
    const facts = page.getByRole("region", { name: "This server" });
    await expectText(facts.locator(".bad"), /^no response since/);
    const colours = await page.evaluate<string[]>(
      `[...document.querySelectorAll("#dashboard dt:first-of-type, #dashboard dd:not(.bad)")].map((fact) => getComputedStyle(fact).color)`,
    );
    expect(new Set(colours).size, "what is not known any more is as soft as its title").toBe(1);
  });

  test("knows how the server was started, before anything is sent", async () => {
    const own = await startServer();
    const { page } = await openPage();
    await page.goto(own.url);
    await page.getByText("No requests yet. Send one, or copy the curl.").waitFor();
    await own.close();
    await page.getByRole("button", { name: "Send" }).click();
    await expectText(page.getByRole("group", { name: "Response" }), /serve --port \d+ --ephemeral$/);
    const none = page.getByText("No requests yet");
    await none.waitFor({ state: "detached" }); // of a server that does not respond, nobody knows
    expect(await findAxeViolations(page)).toEqual([]);
  });

  test("says what it is; address and key are copied", async () => {
    const { page } = await openPage();
    await page.goto(server.url);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await expectText(
      page.locator(".lead"),
      /^Unofficial mock and reference server.*two operations: updatePreferences and listNotifications\./,
    );
    for (const [name, value] of [
      ["Base URL", server.url],
      ["API key", server.apiKey],
    ]) {
      await page.getByRole("button", { name: `Copy: ${name}` }).click();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(value);
    }
  });

  test("goes without the dashboard where the control plane needs a key", async () => {
    const guarded = await startServer({ controlKey: "the-control-key" });
    onTestFinished(() => guarded.close());
    const { page } = await openPage();
    const rejected = page.waitForResponse((response) => response.url().endsWith("/_control/ready"));
    await page.goto(guarded.url);
    expect((await rejected).status()).toBe(401);
    await page.locator("#dashboard").waitFor({ state: "hidden" });
  });

  test.each([
    ["/dosc", "Did you mean /docs?", "/docs"],
    ["/docs/listNotification", "Did you mean /docs#listNotifications?", "/docs#listNotifications"],
    ["/console/requests", "Did you mean /console#requests?", "/console#requests"],
    ["/fault", "Did you mean /console#faults?", "/console#faults"],
    ["/v1/notification", "Did you mean GET /v1/notifications?", "/docs#operation-listNotifications"],
    [
      "/v2/subscriber/x",
      "Did you mean PATCH /v2/subscribers/{subscriberId}/preferences?",
      "/docs#operation-updatePreferences",
    ],
    ["/nothing/like/it", "", ""],
    ["/v9/nothing/like/limit", "", ""],
    ["/nothing/quing", "", ""],
  ])("%s is a page that leads on, and keeps its status", async (path, suggestion, href) => {
    const { page } = await openPage({ colorScheme: "light", width: 390 });
    const response = await page.goto(`${server.url}${path}`);
    expect(response?.status()).toBe(401);
    await expectText(page.getByRole("heading", { level: 1 }), `There is no page ${path}`);
    expect(await page.locator(".suggestion").allTextContents()).toEqual(suggestion === "" ? [] : [suggestion]);
    if (href !== "") expect(await page.locator(".suggestion a").getAttribute("href")).toBe(href);
    expect(await page.locator(".doors a").allTextContents()).toEqual(["Home", "Docs", "Console", "Control plane"]);
    expect(await page.locator("main > *").first().textContent(), "the sentence is first").toContain(path);
    const curl = (await page.locator("pre").textContent()) ?? "";
    const meant = /(GET|PATCH) (\/v\d\/\w+)/.exec(suggestion)?.[2];
    if (meant !== undefined)
      expect(await page.locator(".suggestion ~ .panel:has(~ .doors)").innerText()).toContain(meant);
    const { output } = await runToEnd("bash", ["-c", curl.replace("curl ", "curl -sS ")]);
    expect(output, curl).toMatch(/^HTTP\/1\.1 200 /);
    expect(await page.locator(".panel:has(~ .doors)").count(), "a call before the links").toBe(
      path.startsWith("/v") ? 1 : 0,
    );
    await expectUsable(page);
  });

  test("an error that is opened in its place links to where the docs explain it", async () => {
    const { page } = await openPage();
    await page.goto(`${server.url}/v1/notifications`);
    const { ctx } = JSON.parse(await page.locator("pre").innerText());
    expect(ctx).toEqual({ code: "unauthorized", clause: "§5.2", docs: `${server.url}/docs#clause-5.2` });
    await page.goto(ctx.docs);
    await page.locator("#clause-5\\.2").waitFor({ state: "visible" });
  });

  test.each(VIEWS)("is accessible and fits, $colorScheme at $width", async (view) => {
    const { page } = await openPage(view);
    await page.goto(server.url);
    await expectUsable(page);
  });
});
