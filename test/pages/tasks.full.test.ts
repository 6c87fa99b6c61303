// The everyday tasks of a front-end developer, with the keyboard: each press is counted, typing a text is not. The first
// thing to fix in a report and whether to merge need none: reports.full.test.ts.
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { createControl } from "../../src/browser/client/control.js";
import { startServer } from "../../src/start-server.js";
import { hasChromium, openPage } from "./chromium.js";
import { expectCount, expectText, openConsole } from "./console-page.js";

const server = await startServer();
const control = createControl({ baseUrl: server.url });
afterAll(() => server.close());

/** A keyboard that counts its presses. */
function createKeyboard(page: Page) {
  let count = 0;
  const type = (text: string) => page.keyboard.type(text);
  async function press(...keys: string[]) {
    for (const key of keys) {
      count += 1;
      await page.keyboard.press(key);
    }
  }
  /** Opens what the search has at its top. */
  async function find(text: string, first: RegExp) {
    await press("Control+k");
    await type(text);
    await expectText(page.getByRole("dialog").getByRole("option").first(), first);
    await press("Enter");
  }
  return { type, press, find, count: () => count };
}

describe.skipIf(!hasChromium)("with the keyboard", () => {
  /** The console, as it opens at an environment. */
  async function openEnvironment({ hash = "", query = "" } = {}) {
    const { name, apiKey = "" } = await control.createEnvironment({ seed: "demo" });
    const send = (path: string, init: RequestInit = {}) =>
      fetch(server.url + path, { headers: { authorization: `ApiKey ${apiKey}` }, ...init });
    const open = async () => {
      const shown = await openConsole(server, { query: `?environment=${name}${query}`, hash });
      await expectText(shown.page.locator("#environment-name"), name); // before that, a search finds no action
      return { ...shown, ...createKeyboard(shown.page) };
    };
    return { name, send, open };
  }

  test("1. why was my request rejected: 0 presses", async () => {
    const { send, open } = await openEnvironment();
    await send("/v1/notifications?limit=51&chanels=email");
    const { page, log } = await open();
    await expectText(log, /^422GET \/v1\/notifications\?limit=51&chanels=email.*chanels → channels\? · limit .* 50/);
    expect(await page.title()).toMatch(/^Requests/);
  });

  test("2. the list fails once with 503, and then is taken back: 4 presses", async () => {
    const { send, open } = await openEnvironment({ hash: "#feed" });
    const { page, find, count } = await open();
    await find("503 once", /^.*the list fails once with 503/);
    const faults = page.getByRole("list", { name: "Faults" }).getByRole("listitem");
    await expectText(faults, /^the next list gets 503not used yetRemove$/);
    await find("remove all faults", /^Remove all faults/);
    await expectCount(faults, 0);
    expect((await send("/v1/notifications")).status).toBe(200);
    expect(count()).toBeLessThanOrEqual(4);
  });

  test("3. the clock is frozen and a day on, and the feed shows it: 3 presses", async () => {
    const { name, open } = await openEnvironment({ hash: "#environment" });
    const { page, find, press, count } = await open();
    await find("day on", /Freeze the clock and go a day on/);
    await expectText(page.locator("#environment .now"), /frozen/);
    await press("3");
    await expectText(page.locator("#feed"), /as of [\d-]{10} \d\d:\d\d, frozen/);
    const { mode, now } = await control.getClock(name);
    expect(mode).toBe("frozen");
    expect(Date.parse(now) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(count()).toBeLessThanOrEqual(3);
  });

  test("4. the rule behind D-47: 2 presses in the search", async () => {
    const { open } = await openEnvironment({ hash: "#feed" });
    const { page, find, count } = await open();
    await find("D-47", /D-47/);
    await page.waitForURL(/\/docs#decision-D-47$/);
    await page.locator("#decision-D-47").waitFor({ state: "visible" });
    expect(count()).toBeLessThanOrEqual(2);
  });

  test("5. how to retry safely: 2 presses in the search, the guide first", async () => {
    const { page } = await openPage();
    await page.goto(server.url);
    const { find, count } = createKeyboard(page);
    await find("retry safely", /Retry safely/);
    await page.waitForURL(/\/docs\/front-end#/);
    expect(count()).toBeLessThanOrEqual(2);
  });

  test("6. two requests of my choice as one diff: each is marked", async () => {
    const { send, open } = await openEnvironment({ hash: "#requests" });
    for (const limit of [1, 2, 3]) await send(`/v1/notifications?limit=${limit}`);
    const { page, log, press, count } = await open();
    await expectCount(log, 3);
    await press("ArrowDown", "x", "ArrowDown", "ArrowDown", "x");
    const pane = page.getByRole("region", { name: "Request", exact: true });
    await expectText(pane, /− GET \/v1\/notifications\?limit=1\+ GET \/v1\/notifications\?limit=3/);
    await expectText(pane.locator("ins, del").nth(2), /"(pageSize|hasMore)"/);
    expect(await log.locator("input:checked").count(), "the marks are gone").toBe(0);
    await expectCount(page.locator("#requests tr[aria-current]"), 2);
    expect(count()).toBeLessThanOrEqual(5);
  });

  test("7. an edited request is sent from the docs: 2 presses", async () => {
    const { page } = await openPage();
    await page.goto(`${server.url}/docs`);
    const { press, type, count } = createKeyboard(page);
    const samples = page.getByRole("complementary", { name: "Examples of listNotifications" });
    await samples.getByRole("button", { name: "Edit" }).focus();
    await press("Enter");
    await page.keyboard.press("Control+a"); // typing
    await type("GET /v1/notifications?limit=51\nauthorization: ApiKey ");
    await type(server.apiKey);
    await press("Control+Enter");
    await expectText(samples.getByRole("status"), /^422 /);
    expect(count()).toBeLessThanOrEqual(2);
  });

  test("8. an environment is created for a test, and deleted again: 4 presses", async () => {
    const { open } = await openEnvironment({ hash: "#feed" });
    const { page, find, count } = await open();
    await find("new checkout-test", /^Create environment checkout-test/);
    await expectText(page.locator("#environment-name"), "checkout-test");
    await expectText(page.locator("#environment code"), (await control.getEnvironment("checkout-test")).apiKey ?? "");
    await find("delete", /^Delete environment checkout-test/);
    await expectText(page.locator(".toast"), "checkout-test is deleted.");
    await expectText(page.locator("#environment-name"), "default");
    expect(count()).toBeLessThanOrEqual(4);
  });
});
