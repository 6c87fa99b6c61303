// The review page in a real browser: from a file, without a network, in every view.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { toHtmlPage } from "../../src/tools/review/report/readable.js";
import { reviewContract } from "../../src/tools/review/review.js";
import { applyEdit } from "../tools/review/contract-edit.js";
import { closePages, expectUsable, hasChromium, launchChromium, openPage, VIEWS } from "./chromium.js";

const INJECTION =
  '<img src="https://elsewhere.example/x.png" onerror="document.title=1"><script>document.title = 2</script>';

describe.skipIf(!hasChromium)("the review page", () => {
  let browser: Browser;
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "review-page-"));
    const edited = applyEdit(await readFile(CONTRACT_PATH, "utf8"), ({ set, remove }) => {
      set("components/parameters/limit/schema/maximum", 20);
      set("components/parameters/page/description", INJECTION);
      set("components/schemas/Notification/properties/severity/enum", ["urgent", "high", "medium", "low", "none"]);
      set("components/parameters/emails/deprecated", true);
      set("x-decisions/D-60/answer", `48 hours. ${INJECTION}`);
      remove("components/schemas/NotificationPage/properties/hasMore/x-decision");
    });
    const path = join(folder, "openapi.yaml");
    await writeFile(path, edited);
    const acceptances = [{ match: "listNotifications:request:query.limit:maximum", reason: "agreed with all teams" }];
    const review = await reviewContract({ contractPath: path, base: CONTRACT_PATH, acceptances });
    const page = join(folder, "review.html");
    await writeFile(page, toHtmlPage(review));
    url = pathToFileURL(page).href;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await closePages(browser);
    await rm(folder, { recursive: true });
  });

  test.each(VIEWS)("is accessible, fits and loads nothing, $colorScheme at $width", async (view) => {
    const { page, urls } = await openPage(browser, view);
    await page.goto(url);
    await expectUsable(page);
    expect(urls.filter((address) => !address.startsWith("file:") && !address.startsWith("data:"))).toEqual([]);
    expect(await page.title(), "nothing of the contract runs").toMatch(/^Reject: review of /);
  });

  test("the verdict comes first, and a link to a folded target opens it", async () => {
    const { page } = await openPage(browser, VIEWS[0] ?? { colorScheme: "light", width: 1280 });
    await page.goto(`${url}#decision-D-07`);
    expect(await page.locator("main strong").first().textContent()).toMatch(/^Reject: \d+ reasons?$/);
    expect(await page.locator("#decision-D-07").isVisible()).toBe(true);
  });

  test("every link within the page has a target, and ids are unique", async () => {
    const { page } = await openPage(browser, VIEWS[0] ?? { colorScheme: "light", width: 1280 });
    await page.goto(url);
    const ids: string[] = await page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)");
    const links: string[] = await page.evaluate(
      "[...document.querySelectorAll('a[href^=\"#\"]')].map((one) => one.hash.slice(1))",
    );
    expect(ids.length).toBe(new Set(ids).size);
    expect(links.filter((link) => !ids.includes(decodeURIComponent(link)))).toEqual([]);
  });
});
