// The reports of `review` and `verify` in a real browser: from a file, without a network.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { startServer } from "../../src/proposals/start-server.js";
import { formatHtml } from "../../src/tools/review/report/readable.js";
import { reviewContract } from "../../src/tools/review/review.js";
import type { Failure, Result } from "../../src/tools/verify/case.js";
import { DEMO_DATA, TARGETS } from "../../src/tools/verify/declared-target.js";
import { ROOT_CASES } from "../../src/tools/verify/report/causes.js";
import { formatHtmlReport } from "../../src/tools/verify/report/html-report.js";
import type { Report } from "../../src/tools/verify/report/report.js";
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
    await writeFile(join(folder, "red.html"), formatHtmlReport(createReport([...PASSED, ...FAILED])));
    await writeFile(join(folder, "green.html"), formatHtmlReport(createReport(PASSED)));
  });

  async function openReport(name: string, view?: View) {
    const { page, urls } = await openPage(view);
    const { href: url } = new URL(name, pathToFileURL(`${folder}/`));
    await page.goto(url);
    return { page, urls, url };
  }

  describe.each([
    ["review.html", /^Reject: .+ \d[\d.]+, compared with .+ \(\d[\d.]+\)/],
    ["verify.html", /^The target violates the contract/],
  ])("%s", (name, title) => {
    test.each(VIEWS)("is accessible, fits and loads nothing, $colorScheme at $width", async (view) => {
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
    const entries = page.locator('.side a[href^="#cause-"]');
    for (const entry of [entries.nth(1), entries.nth(0)]) {
      await entry.click();
      await expect.poll(() => entry.getAttribute("aria-current"), { message: "not the next one" }).toBe("location");
    }
    const causes = page.locator('details[id^="cause-"]');
    const count = await causes.count();
    await page.getByLabel("Find a cause", { exact: true }).fill("idempotency REPLAY");
    await expect.poll(() => causes.filter({ visible: true }).count()).toBeLessThan(count);
    expect(await causes.filter({ visible: true }).count(), "some match").toBeGreaterThan(0);
    await page.getByLabel("Find a cause", { exact: true }).fill("");
    const cases = page.locator("#cases + [data-filtered] summary", { hasText: "listNotifications" }).last();
    await expectText(cases, /^listNotifications \d+ (passed|of \d+ failed)/);
    const subjects = page.locator("tr.group").filter({ visible: true });
    expect(await subjects.count(), "folded").toBe(0);
    await page.getByLabel("Find a case", { exact: true }).fill("query.limit");
    await expect.poll(() => subjects.count()).toBeGreaterThan(0);
    await expectText(subjects.first(), /^query\.limit \d+ (passed|of \d+ failed)\s*$/);
    await page.locator("#cases + *").getByRole("heading", { name: "listNotifications" }).waitFor();
    const counts = await page.locator("summary .count").allTextContents();
    expect(counts.length).toBeGreaterThan(0);
    expect(counts, "a count of 1 says nothing").not.toContain("1");
    const failures = page.getByRole("group", { name: "Find a cause: show" });
    await failures.getByLabel("Decisions only").check();
    expect(await causes.filter({ visible: true }).filter({ hasText: "§" }).count()).toBe(0);
    const cause = causes.filter({ visible: true }).first();
    const expand = page.getByRole("button", { name: "Expand all" }).first();
    await expand.click();
    expect(await cause.getByRole("button", { name: "Copy: Run this case again" }).isVisible()).toBe(true);
    await page.getByRole("button", { name: "Collapse all" }).click();
    await cause.locator("summary").first().click();
    await cause.getByRole("button", { name: "Copy: Run this case again" }).click();
    const command =
      /^npx notifications-contract verify --url 'http:\S+' \\\n {2}--target reference \\\n {2}--seed 1 --only 'updatePref/;
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(command);
  });

  test("of verify lists causes by size, and shows the body with the place that is wrong", async () => {
    const { page } = await openReport("red.html");
    expect(await page.locator(".verdict > strong").innerText()).toMatch(/violates the contract: 4.causes$/);
    const causes = page.locator("#causes + [data-filtered] > details");
    await expectText(page.locator(".verdict"), /4 causes violate 1 of 2 rules: 0 of the document, 1 decision\.Target/);
    expect(await page.locator(".side li li").allTextContents(), "the same as links").toEqual([
      "1Rejects requests with 400 instead of 422.3",
      `2${ROOT_CASES.storage} is wrong.3`,
      "3listNotifications › d is wrong.1",
      "4listNotifications › i is wrong.1",
    ]);
    expect(await causes.locator("summary .count").allTextContents()).toEqual([
      "3 cases",
      "3 cases\n2 follow from it",
      "1 case",
      "1 case",
    ]);
    const spanning = causes.first();
    expect(await causes.and(page.locator("[open]")).count(), "the first alone").toBe(1);
    await expectText(
      spanning.locator("> summary"),
      /Rejects requests with 400 instead of 422\.\s*Decision · listNotifications, updatePreferences · D-24/,
    );
    await expectText(spanning.locator(".wrong"), /^HTTP 400$/m);
    expect(await spanning.locator(".wrong").getAttribute("data-reason")).toBe("expected 422");
    await expectText(spanning.locator("pre").nth(1), /"statusCode": 400/);
    await expectText(spanning.locator("details"), /^Rests on D-24\s*D-24 Is limit checked\?\s*Yes: 51 is 422\./);
    const missing = causes.filter({ hasText: "is required" });
    await missing.locator("summary").first().click();
    expect((await missing.textContent())?.match(/is required/g), "said once: the mark is no text").toHaveLength(1);
    const mark = missing.locator(".wrong");
    expect(await mark.getAttribute("data-reason")).toBe("transactionId is required");
    const body = missing.locator("pre").first();
    await expectText(body, /"list": \[\s+"a"/);
    const [outer, inner] = [await missing.locator("pre").first().boundingBox(), await mark.boundingBox()];
    expect((inner?.y ?? 0) - (outer?.y ?? 0), "scrolled to").toBeLessThan(outer?.height ?? 0);
    const lines = async () => (await body.innerText()).split("\n").length;
    const count = await lines();
    await body.getByRole("button", { name: /^Show \d+ lines$/ }).press("Enter");
    await expect.poll(lines, { message: "what is far from the wrong place was hidden" }).toBeGreaterThan(count + 6);
  });

  test("of verify that is green says why cases are not applicable, and its legend filters them", async () => {
    const { page } = await openReport("green.html", { colorScheme: "light", width: 390 });
    expect(await page.locator(".brand span").isVisible(), "the product's name").toBe(true);
    const { x = 390, width = 0 } = (await page.locator(".side > ul > li").last().boundingBox()) ?? {};
    expect(x + width, "every section is in view").toBeLessThan(390);
    await expectText(page.locator(".verdict"), /2 not applicable: needs workflows/);
    await expectText(page.locator(".verdict"), /1 rule holds: 1 of the document, 0 decisions\. 1 not tested\./);
    await expectText(page.locator('[id="cited-4.2"]'), /Listing is GET\..*2 cases/s);
    const rules = page.locator("#rules + [data-filtered] > details");
    expect(await rules.locator("> summary").allTextContents()).toEqual([
      "listNotifications1 rule holds",
      "Not tested1 rule",
    ]);
    const parts = page.getByRole("group", { name: "Overview" });
    await expectText(parts.getByRole("row").nth(1), /^listNotifications\s*2 of 3 cases$/);
    await page.getByRole("button", { name: "Expand all" }).first().click();
    await expectText(page.locator('[id="cited-D-24"]'), /Is limit checked\?\s*Yes: 51 is 422\..*0 cases/s);
    await page.locator(".verdict").getByRole("link", { name: "What to declare" }).click();
    await expect.poll(() => page.url()).toMatch(/#not-applicable$/);
    await expectText(page.getByRole("group", { name: "Reasons" }), /needs workflows\s*2 cases/);
    await expectText(page.getByRole("group", { name: "verify.config.json" }), /"workflows": \[\s*{\s*"identifier"/);
    await expectText(page.getByRole("group", { name: "Write the file" }), /verify --init --url \S+$/);
    const slowest = page.getByRole("group", { name: "Slowest cases" }).getByRole("row");
    await expectText(slowest.nth(1), /^listNotifications › query\.limit › b\s*1000$/);
    expect(await slowest.locator("meter").first().getAttribute("value")).toBe("1000");
    const groups = page.locator("#cases + [data-filtered]");
    const rows = groups.locator("tr[data-facet]").filter({ visible: true });
    await parts.getByRole("link", { name: "2 of 3 cases" }).click();
    await expect.poll(() => rows.count(), { message: "of the part alone" }).toBe(3);
    await slowest.nth(2).getByRole("link").click();
    await groups.getByRole("group", { name: "Requests" }).waitFor(); // opened, although it was hidden
    expect(await page.getByLabel("Find a case", { exact: true }).inputValue()).toBe("");
    await groups.locator("tr:target summary").first().click();
    await expectText(page.getByRole("group", { name: "Run all cases again" }), /verify --url \S+ \\\n {2}--seed 1$/);
    await expectText(groups.getByRole("heading", { name: "updatePreferences" }), /1 not applicable\s*$/);
    expect(await groups.locator(".segments label").allTextContents()).toEqual([
      " All",
      " Passed 2",
      " Not applicable 2",
    ]);
    await page.locator(".verdict").getByRole("link", { name: "run it in CI" }).click();
    await expect.poll(() => page.url()).toMatch(/#ci$/);
    await expectText(
      page.getByRole("group", { name: "Steps of a job" }),
      /verify --url \S+\n {4}--junit verify\.xml --html verify\.html\n- uses: .*upload-artifact/,
    );
    const part = page.locator(".verdict").getByRole("link", { name: /not applicable/ });
    await part.click();
    await expect.poll(() => page.url(), { message: "why, before which" }).toMatch(/#not-applicable$/);
    await page.getByRole("group", { name: "Reasons" }).getByRole("link", { name: "2 cases" }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await expectText(rows.first(), /not applicable/);
    expect(await groups.locator(".tag").filter({ visible: true }).count(), "a badge is of all cases").toBe(0);
    await rules.getByRole("link", { name: "2 cases" }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await expectText(rows.first(), /^\s*a/);
    await rows.first().locator("summary").first().click();
    await expectText(rows.first().getByRole("group", { name: "Requests" }), "curl -i x\n# 200");
    await expectText(rows.first().getByRole("listitem").first(), "✓ Status 200 (2 times)");
    await expectText(rows.first().locator("details summary", { hasText: "more" }), "2 more checks");
    await expectText(rows.first().getByRole("group", { name: "Received body, status 200" }), /"page": 0/);
    await rows.first().getByRole("button", { name: "Copy: Run this case again" }).waitFor();
    const labels: string[] = await page.evaluate(
      `[...document.querySelectorAll("#cases + * tr[data-facet] > td")].slice(0, 3).map((cell) => getComputedStyle(cell, "::before").content)`,
    );
    expect(labels, "at 390 px").toEqual(['"Outcome "', '"Rests on "', '"ms "']);
  });

  test("of verify opens a failed case to what is wrong, which leads to its cause", async () => {
    const { page } = await openReport("red.html");
    await page.getByRole("link", { name: "2 alike" }).first().click();
    const rows = page.locator("#cases + [data-filtered] tbody tr").filter({ visible: true });
    await expect.poll(() => rows.count(), { message: "of cause 1" }).toBe(4);
    const names = (await rows.allInnerTexts()).map((text) => text.split(/\s/, 1)[0]);
    expect(names, "what has no subject stands first").toEqual(["g", "query.limit", "maximum", "h"]);
    const cause = page.locator("details", { hasText: "What probably follows from it" });
    await cause.locator("summary").first().click();
    await cause.locator("li").getByRole("link", { name: "2 cases" }).click();
    await expect.poll(() => page.url()).toMatch(/case=cause%3A2\.1#cases$/);
    await expect.poll(() => page.locator("#cases + * tr[data-facet]:not([hidden])").count()).toBe(2);
    await page.goBack();
    const rules = page.getByRole("group", { name: "Find a rule: show" });
    await rules.getByLabel("Violated").check();
    await page.locator('[id="cited-D-24"]').waitFor(); // open
    const failedOfRule = page.locator('[id="cited-D-24"]').getByRole("link", { name: /of .* cases?$/ });
    await failedOfRule.click();
    await expect.poll(() => page.url()).toMatch(/[?&]case-is=fail/);
    await page.goBack();
    await page.goBack();
    await page.locator(".verdict").getByRole("link", { name: "failed" }).click();
    await expectText(page.getByRole("heading", { name: /^updatePreferences/ }), /4 of 5 failed/);
    const row = page.locator("#cases + [data-filtered] tr").filter({ hasText: "maximum › 51" });
    await row.locator("summary").click();
    await row.getByRole("link", { name: "1", exact: true }).click();
    await expect.poll(() => page.url()).toMatch(/\?case-is=fail#cause-1$/);
    await expectText(page.locator("details:target > summary"), /Rejects requests with 400 instead of 422/);
    const groups = page.locator("#cases + [data-filtered] > details > summary > .count");
    expect(await groups.allTextContents()).toEqual(["4 of 7 cases", "4 of 5 cases"]);
    const shown = page.getByRole("group", { name: "Find a case: show" }).locator(":checked");
    for (const [address, facet, count] of [
      [/\?case-is=fail#cases$/, "fail", 8],
      [/\?case=cause%3A1\.0#cases$/, "", 3],
      [/red\.html$/, "", 12],
    ] as const) {
      await page.goBack();
      await expect.poll(() => page.url()).toMatch(address);
      await expect.poll(() => shown.inputValue()).toBe(facet);
      await expect.poll(() => page.locator("#cases + * tr[data-facet]:not([hidden])").count()).toBe(count);
    }
    expect(await groups.allTextContents()).toEqual(["7 cases", "5 cases"]);
    await page.getByLabel("Find a cause", { exact: true }).fill("no such cause");
    await page.getByRole("navigation").getByRole("link", { name: /^1 / }).click();
    await page.locator("details:target > summary").filter({ hasText: "Rejects requests" }).waitFor();
  });

  test("of review begins with the verdict, and a link to a folded target opens it", async () => {
    const { page } = await openReport("review.html#decision-D-07");
    expect(await page.locator("main strong").first().textContent()).toMatch(/^Reject: \d+ reasons, 1 more accepted$/);
    expect(await page.locator("#decision-D-07").isVisible()).toBe(true);
    const tint = await page.evaluate("getComputedStyle(document.querySelector('#decision-D-07')).backgroundColor");
    expect(tint, "it stands out").not.toBe("rgba(0, 0, 0, 0)");
    await expectText(page.locator("h2#what-changed + [aria-label=Changes]"), /1 accepted$/); // not beside the reasons' count
    const accepted = page.locator("#accepted + .entry");
    expect(await accepted.getAttribute("class"), "it is not red").toBe("entry soft");
    await expectText(
      accepted,
      /^query\.limit maximum: 50 → 20.*accepted\s*Accepted: agreed with all teams.*at most 20/s,
    );
    const question = page.locator(".side li li", { hasText: "D-60" });
    expect(await question.textContent(), "what differs comes first").toMatch(/^\dD-60 \S/);
    await expectText(page.locator(".entry.warn", { hasText: "another answer" }), /^\d D-60 .*48 hours/s);
    await expectText(page.locator(".verdict"), /Bump the version to \d\.0\.0: clients break\./);
    await expectText(page.locator(".verdict ~ ol"), /^Set info\.version to \d\.0\.0\.\s*Correct .*Agree on .*: D-60/s);
    const badges = await page.locator("summary > h2:has(.tag)").allTextContents();
    expect(badges.map((text) => text.trim()).join(), "zeros are left out").toMatch(
      /^Decisions 1 changed,Clauses of the document \d+,Examples \d+ wrong, accepted,Lint [1-9]\d* errors?(, 1 warning)?.*$/,
    );
    const texts = await page.locator("main :is(li, td, p)").allTextContents();
    expect(texts.filter((text) => text.includes("`"))).toEqual([]);
  });

  test("of review has a row for each change, which leads to its numbered reason, with the option that accepts it", async () => {
    const { page } = await openReport("review.html");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const names = await page.locator(".side li li").allTextContents();
    expect(names.length).toBeGreaterThan(1);
    expect(names.pop(), "an accepted one has no number").toBe("query.limit");
    for (const [index, name] of names.entries()) expect(name).toMatch(new RegExp(`^${index + 1}\\S`));
    const row = page.getByRole("group", { name: "What changed" }).getByRole("row", { name: /severity/ });
    await expectText(row, /response of listNotifications\s*may be urgent now\s*breaks clients/);
    await row.getByRole("link").click();
    const reason = page.locator(".entry:target");
    await expectText(reason.locator("p").first(), /^\d 200 body\.data\[\]\.severity/);
    const overlaps = `[...document.querySelectorAll(".wrong")].filter((line) => {
      const note = Number.parseFloat(getComputedStyle(line, "::after").width);
      const { scrollWidth, offsetHeight } = line.firstElementChild;
      return scrollWidth + note > line.clientWidth && line.clientHeight < offsetHeight * 1.5;
    }).length`;
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(overlaps), `notes over values at ${width} px`).toBe(0);
    }
    await reason.locator("summary", { hasText: "To accept it" }).click();
    await reason.getByRole("button", { name: /^Copy: To accept reason \d$/ }).click();
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toMatch(
        /^npx \S+ review --contract \S+ --base (.+\n)+ {2}--allow 'listNotifications:response:200\/body\.data\[\]\.severity:enum=<why>'$/,
      );
  });

  test("of review marks the words of a line that differ, with the numbers of lines in a column, and opens a body at its mark", async () => {
    await writeFile(join(folder, "diff.html"), await createDiffPage(join(folder, "limit.yaml")));
    const { page } = await openReport("diff.html", { colorScheme: "dark", width: 390 });
    expect(await page.locator("del mark, ins mark").allTextContents()).toEqual([
      ...["topicKey", "topic", "50", "20", ",", "Provider", "255", "256"],
      ...["Only", "notifications", "Lists", "only", "those", "exclusive", "inclusive"],
    ]);
    await expectText(
      page.getByRole("group", { name: "Changes" }),
      /1 breaking for clients and implem.*2 breaking for clients.*1 breaking for implem.*2 reworded, though decided/s,
    );
    const counts = page.getByRole("group", { name: "Changes" }).getByRole("link");
    expect(await counts.first().getAttribute("href"), "each count leads to its first").toMatch(/query\.topicKey/);
    const duties = page.locator(".beside", { hasText: "What client teams have to do" });
    await expectText(duties, /no longer send: query\.topicKey.*send: query\.limit must be at most 20.*implementers/s);
    const renamed = page.locator(".entry").filter({ hasText: "query.topicKey" });
    expect(await renamed.count(), "both names in one entry").toBe(1);
    const title = /query\.topicKey is renamed to query\.topic · requests of \w+ · breaks clients and implementations/;
    await expectText(renamed.locator("p").first(), title);
    const rows = page
      .getByRole("group", { name: "What changed" })
      .getByRole("row", { name: /reworded, though decided/ });
    await rows
      .filter({ hasText: /exclusive.*inclusive/ })
      .getByRole("link", { name: "before.description" })
      .click();
    await expectText(page.locator(".entry:target details[open]"), /D-40: Does the range include its ends/);
    const names = await page.locator(".side li li").allTextContents();
    expect(names.filter((name) => /\.description$/.test(name))).toHaveLength(2);
    await expectText(
      page.locator(".verdict ~ ol"),
      /if not, change the decision's answer as well, or undo them: transactionId\.\w+, before\.\w+\./,
    );
    const places = `[...document.querySelectorAll(".entry .wrong")].map((line) => {
      const [box, own] = [line.closest("pre"), line].map((part) => part.getBoundingClientRect());
      return own.bottom <= box.top || own.top >= box.bottom ? "outside" : "in its box";
    })`;
    expect([...new Set((await page.evaluate(places)) as string[])]).toEqual(["in its box"]);
    const cut = `[...document.querySelectorAll("pre:has(.hunk)")].filter((pre) => pre.scrollHeight > pre.clientHeight).length`;
    expect(await page.evaluate(cut), "a diff is not cut").toBe(0);
    const columns = (child: number) =>
      page.evaluate<number[]>(
        `[...[...document.querySelectorAll("pre:has(del)")].find((pre) => pre.textContent.includes("maximum: 50")).querySelectorAll("del, ins, .line")].map((line) => line.children[${child}].getBoundingClientRect().right)`,
      );
    expect(new Set(await columns(1)).size, "numbers").toBe(1);
    expect(new Set(await columns(2)).size, "indents").toBe(1);
    await expectUsable(page);
  });
});

async function createDiffPage(contractPath: string): Promise<string> {
  const text = await readFile(CONTRACT_PATH, "utf8");
  const edited = text.replace("maximum: 50, default: 10", "maximum: 20, default: 10");
  const renamed = edited.replace("name: topicKey", "name: topic").replace("maxLength: 255", "maxLength: 256");
  const more = renamed.replace("Only notifications of this", "Lists only those of this");
  const reworded = more.replace(
    "before this RFC 3339 timestamp, exclusive",
    "before this RFC 3339 timestamp, inclusive",
  );
  await writeFile(contractPath, reworded.replace("Payload, Webhook]", "Payload, Webhook, Provider]"));
  return formatHtml(await reviewContract({ contractPath, base: CONTRACT_PATH }));
}

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

const EVIDENCE = {
  checks: ["Status 200 (2 times)", ...Array.from({ length: 9 }, (_, index) => `page ${index}`)],
  sent: "curl -i x\n# 200",
  received: { status: 200, body: '{"page":0}' },
};

const PASSED: Result[] = [
  { id: "listNotifications › query.limit › a", cites: ["§4.2"], outcome: "pass", ms: 500, evidence: EVIDENCE },
  { id: "listNotifications › query.limit › b", cites: ["§4.2"], outcome: "pass", ms: 1000 },
  ...["listNotifications › c", "updatePreferences › c"].map(
    (id): Result => ({
      id,
      cites: [],
      outcome: "not applicable",
      ms: 0,
      reason: "needs `workflows`",
      lack: { entry: "workflows" },
    }),
  ),
];

const failed = (id: string, failure: Partial<Failure>): Result => ({
  id,
  cites: ["D-24"],
  outcome: "fail",
  ms: 1,
  failure: {
    code: "status",
    what: "status",
    expected: "",
    actual: "",
    sentence: `${id} is wrong.`,
    cites: ["D-24"],
    ...failure,
  },
});

const rejected = (id: string): Result =>
  failed(id, {
    expected: "422",
    actual: 400,
    status: { expected: [422], actual: 400 },
    received: { status: 400, body: '{"message":"Wrong.","statusCode":400,"ctx":{}}' },
  });

const RECORD = {
  _id: "1",
  channels: ["email"],
  jobs: [],
  tags: [],
  payload: { list: Array.from("a long list of letters") },
};

const FAILED: Result[] = [
  failed("listNotifications › d", { code: "law", what: "header.allow", expected: "GET", actual: "none" }),
  failed(ROOT_CASES.storage, { code: "value", what: "body.global", expected: { a: 1 }, actual: { a: 2 } }),
  ...["e", "f"].map((name) => ({
    ...failed(`updatePreferences › ${name}`, { code: "value", what: "body.global", expected: 1, actual: 2 }),
    assumes: ["stored updates" as const],
  })),
  ...["listNotifications › query.limit › maximum › 51", "listNotifications › g", "updatePreferences › h"].map(rejected),
  failed("listNotifications › i", {
    code: "contract",
    violation: {
      location: "body.data.0.transactionId",
      path: ["body", "data", "0", "transactionId"],
      message: "is required",
      code: "required",
    },
    received: { status: 200, body: JSON.stringify({ data: [RECORD], hasMore: false }) },
  }),
];

function createReport(results: Result[]): Report {
  return {
    url: "http://127.0.0.1:4010/",
    contract: { version: "2.0.0", sha256: "00" },
    capabilities: ["stateful"],
    except: [],
    changed: [],
    seed: 1,
    started: "2026-11-02T09:00:00.000Z",
    seconds: 1.5,
    results,
    citations: { "§4.2": "Listing is `GET`.", "D-24": "Is `limit` checked?" },
    answers: { "§4.2": "", "D-24": "Yes: 51 is `422`." },
  };
}

/** Of a target without the declared subscriber: some cases fail, most pass. */
async function createVerifyPage(): Promise<string> {
  const server = await startServer();
  const data = { ...DEMO_DATA, ...TARGETS.reference, subscriber: "nobody" };
  const target = { ...data, url: new URL(server.url), apiKey: server.apiKey };
  const only = ["updatePreferences › example", "› idempotency-key", "updatePreferences › key", "› query.limit"];
  const declaration = "--target reference";
  const report = await verify({
    contract: await loadContract(),
    target: { ...target, declaration },
    only,
    seed: 1,
    runs: 20,
  });
  await server.close();
  return formatHtmlReport(report);
}
