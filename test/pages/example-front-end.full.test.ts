// The example front-end, built once: against the mock and the reference server, where only its base URL differs, and
// against the fetch handler in the browser itself, where there is no server at all.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/start-server.js";
import { findAxeViolations, hasChromium, openPage } from "./chromium.js";
import { type Site, startExampleSite } from "./example-site.js";

const API_KEY = "front-end-key";

const mock = await startMock({ apiKey: API_KEY });
const reference = await startServer({ apiKey: API_KEY });
afterAll(() => Promise.all([mock.close(), reference.close()]));

const OUTAGE = "We are back in a moment.";

describe.skipIf(!hasChromium)("the example front-end", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startExampleSite();
  });

  const stateOf = (page: Page) => page.getByRole("status").textContent();
  const emailOf = (page: Page) => page.getByRole("switch", { name: "email" });

  describe.each([
    { name: "mock", server: mock, remembers: false },
    { name: "reference server", server: reference, remembers: true },
  ])("against the $name", ({ server, remembers }) => {
    async function open(subscriberId: string, prefer?: string): Promise<Page> {
      const { page } = await openPage();
      if (prefer) {
        await page.route("**/v1/notifications*", (route) =>
          route.continue({ headers: { ...route.request().headers(), prefer } }),
        );
      }
      const settings = new URLSearchParams({ baseUrl: server.url, apiKey: API_KEY, subscriberId });
      await page.goto(`${site.url}/?${settings}`);
      return page;
    }

    test("lists notifications, and switches a channel", async () => {
      const page = await open("ines-moreau");
      await page.getByRole("listitem").first().waitFor();
      expect(await page.getByRole("listitem").first().textContent()).toMatch(/^.+, \d{4}-\d\d-\d\dT/);
      await expect.poll(() => stateOf(page)).toBe("");
      expect(await findAxeViolations(page)).toEqual([]);
      const responded = page.waitForResponse((response) => response.request().postData()?.includes("email") === true);
      await emailOf(page).click();
      expect((await responded).status()).toBe(200);
      await page.reload();
      await emailOf(page).waitFor();
      if (remembers) expect(await emailOf(page).isChecked()).toBe(false); // the mock returns an example
    });

    test("shows that there is nothing, and what has failed", async () => {
      const empty = await open("ines-moreau", "example=emptyPage");
      await expect.poll(() => stateOf(empty)).toBe("Nothing yet.");
      const failing = await open("ines-moreau", "code=503");
      await failing.getByRole("alert").getByText(OUTAGE).waitFor();
    });
  });

  describe("without any server, below Vite's base", () => {
    let preview: Site;
    beforeAll(async () => {
      preview = await startExampleSite({ mode: "preview", base: "/app/" });
    });

    test("a story from the first page to the retry after an outage", async () => {
      const { page } = await openPage();
      await page.goto(`${preview.url}/`);
      await emailOf(page).waitFor();
      expect(await page.evaluate("preview.mode")).toBe("worker");
      const files = [...preview.requests];

      const items = page.getByRole("listitem");
      await expect.poll(() => items.count()).toBe(5);
      const first = await items.first().textContent();
      await call(page, "addNotifications", { subscriberId: "ines-moreau" });
      await page.getByRole("button", { name: "Older" }).click();
      await expect.poll(() => items.count()).toBe(10);
      expect(await items.first().textContent()).toBe(first);

      expect(await emailOf(page).isChecked()).toBe(true);
      await emailOf(page).click();
      await expect.poll(() => emailOf(page).isChecked()).toBe(false);

      await page.getByRole("textbox", { name: "Since" }).fill("yesterday");
      await page.keyboard.press("Tab");
      await page.getByRole("alert").getByText("query.after must be a date and time").waitFor();
      await page.getByRole("textbox", { name: "Since" }).fill("");
      await page.keyboard.press("Tab");
      await expect.poll(() => page.getByRole("alert").count()).toBe(0);

      await call(page, "addFault", { operation: "updatePreferences", status: 503 });
      await emailOf(page).click();
      await page.getByRole("alert").getByText(OUTAGE).waitFor();
      expect(await emailOf(page).isChecked()).toBe(false);
      await call(page, "clearFaults");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => page.getByRole("alert").count()).toBe(0);
      expect(await emailOf(page).isChecked()).toBe(true);
      expect(preview.requests).toEqual(files); // all of it was inside the browser
    });

    test("a build without `--mode preview` has nothing of it", async () => {
      const texts = async (folder: string) => {
        const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
        return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")));
      };
      const traces = [/startPreview/, /sessionStorage/, /onUnhandledRequest/, /demo-key.*x-decision/s, /Tidepool/];
      const findIn = (files: string[]) => traces.filter((trace) => files.some((text) => trace.test(text)));
      expect(findIn(await texts(preview.folder)).length).toBeGreaterThan(2);
      expect(findIn(await texts(site.folder))).toEqual([]);
    });
  });
});

/** Calls a method of the page's preview. */
function call(page: Page, method: string, argument?: object): Promise<unknown> {
  return page.evaluate(`preview.${method}(${JSON.stringify(argument)})`);
}
