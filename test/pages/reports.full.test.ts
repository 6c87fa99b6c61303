// The reports of `review` and `verify` in a real browser: from a file, without a network.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { startServer } from "../../src/proposals/start-server.js";
import { formatHtml } from "../../src/tools/review/report/readable.js";
import { reviewContract } from "../../src/tools/review/review.js";
import { DEMO_DATA, TARGETS } from "../../src/tools/verify/declared-target.js";
import { formatHtmlReport } from "../../src/tools/verify/report/html-report.js";
import { verify } from "../../src/tools/verify/verify.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { toEditedText } from "../tools/review/contract-edit.js";
import { expectUsable, hasChromium, openPage, VIEWS, type View } from "./chromium.js";
import { expectText } from "./console-page.js";

const INJECTION =
  '<img src="https://elsewhere.example/x.png" onerror="document.title=1"><script>document.title = 2</script>';

describe.skipIf(!hasChromium)("a report", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await createTemporaryFolder(afterAll);
    await writeFile(join(folder, "review.html"), await createReviewPage(join(folder, "openapi.yaml")));
    await writeFile(join(folder, "verify.html"), await createVerifyPage());
  });

  async function openReport(name: string, view?: View) {
    const { page, urls } = await openPage(view);
    const { href: url } = new URL(name, pathToFileURL(`${folder}/`));
    await page.goto(url);
    return { page, urls, url };
  }

  describe.each([
    ["review.html", /^Reject: review of /],
    ["verify.html", /^The target violates the contract/],
  ])("%s", (name, title) => {
    test.each(VIEWS)("is accessible, fits and loads nothing, $colorScheme at $width $forcedColors", async (view) => {
      const { page, urls, url } = await openReport(name, view);
      await expectUsable(page);
      expect(urls).toEqual([url]);
      expect(await page.title(), "nothing of the contract runs").toMatch(title);
    });

    test("every link within the page has a target, and ids are unique", async () => {
      const { page } = await openReport(name);
      const ids: string[] = await page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)");
      const links: string[] = await page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map(({ hash }) => decodeURIComponent(hash.slice(1)))",
      );
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      expect(links.filter((link) => !ids.includes(link))).toEqual([]);
    });
  });

  test("of verify is filtered by text and by what a failure rests on, and its commands are copied", async () => {
    const { page } = await openReport("verify.html");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    expect(await page.locator(".verdict.bad").innerText()).toMatch(/violates the contract.*passed.*failed.*Seed\s+1/s);
    const causes = page.locator("details[data-facet]");
    const count = await causes.count();
    await page.getByLabel("Find a failure", { exact: true }).fill("idempotency REPLAY");
    await expect.poll(() => causes.filter({ visible: true }).count()).toBeLessThan(count);
    expect(await causes.filter({ visible: true }).count(), "some match").toBeGreaterThan(0);
    await page.getByLabel("Find a failure", { exact: true }).fill("");
    const cases = page.locator("summary", { hasText: "listNotifications" }).last();
    await expectText(cases, /^listNotifications \d+ (passed|of \d+ failed)/);
    expect(await page.getByText("query.limit", { exact: true }).isVisible(), "folded").toBe(false);
    await page.getByLabel("Find a case", { exact: true }).fill("query.limit");
    await page.getByText("query.limit", { exact: true }).waitFor();
    const counts = await page.locator("summary .count").allTextContents();
    expect(counts.length).toBeGreaterThan(0);
    expect(counts, "a count of 1 says nothing").not.toContain("1");
    const failures = page.getByRole("group", { name: "Find a failure: rests on" });
    await failures.getByLabel("Decisions only").check();
    expect(await causes.filter({ visible: true }).filter({ hasText: "§" }).count()).toBe(0);
    const cause = causes.filter({ visible: true }).first();
    const expand = page.getByRole("button", { name: "Expand all" }).first();
    await expand.click();
    expect(await cause.getByRole("button", { name: "Copy: Run this case again" }).isVisible()).toBe(true);
    await page.getByRole("button", { name: "Collapse all" }).click();
    await cause.locator("summary").first().click();
    await cause.getByRole("button", { name: "Copy: Run this case again" }).click();
    const command = /^npx notifications-contract verify --url 'http:\S+' --seed 1 --only 'updatePreferences/;
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(command);
  });

  test("of review begins with the verdict, and a link to a folded target opens it", async () => {
    const { page } = await openReport("review.html#decision-D-07");
    expect(await page.locator("main strong").first().textContent()).toMatch(/^Reject: \d+ reasons?$/);
    expect(await page.locator("#decision-D-07").isVisible()).toBe(true);
    const topOf = async (place: string) => (await page.locator(place).first().boundingBox())?.y ?? 0;
    expect(await topOf(".entry .panel"), "a counterexample").toBeLessThan(await topOf("#summary"));
    await expectText(page.locator("#summary + ul"), /Changes: \d+ breaking.*Clauses of the document: \d/s);
    expect(await page.locator("#summary + ul").textContent(), "zeros are left out").not.toMatch(/\b0 /);
  });
});

async function createReviewPage(contractPath: string): Promise<string> {
  const edited = toEditedText(({ set, remove }) => {
    set("components/parameters/limit/schema/maximum", 20);
    set("components/parameters/page/description", INJECTION);
    set("components/schemas/Notification/properties/severity/enum", ["urgent", "high", "medium", "low", "none"]);
    set("components/parameters/emails/deprecated", true);
    set("x-decisions/D-60/answer", `48 hours. ${INJECTION}`);
    remove("components/schemas/NotificationPage/properties/hasMore/x-decision");
  });
  await writeFile(contractPath, edited);
  const acceptances = [{ match: "listNotifications:request:query.limit:maximum", reason: "agreed with all teams" }];
  return formatHtml(await reviewContract({ contractPath, base: CONTRACT_PATH, acceptances }));
}

/** Of a target without the declared subscriber: some cases fail, most pass. */
async function createVerifyPage(): Promise<string> {
  const server = await startServer();
  const data = { ...DEMO_DATA, ...TARGETS.reference, subscriber: "nobody" };
  const target = { ...data, url: new URL(server.url), apiKey: server.apiKey };
  const only = ["updatePreferences", "listNotifications › query.limit"];
  const report = await verify({ contract: await loadContract(), target, only, seed: 1, runs: 20 });
  await server.close();
  return formatHtmlReport(report);
}
