// The docs page in a real browser: it works, and sends requests to its own origin only.
import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { type RunningServer, startServer } from "../../src/server.js";
import { buildIfStale } from "../support/fresh-build.js";
import { expectUsable, hasChromium, launchChromium, openPage, VIEWS } from "./chromium.js";
import { expectText } from "./console-page.js";

const CONSOLE_LINK = '<li><a href="/console">Console</a></li>';
const WIDE = { colorScheme: "light", width: 1280 } as const;

async function openForm(page: Page, operation: string): Promise<Locator> {
  await page.locator(`#${operation}-try`).click();
  return page.getByRole("form", { name: `Try ${operation}` });
}

describe.skipIf(!hasChromium)("/docs", () => {
  let browser: Browser;
  let server: RunningServer;
  beforeAll(async () => {
    const { asOf } = JSON.parse(await readFile("data/seeds/demo.json", "utf8"));
    server = await startServer({ apiKey: "docs-key", now: new Date(asOf), checkResponses: true });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test("a list is requested and shown, from the page's own origin alone", async () => {
    const { page, urls } = await openPage(browser, WIDE);
    const errors: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
    await page.goto(`${server.url}/docs`);
    await page.getByLabel("API key").fill("docs-key");
    const form = await openForm(page, "listNotifications");
    await form.getByLabel("subscriberIds query").fill("ines-moreau\namara-okafor");
    await form.getByLabel("limit query").fill("2");
    await form.getByRole("button", { name: "Send" }).click();
    await expectText(form.getByRole("status"), /^200 OK in \d+ ms$/);
    const response = await form.getByLabel("The response").textContent();
    expect(JSON.parse(response?.split("\n\n").slice(1).join("\n\n") ?? "")).toMatchObject({
      page: 0,
      pageSize: 2,
      hasMore: true,
    });
    const curl = await form.getByLabel("The request as curl").textContent();
    expect(curl).toContain(
      `'${server.url}/v1/notifications?subscriberIds=ines-moreau&subscriberIds=amara-okafor&limit=2'`,
    );
    expect(urls.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("an update is sent from an example, and its errors are shown", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs`);
    await page.getByLabel("API key").fill("docs-key");
    const form = await openForm(page, "updatePreferences");
    await form.getByLabel("Start from an example").selectOption({ label: "Turn push off for one workflow" });
    await form.getByRole("button", { name: "Send" }).click();
    await expectText(form.getByRole("status"), /^200 /);
    await form.getByLabel("Body").fill('{"channels":{"emial":false}}');
    await form.getByRole("button", { name: "Send" }).click();
    await expectText(form.getByRole("status"), /^422 /);
    expect(await form.getByLabel("The response").textContent()).toContain("body.channels.emial");
  });

  test("the mock serves the page too, and responds to its forms", async () => {
    await buildIfStale();
    const mock = await startMock();
    try {
      const { page, urls } = await openPage(browser, WIDE);
      await page.goto(`${mock.url}/docs`);
      await page.getByLabel("API key").fill(mock.apiKey);
      const form = await openForm(page, "listNotifications");
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

  test("a search finds parameters, members and decisions, and a link opens what it leads to", async () => {
    const { page } = await openPage(browser, WIDE);
    await page.goto(`${server.url}/docs#decision-D-29`);
    await page.getByText("they are integers in decimal digits").waitFor({ state: "visible" });
    await page.keyboard.press("/");
    await page.keyboard.type("execution DETAILS");
    const navigation = page.getByRole("navigation", { name: "Contents" });
    await navigation.getByRole("link", { name: "NotificationJob.executionDetails" }).click();
    expect(new URL(page.url()).hash).toBe("#schema-NotificationJob-executionDetails");
    await page.locator("#schema-NotificationJob-executionDetails").waitFor({ state: "visible" });
    await page.getByRole("searchbox", { name: "Search" }).press("Escape");
    expect(await navigation.getByRole("link", { name: "NotificationJob.executionDetails" }).count()).toBe(0);
    expect(await page.evaluate("document.activeElement.id")).not.toBe("search");
  });

  test("the policy of the page allows nothing else", async () => {
    const policy = (await fetch(`${server.url}/docs`)).headers.get("content-security-policy");
    const [own, style, script] = policy?.split(/; (?=style-src|script-src)/) ?? [];
    expect(own).toBe(
      "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(style).toMatch(/^style-src 'sha256-[\w+/]+=*'$/);
    expect(script).toMatch(/^script-src 'sha256-[\w+/]+=*'$/);
  });

  test.each(VIEWS)("is accessible and fits, $colorScheme at $width", async (view) => {
    const { page } = await openPage(browser, view);
    await page.goto(`${server.url}/docs`);
    await expectUsable(page);
  });
});
