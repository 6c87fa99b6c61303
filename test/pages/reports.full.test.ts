// The reports of `review` and `verify` in a real browser: from a file, without a network.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { startServer } from "../../src/start-server.js";
import { formatHtml } from "../../src/tools/review/report/review-report.js";
import { reviewContract } from "../../src/tools/review/review.js";
import type { Failure, Result } from "../../src/tools/verify/case.js";
import { DEMO_DATA, TARGETS } from "../../src/tools/verify/declared-target.js";
import type { Report } from "../../src/tools/verify/report/report.js";
import { formatPage } from "../../src/tools/verify/report/verify-page.js";
import { verify } from "../../src/tools/verify/verify.js";
import { contract } from "../support/contract.js";
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
    const verifyPage = await createVerifyPage();
    expect(verifyPage.length, "of all cases").toBeLessThan(400_000);
    await writeFile(join(folder, "verify.html"), verifyPage);
    await writeFile(join(folder, "red.html"), formatPage(createReport([...PASSED, ...FAILED])));
    await writeFile(join(folder, "green.html"), formatPage(createReport(PASSED)));
  });

  async function openReport(name: string, view?: View) {
    const { page, urls } = await openPage(view);
    const { href: url } = new URL(name, pathToFileURL(`${folder}/`));
    await page.goto(url);
    return { page, urls, url };
  }

  /** The first thing to fix, and whether to merge, need no press. */
  async function expectSeen(page: Page, ...texts: string[]): Promise<void> {
    for (const text of texts)
      expect((await page.getByText(text).first().boundingBox())?.y ?? 1e6, text).toBeLessThan(800);
  }

  describe.each([
    ["review.html", /^Reject: breaks clients .*; needs \d\.0\.0 · /],
    ["verify.html", /^The target violates the contract/],
  ])("%s", (name, title) => {
    test.each(VIEWS)("is accessible, fits, loads nothing, and links to ids, which are unique, %o", async (view) => {
      const { page, urls, url } = await openReport(name, view);
      await expectUsable(page);
      expect(urls).toEqual([url]);
      expect(await page.title(), "nothing of the contract runs").toMatch(title);
      const ids: string[] = await page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)");
      const links: string[] = await page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map(({ hash }) => decodeURIComponent(hash.slice(1)))",
      );
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      expect(links.filter((link) => !ids.includes(link))).toEqual([]);
    });
  });

  test("of verify lists causes by size, and shows the body with the place that is wrong", async () => {
    const { page } = await openReport("red.html");
    await expectSeen(page, "Rejects requests with 400 instead of 422.", "Run this case again");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    expect(await page.locator(".verdict > strong").innerText()).toMatch(/violates the contract: 4.causes$/);
    const causes = page.locator('details[id^="cause-"]');
    expect(await causes.locator("> summary .count").allTextContents()).toEqual([
      "4 cases",
      "3 cases\n2 follow from it",
      "1 case",
      "1 case",
    ]);
    const spanning = causes.first();
    await expectText(
      spanning.locator("> summary"),
      /Rejects requests with 400 instead of 422\.\s*Decision · listNotifications, updatePreferences · D-24/,
    );
    await expectText(spanning.locator(".wrong"), /^HTTP 400$/m);
    expect(await spanning.locator(".wrong").getAttribute("data-reason")).toBe("expected 422");
    await expectText(spanning.locator("pre").nth(1), /"statusCode": 400/);
    await expectText(spanning.locator("details"), /^Rests on D-24\s*D-24 Is limit checked\?\s*Yes: 51 is 422\./);
    await spanning.getByRole("button", { name: "Copy: Run this case again" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/ verify --url .*--only /s);
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

  test("of verify that is green fits one screen, and says what is not applicable and what to do next", async () => {
    const { page } = await openReport("green.html");
    await page.setViewportSize({ width: 1280, height: 800 });
    const height = "document.documentElement.scrollHeight";
    expect(await page.evaluate(height), "one screen").toBe(800);
    await expectText(page.locator(".verdict"), /2 passed.*2 not applicable: needs workflows/s);
    await page.locator(".verdict").getByRole("link", { name: "What to declare" }).press("Enter");
    await expectText(page.getByRole("group", { name: "Reasons" }), /needs workflows\s*2 cases/);
    await expectText(page.getByRole("group", { name: "verify.config.json" }), /"workflows": \[\s*{\s*"identifier"/);
    await expectText(page.getByRole("group", { name: "Write the file" }), /verify --init --url \S+$/);
    await expectText(page.getByRole("group", { name: "Run all cases again" }), /verify --url \S+ \\\n {2}--seed 1$/);
    await page.locator(".verdict").getByRole("link", { name: "run it in CI" }).click();
    await expectText(
      page.getByRole("group", { name: "Steps of a job" }),
      /verify --url \S+\n {4}--junit verify\.xml --html verify\.html\n- uses: .*upload-artifact/,
    );
    await page.getByText("listNotifications").last().click();
    const cases = page.getByRole("group", { name: "Cases of listNotifications" }).getByRole("row");
    await expectText(cases.nth(1), /^query\.limit › a\s*passed/);
  });

  test("of review begins with the verdict, has each change once, and the option of each reason", async () => {
    const { page } = await openReport("review.html");
    await expectSeen(page, "Reject:", "To get it accepted");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    expect(await page.locator("main strong").first().textContent()).toMatch(
      /^Reject: breaks clients \(200 body\.data\[\]\.severity may be urgent now\); .*changes D-60; .*needs \d\.0\.0$/,
    );
    const accepted = page.locator(".entry", { hasText: "query.limit" });
    await expectText(accepted, /^query\.limit maximum: 50 → 20 · .*breaks clients.*accepted/s);
    expect(await accepted.getAttribute("class"), "it is not red").toBe("entry warn");
    await expectText(page.locator("#accepted + ul"), /^query\.limit: agreed with all teams$/);
    await expectText(page.locator(".entry.warn", { hasText: "another answer" }), /^D-60 .*48 hours/s);
    await expectText(page.locator("#next-steps + ol"), /^Set info\.version to \d\.0\.0\..*Agree on .*accept D-60/s);
    const texts = await page.locator("main :is(li, td, p)").allTextContents();
    expect(texts.filter((text) => text.includes("`"))).toEqual([]);
    await page.locator(".verdict").getByRole("link", { name: "To get it accepted" }).click();
    await page
      .locator("#next-steps + ol")
      .getByRole("link", { name: /severity/ })
      .click();
    await expectText(page.locator(".entry:target p").first(), /^200 body\.data\[\]\.severity may be urgent now/);
    const overlaps = `[...document.querySelectorAll(".wrong")].filter((line) => {
      const note = Number.parseFloat(getComputedStyle(line, "::after").width);
      const { scrollWidth, offsetHeight } = line.firstElementChild;
      return scrollWidth + note > line.clientWidth && line.clientHeight < offsetHeight * 1.5;
    }).length`;
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(overlaps), `notes over values at ${width} px`).toBe(0);
    }
    const option = "listNotifications:response:200/body.data[].severity:enum";
    await page.getByRole("button", { name: `Copy: To accept ${option}` }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(`--allow '${option}=<why>'`);
  });

  test("of review marks the words of a line that differ, with the numbers of lines in a column, and opens a body at its mark", async () => {
    await writeFile(join(folder, "diff.html"), await createDiffPage(join(folder, "limit.yaml")));
    const { page } = await openReport("diff.html", { colorScheme: "dark", width: 390 });
    expect(await page.locator("del mark, ins mark").allTextContents()).toEqual([
      ...["topicKey", "topic", "50", "20", ",", "Provider", "255", "256"],
      ...["Only", "notifications", "Lists", "only", "those", "exclusive", "inclusive"],
    ]);
    const renamed = page.locator(".entry").filter({ hasText: "query.topicKey" });
    expect(await renamed.count(), "both names in one entry").toBe(1);
    const title = /query\.topicKey is renamed to query\.topic · breaks clients and implementations/;
    await expectText(renamed.locator("p").first(), title);
    const reworded = page.locator(".entry", { hasText: "reworded, though decided" });
    await expectText(
      reworded.filter({ hasText: "exclusive" }).locator("details[open]"),
      /D-40: Does the range include its ends/,
    );
    await expectText(
      page.locator("#next-steps + ol"),
      /change the decision's answer as well, or undo them\..*Or accept before\.\w+:/s,
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

const PASSED: Result[] = [
  { id: "listNotifications › query.limit › a", cites: ["§4.2"], outcome: "pass", ms: 500 },
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
  {
    ...failed("updatePreferences › an update › is there when it is read", {
      code: "value",
      what: "body.global",
      expected: { a: 1 },
      actual: { a: 2 },
    }),
    establishes: "stored updates",
  },
  ...["e", "f"].map((name) => ({
    ...failed(`updatePreferences › ${name}`, { code: "value", what: "body.workflows", expected: 1, actual: 2 }),
    assumes: ["stored updates" as const],
  })),
  ...["query.limit › maximum › 51", "g"].map((name) => rejected(`listNotifications › ${name}`)),
  ...["h", "j"].map((name) => rejected(`updatePreferences › ${name}`)),
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
  const only = ["› idempotency-key", "updatePreferences › key", "› query.limit"];
  const declaration = "--target reference";
  const report = await verify({
    contract,
    target: { ...target, declaration },
    only,
    seed: 1,
    runs: 20,
  });
  await server.close();
  return formatPage(report);
}
