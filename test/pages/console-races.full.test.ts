// Responses that arrive too late: after a later request, or for an environment that is no longer shown. Each is held back until
// the page shows something else, and must change nothing there.
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../src/browser/client/client.js";
import { type Control, createControl } from "../../src/browser/client/control.js";
import { type RunningServer, startServer } from "../../src/server/server.js";
import { closePages, hasChromium, launchChromium, openPage } from "./chromium.js";
import { type ConsolePage, expectCount, expectText, openConsole } from "./console-page.js";

const ONLY = "only-here";

describe.skipIf(!hasChromium)("a response that comes too late", () => {
  let browser: Browser;
  let server: RunningServer;
  let control: Control;
  beforeAll(async () => {
    server = await startServer({ checkResponses: true });
    control = createControl({ baseUrl: server.url });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await closePages(browser);
    await server?.close();
  });

  /** The console at an environment with the demo seed, and another environment with one subscriber and nothing else. */
  async function openTwo(
    query = "",
  ): Promise<ConsolePage & { name: string; apiKey: string; switchTo(): Promise<void> }> {
    const { name, apiKey } = await control.createEnvironment({ seed: "demo", now: "2026-11-02T09:00:00Z" });
    const other = await control.createEnvironment({ seed: "empty", now: "2020-01-01T00:00:00Z" });
    await control.addSubscriber(other.name, { subscriberId: ONLY });
    await control.addWorkflow(other.name, { identifier: "its-own", channels: ["push"], tags: [], critical: false });
    const shown = await openConsole(browser, server, { query: `?environment=${name}${query}` });
    await expectCount(shown.feed, 10);
    const picker = shown.page.locator("#environment-name");
    const switchTo = async () => void (await picker.selectOption(other.name));
    return { ...shown, name, apiKey, switchTo };
  }

  test("the first subscriber of the environment before", async () => {
    const { page, open, name, switchTo } = await openTwo();
    const late = await hold(page, (url) => url.pathname.endsWith(`/${name}/subscribers`));
    const preferences = await open("Preferences");
    await late.arrival;
    await switchTo();
    await preferences.getByRole("switch", { name: "Its Own: Push" }).waitFor();
    await late.release();
    expect(await preferences.getByLabel("Subscriber").inputValue()).toBe(ONLY);
    expect(new URL(page.url()).searchParams.get("subscriber")).toBe(ONLY);
  });

  test("an update of the environment before", async () => {
    const { page, open, switchTo } = await openTwo("&subscriber=ines-moreau");
    const preferences = await open("Preferences");
    await preferences.getByRole("switch").first().waitFor();
    const late = await hold(page, (url) => url.pathname.includes("ines-moreau"));
    await preferences.getByRole("switch", { name: "All workflows: Chat" }).click();
    await late.arrival;
    await switchTo();
    await expectText(preferences.locator("[data-request]"), `/${ONLY}/preferences`);
    await late.release(503);
    await expectText(preferences.locator("[data-request]"), `/${ONLY}/preferences`);
    await expectText(preferences.getByRole("status"), /^$/);
  });

  test("notifications of the environment before", async () => {
    const { page, open, feed, apiKey, switchTo } = await openTwo();
    const notifications = await open("Feed");
    const late = await hold(page, (url) => url.pathname === "/v1/notifications" && url.searchParams.has("limit"));
    await notifications.getByText("Filter", { exact: true }).click();
    await notifications.getByLabel("Page size").fill("3");
    await notifications.getByRole("button", { name: "Show" }).click();
    await late.arrival;
    await page.evaluate("history.replaceState(null, '', location.pathname + location.hash)"); // without the filter
    await switchTo();
    await expectText(notifications.locator("[data-empty]"), "There are no notifications yet.");
    await late.release();
    await expectCount(feed, 0);
    expect(await notifications.locator("[data-request]").textContent()).not.toContain(apiKey);
  });

  test("the workflows of the filter, though notifications have come meanwhile", async () => {
    const { page, open, name, feed } = await openTwo();
    await open("Requests");
    const late = await hold(page, (url) => url.pathname.endsWith(`/${name}/workflows`));
    await control.addFault(name, { operation: "updatePreferences", status: 503 }); // the feed loads everything again
    await page.locator("[data-badge=faults]").waitFor(); // once the page knows of the change
    const notifications = await open("Feed");
    await late.arrival;
    await control.addNotifications(name, { subscriberId: "eleni-papadaki", count: 1 });
    await expectText(feed.first(), "Ελένη");
    await page.evaluate("document.querySelector('[data-templates]').replaceChildren()");
    await late.release();
    expect(await notifications.locator("[data-templates] input").count()).toBeGreaterThan(10);
  });

  test("older requests, after the filter has changed", async () => {
    const { page, open, log, apiKey } = await openTwo();
    const client = createClient({ baseUrl: server.url, apiKey });
    for (let count = 0; count < 110; count += 1) await client.listNotifications({ limit: 1 + (count % 2) });
    const requests = await open("Requests");
    await expectCount(log, 100);
    const late = await hold(page, (url) => url.searchParams.has("before"));
    await requests.getByRole("button", { name: "Older requests" }).click();
    await late.arrival;
    await requests.getByLabel("Search").fill("limit=2");
    await expectCount(log, 55);
    await late.release();
    await expectCount(log, 55);
  });

  test("a request's details, which close with their environment", async () => {
    const { page, open, log, apiKey, switchTo } = await openTwo();
    await createClient({ baseUrl: server.url, apiKey }).listNotifications({ limit: 7 });
    const requests = await open("Requests");
    const late = await hold(page, (url) => url.searchParams.has("before"));
    await log.first().click();
    await late.arrival;
    await switchTo();
    await expectCount(log, 0);
    await late.release();
    expect(await requests.getByRole("region", { name: "Request" }).isVisible()).toBe(false);
  });

  test("suggestions of the environment before", async () => {
    const { page, open, switchTo } = await openTwo("&subscriber=ines-moreau");
    const preferences = await open("Preferences");
    await preferences.getByRole("switch").first().waitFor();
    const late = await hold(page, (url) => url.searchParams.get("search") === "okaf");
    await preferences.getByLabel("Subscriber").fill("okaf");
    await late.arrival;
    await switchTo();
    await expect.poll(() => preferences.getByLabel("Subscriber").inputValue()).toBe(ONLY);
    await late.release();
    await expectCount(page.locator("#subscribers option"), 0);
  });

  test("the failure to change the clock of the environment before", async () => {
    const { page, open, switchTo } = await openTwo();
    const clock = (await open("Environment")).locator("#clock");
    const late = await hold(page, (url) => url.pathname.endsWith("/clock/advance"));
    await clock.getByRole("button", { name: "+ 1 day" }).click();
    await late.arrival;
    await switchTo();
    await expectText(clock.getByRole("time"), "2020-01-01");
    await late.release(503);
    expect(await clock.getByText("Too late").count()).toBe(0);
  });

  test("the response to an earlier request of a form in the docs", async () => {
    const { page } = await openPage(browser, { colorScheme: "light", width: 1280 });
    await page.goto(`${server.url}/docs`);
    await page.getByLabel("API key").fill(server.apiKey);
    const form = page.getByRole("form", { name: "Try listNotifications" });
    const late = await hold(page, (url) => url.searchParams.get("limit") === "1");
    await form.getByLabel("limit query").fill("1");
    await form.getByRole("button", { name: "Send" }).click();
    await late.arrival;
    await form.getByLabel("limit query").fill("51");
    await form.getByRole("button", { name: "Send" }).click();
    await expectText(form.getByRole("status"), /^422 /);
    await late.release();
    await expectText(form.getByRole("status"), /^422 /);
  });
});

interface LateResponse {
  /** Settles when the page has sent the request. */
  arrival: Promise<void>;
  /** Responds, with the server's response unless a status is given, and waits until the page has dealt with it. */
  release(status?: number): Promise<void>;
}

/** Holds back the response to the first request whose address matches. */
async function hold(page: Page, matches: (url: URL) => boolean): Promise<LateResponse> {
  let respond = (_status?: number): void => {};
  let finish = (): void => {};
  const status = new Promise<number | undefined>((resolve) => {
    respond = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const arrival = new Promise<void>((arrive) => {
    const late = async (route: Route) => {
      arrive();
      const code = await status;
      if (code === undefined) await route.continue();
      else await route.fulfill({ status: code, json: { message: "Too late" } });
      await (await route.request().response())?.finished();
      finish();
    };
    void page.route(matches, late, { times: 1 });
  });
  return {
    arrival,
    async release(code) {
      respond(code);
      await finished;
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    },
  };
}
