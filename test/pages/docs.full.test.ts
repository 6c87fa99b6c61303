// The docs page in a real browser: it works, and sends requests to its own origin only.
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { type RunningServer, startServer } from "../../src/server/server.js";
import { closePages, expectUsable, hasChromium, launchChromium, openPage, VIEWS } from "./chromium.js";
import { expectText } from "./console-page.js";

const CONSOLE_LINK = '<li><a href="/console">Console</a></li>';
const WIDE = { colorScheme: "light", width: 1280 } as const;

const formOf = (page: Page, operation: string) => page.getByRole("form", { name: `Try ${operation}` });

describe.skipIf(!hasChromium)("/docs", () => {
  let browser: Browser;
  let server: RunningServer;
  beforeAll(async () => {
    const { asOf } = JSON.parse(await readFile("data/seeds/demo.json", "utf8"));
    server = await startServer({ apiKey: "docs-key", now: new Date(asOf), checkResponses: true });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await closePages(browser);
    await server?.close();
  });

  test("a list is requested and shown, from the page's own origin alone", async () => {
    const { page, urls } = await openPage(browser, WIDE);
    const errors: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
    await page.goto(`${server.url}/docs`);
    await page.getByLabel("API key").fill("docs-key");
    const form = formOf(page, "listNotifications");
    await form.getByLabel("subscriberIds query").fill("ines-moreau\namara-okafor");
    await form.getByLabel("limit query").fill("2");
    await form.getByRole("button", { name: "Send" }).click();
    await expectText(form.getByRole("status"), /^200 OK in \d+ ms$/);
    const response = await form.getByRole("group", { name: "Body" }).textContent();
    expect(JSON.parse(response ?? "")).toMatchObject({
      page: 0,
      pageSize: 2,
      hasMore: true,
    });
    const code = page.getByLabel("Examples of listNotifications").getByRole("tabpanel");
    expect(await code.textContent()).toContain(
      `'${server.url}/v1/notifications?subscriberIds=ines-moreau&subscriberIds=amara-okafor&limit=2'`,
    );
    await page.getByRole("tablist", { name: "Request of listNotifications as" }).getByText("client").click();
    expect(await code.textContent()).toContain(
      'listNotifications({ subscriberIds: ["ines-moreau", "amara-okafor"], limit: 2 })',
    );
    await form.getByLabel("email", { exact: true }).check();
    expect(await code.textContent()).toContain('channels: ["email"]');
    expect(urls.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("an update is sent from an example, and its errors are shown", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs`);
    await page.getByLabel("API key").fill("docs-key");
    const form = formOf(page, "updatePreferences");
    await form.getByLabel("Start from an example").selectOption({ label: "Turn push off for one workflow" });
    await form.getByRole("button", { name: "Send" }).click();
    await expectText(form.getByRole("status"), /^200 /);
    await form.getByRole("textbox", { name: "Body" }).fill('{"channels":{"emial":false}}');
    await form.getByRole("button", { name: "Send" }).click();
    await expectText(form.getByRole("status"), /^422 /);
    expect(await form.getByRole("group", { name: "Body" }).textContent()).toContain("body.channels.emial");
  });

  test("the mock serves the page too, and responds to its forms", async () => {
    const mock = await startMock();
    try {
      const { page, urls } = await openPage(browser, WIDE);
      await page.goto(`${mock.url}/docs`);
      await page.getByLabel("API key").fill(mock.apiKey);
      const form = formOf(page, "listNotifications");
      await form.getByRole("button", { name: "Send" }).click();
      await expectText(form.getByRole("status"), /^200 /);
      expect(urls.filter((url) => !url.startsWith(mock.url) && !url.startsWith("data:"))).toEqual([]);
      const [own, reference] = await Promise.all([mock, server].map(({ url }) => fetch(`${url}/docs`)));
      expect(own?.headers.get("content-security-policy")).toBe(reference?.headers.get("content-security-policy"));
      const withConsole = (await reference?.text()) ?? "";
      expect(withConsole).toContain(CONSOLE_LINK);
      expect(await own?.text()).toBe(withConsole.replace(CONSOLE_LINK, "")); // the mock has none
    } finally {
      await mock.close();
    }
  });

  test("a search finds parameters, members and decisions, and a link or Enter opens what it leads to", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs#decision-D-29`);
    await page.getByText("they are integers in decimal digits").waitFor({ state: "visible" });
    await page.keyboard.press("/");
    await page.keyboard.type("execution DETAILS");
    const navigation = page.getByRole("navigation", { name: "Contents" });
    await navigation.getByRole("link", { name: "executionDetails NotificationJob" }).click();
    expect(new URL(page.url()).hash).toBe("#schema-NotificationJob-executionDetails");
    await page.locator("#schema-NotificationJob-executionDetails").waitFor({ state: "visible" });
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.fill("limit");
    await search.press("Enter");
    await page.waitForURL(/#listNotifications-query-limit$/); // the name itself, before descriptions
    await search.press("Escape");
    expect(await navigation.getByRole("link", { name: "executionDetails" }).count()).toBe(0);
    expect(await page.evaluate("document.activeElement.id")).not.toBe("search");
  });

  test.each([
    ["pagination", /^limit /],
    ["read preferences", /^Update /],
    ["unsubscribe", /^Update /],
    ["rate limit", /^429 .*List notifications$/],
    ["RateLimit-Reset", /^RateLimit-Reset Headers/],
    ["4.2", /^§4\.2 /],
  ])("the search for %s finds %s, by arrow keys and Enter", async (words, name) => {
    const { page } = await openPage(browser, { colorScheme: "light", width: 390 });
    await page.goto(`${server.url}/docs`);
    await page.keyboard.press("/");
    await page.keyboard.type(words);
    const link = page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name }).first();
    await link.waitFor();
    for (let presses = 0; presses < 40 && (await link.and(page.locator(":focus")).count()) === 0; presses += 1) {
      await page.keyboard.press("ArrowDown");
    }
    const target = await link.getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(({ hash }) => hash === target); // the address follows by an event
    const [hidden, shown] = (await page.evaluate(`[document.querySelector(".side").getBoundingClientRect().bottom,
      document.getElementById(${JSON.stringify(target?.slice(1))}).getBoundingClientRect().top]`)) as [number, number];
    expect(shown, "not under the sticky search").toBeGreaterThanOrEqual(hidden - 1);
  });

  test("beside an operation are its request, in three languages as the form says, and the example that is picked", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs`);
    const samples = page.getByRole("complementary", { name: "Examples of listNotifications" });
    await formOf(page, "listNotifications")
      .getByLabel(/^limit/)
      .fill("7");
    expect(await samples.getByRole("tabpanel").textContent(), "as the form is typed").toContain("limit=7");
    for (const [name, text] of [
      ["curl", "/v1/notifications?limit=7'"],
      ["fetch", '/v1/notifications?limit=7", {'],
      ["client", "client.listNotifications({ limit: 7 })"],
    ] as const) {
      await samples.getByRole("tab", { name }).click();
      expect(await samples.getByRole("tabpanel").textContent()).toContain(text);
    }
    const picker = samples.getByLabel("Example response of listNotifications").and(page.locator("select"));
    const [first] = (await picker.locator("option").allTextContents()).filter((text) => text.startsWith("422 "));
    await picker.selectOption({ label: first ?? "" });
    const shown = samples.locator("[data-samples] pre").filter({ visible: true });
    expect(JSON.parse((await shown.textContent()) ?? "")).toMatchObject({ statusCode: 422 });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await samples.locator("[data-samples]").getByRole("button", { name: "Copy" }).click();
    await samples.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await shown.textContent());
  });

  test("why? shows the decision's question and answer, and each § leads to its clause", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs#listNotifications-query-limit`);
    const limit = page.locator("#listNotifications-query-limit");
    await limit.getByText("why?").click();
    await expectText(limit, /D-29 .*decimal digits/);
    await limit.getByRole("link", { name: "§4.2" }).first().click();
    await page.locator("[id='clause-4.2']", { hasText: "from 1 to 50" }).waitFor();
    const missing: string[] = await page.evaluate(
      `[...document.querySelectorAll('a[href^="#"]')].map((one) => one.hash.slice(1)).filter((id) => !document.getElementById(id))`,
    );
    expect(missing).toEqual([]);
  });

  test("a response opens as a tree, level by level; the page as it is opened is small", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs`);
    expect(await page.locator("*").count()).toBeLessThan(4_200);
    const response = page.locator("details", { has: page.locator("#listNotifications-response-200") });
    await response.locator("#listNotifications-response-200").click();
    for (const name of ["data", "jobs", "executionDetails"])
      await response.getByText(`Members of ${name}`, { exact: true }).click();
    await expectText(response, /ExecutionDetail.*providerId/s);
    const ids: string[] = await page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)");
    expect(ids.length, "ids are unique").toBe(new Set(ids).size);
    await page.locator("#listNotifications-response-200").click();
    await page.locator("#listNotifications-response-200").click();
    expect(await response.getByText("Members of data").count(), "shown once").toBe(1);
  });

  test("has its contents on a narrow screen, too; Escape returns the focus from the search", async () => {
    const { page } = await openPage(browser, { colorScheme: "light", width: 390 });
    await page.goto(`${server.url}/docs`);
    const link = page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Decisions" });
    const button = page.getByRole("button", { name: "Contents" });
    expect([await link.isVisible(), await button.getAttribute("aria-expanded")]).toEqual([false, "false"]);
    await button.click();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await link.click();
    expect([new URL(page.url()).hash, await link.isVisible()]).toEqual(["#decisions", false]);
    await page.getByRole("link", { name: "Console" }).focus();
    await page.keyboard.press("/");
    await page.keyboard.type("limit");
    await page.getByText(/^\d+ matches$/).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(":focus").textContent()).toBe("Console");
  });

  test("opens members for print, and folds them afterwards", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs`);
    const all = await page.locator("main .plain").count();
    expect(all).toBeGreaterThan(10);
    const opened = page.locator("main .plain[open]");
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await opened.count()).toBe(all);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await opened.count()).toBe(0);
  });

  test("prints within a few pages", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs`);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(12); // ten with our fonts
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("form, nav, .samples").filter({ visible: true }).count()).toBe(0);
  });

  test.each(VIEWS)("is accessible and fits, $colorScheme at $width", async (view) => {
    const { page } = await openPage(browser, view);
    await page.goto(`${server.url}/docs`);
    await expectUsable(page);
  });
});
