// The report of `verify` in a real browser: of a run with failures of many kinds, in every dress.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { startServer } from "../../src/server/server.js";
import { toHtml } from "../../src/tools/verify/report/page.js";
import { DEMO_DATA, TARGETS } from "../../src/tools/verify/target.js";
import { verify } from "../../src/tools/verify/verify.js";
import { closePages, expectUsable, hasChromium, launchChromium, openPage, VIEWS } from "./chromium.js";

describe.skipIf(!hasChromium)("the report of verify", () => {
  let browser: Browser;
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "verify-report-"));
    const server = await startServer();
    // A target with another subscriber than declared: some cases fail, most pass.
    const data = { ...DEMO_DATA, ...TARGETS.reference, subscriber: "nobody" };
    const target = { ...data, url: new URL(server.url), apiKey: server.apiKey };
    const only = ["updatePreferences", "listNotifications › query.limit"];
    const report = await verify({ contract: await loadContract(), target, only, seed: 1, runs: 20 });
    await server.close();
    await writeFile(join(folder, "verify.html"), toHtml(report));
    url = pathToFileURL(join(folder, "verify.html")).href;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await closePages(browser);
    await rm(folder, { recursive: true });
  });

  test.each(VIEWS)("is accessible, fits and loads nothing, $colorScheme at $width", async (view) => {
    const { page, urls } = await openPage(browser, view);
    await page.goto(url);
    expect(await page.locator("h1").textContent()).toBe("The target violates the contract");
    await expectUsable(page);
    expect(urls).toEqual([url]);
  });

  test("the causes are open on paper; on a narrow screen their labels leave room for values", async () => {
    const { page } = await openPage(browser, { colorScheme: "light", width: 390 });
    await page.goto(url);
    const label = page.locator(".pairs dt").first();
    expect(await label.isVisible()).toBe(false);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await label.isVisible()).toBe(true);
    const { width = 0 } = (await label.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(0);
    expect(width).toBeLessThanOrEqual(96);
  });

  test("cases are filtered by outcome, operation and a search; print has none that passed", async () => {
    const { page } = await openPage(browser, VIEWS[0] ?? { colorScheme: "light", width: 1280 });
    await page.goto(url);
    await page.getByRole("heading", { name: "All cases" }).click();
    const shown = page.locator("tbody tr[data-facets]").filter({ visible: true });
    const all = await shown.count();
    await page.getByLabel("status of: Cases").selectOption("fail");
    const failed = await shown.count();
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(all);
    await page.getByLabel("operation of: Cases").selectOption("updatePreferences");
    await page.getByLabel("Search in: Cases").fill("nothing has this");
    expect(await shown.count()).toBe(0);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("heading", { name: "All cases" }).isVisible()).toBe(false);
    expect(await page.getByRole("heading", { name: "Failures by cause" }).isVisible()).toBe(true);
  });
});
