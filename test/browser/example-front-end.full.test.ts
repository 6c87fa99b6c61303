// The example front-end, built once, against the mock and the reference server: only its base URL differs.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/server.js";
import { buildIfStale } from "../support/fresh-build.js";
import { hasChromium, launchChromium } from "./chromium.js";
import { type ExampleSite, startExampleSite } from "./example-site.js";

const API_KEY = "front-end-key";

const TARGETS = [
  { name: "mock", start: () => startMock({ apiKey: API_KEY }), remembers: false },
  { name: "reference", start: () => startServer({ apiKey: API_KEY }), remembers: true },
];

describe.skipIf(!hasChromium)("the example front-end", () => {
  let browser: Browser;
  let site: ExampleSite;
  beforeAll(async () => {
    await buildIfStale(); // the mock's Prism runs from dist/
    site = await startExampleSite();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  describe.each(TARGETS)("against the $name", ({ start, remembers }) => {
    let server: { url: string; close(): Promise<void> };
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server?.close());

    async function open(subscriberId: string, prefer?: string): Promise<Page> {
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      if (prefer) {
        await page.route("**/v1/notifications*", (route) =>
          route.continue({ headers: { ...route.request().headers(), prefer } }),
        );
      }
      const settings = new URLSearchParams({ baseUrl: server.url, apiKey: API_KEY, subscriberId });
      await page.goto(`${site.url}/?${settings}`);
      return page;
    }
    const stateOf = (page: Page) => page.getByRole("status").textContent();

    test("lists notifications", async () => {
      const page = await open("ines-moreau");
      await page.getByRole("listitem").first().waitFor();
      expect(await page.getByRole("listitem").first().textContent()).toMatch(/^.+, \d{4}-\d\d-\d\dT/);
      await expect.poll(() => stateOf(page)).toBe("");
    });

    test("switches a channel", async () => {
      const page = await open("ines-moreau");
      const email = page.getByRole("switch", { name: "email" });
      await email.waitFor();
      const responded = page.waitForResponse((response) => response.request().postData()?.includes("email") === true);
      await email.click();
      expect((await responded).status()).toBe(200);
      await page.reload();
      await email.waitFor();
      if (remembers) expect(await email.isChecked()).toBe(false); // the mock returns an example
    });

    test.each([
      ["code=503", "We are back in a moment."],
      ["example=emptyPage", "Nothing yet."],
    ])("shows what is preferred: %s", async (prefer, text) => {
      const page = await open("ines-moreau", prefer);
      await expect.poll(() => stateOf(page)).toBe(text);
    });
  });
});
