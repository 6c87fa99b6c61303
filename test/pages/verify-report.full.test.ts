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
});
