// The search that all pages of a server share.
import { afterAll, describe, expect, test } from "vitest";
import { startServer } from "../../src/proposals/start-server.js";
import { expectUsable, hasChromium, openPage } from "./chromium.js";
import { expectText } from "./console-page.js";

const server = await startServer();
afterAll(() => server.close());

async function openSearch(path: string) {
  const { page } = await openPage();
  await page.goto(server.url + path);
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByRole("option").first().waitFor();
  const options = dialog.getByRole("option");
  return { page, dialog, options, field: dialog.getByRole("combobox"), note: dialog.getByRole("status") };
}

describe.skipIf(!hasChromium)("the search", () => {
  test.each(["/", "/docs", "/_control", "/console#feed", "/no-such-page"])(
    "finds the places of both APIs from %s, also of a misspelled word",
    async (path) => {
      const { page, options, field, note } = await openSearch(path);
      await expectUsable(page, path);
      await field.fill("idempotancy");
      await expectText(note, /^Did you mean idempotency\? \d+ found$/);
      await expectText(options.locator("b").first(), /^idempotency$/i); // the word, not its stem alone
      await field.fill("limit");
      await expectText(options.locator("b").first(), /^limit$/);
      const marked = await options.locator("b").allTextContents();
      expect(
        marked.filter((word) => !/^limit/i.test(word)),
        "not within a word",
      ).toEqual([]);
      await field.fill("adFault");
      await expectText(options.first(), /^POST Add a fault/);
      await field.fill("idempotency key header");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.url}/docs#updatePreferences-header-idempotency-key`);
    },
  );

  test("finds first what everyday words mean, with the sentence that says so", async () => {
    const { page, options, field } = await openSearch("/docs");
    for (const [words, first] of [
      ["limit 50", /^query limitinteger .*at most 50/],
      ["50", /^query limit listNotificationsinteger .*at most 50/], // and neither 503 nor D-50
      ["page size", /^pageSize /],
      ["how do I paginate?", /^Page through a list/],
      ["how do i retry", /^Retry an update safely$/],
      ["read error", /^Read and fix a 422/],
      ["what to do about 422", /^Read and fix a 422/],
      ["what does 422 mean", /^Read and fix a 422/],
      ["tomas", /^Tomáš Novák tomas-novak · /],
      ["adFault", /^POST Add a fault \S+Control plane$/],
      ["filter by date", /^Filter by channels and dates/],
      ["filter channel", /^Filter by channels and dates/],
      ["turn off email", /^Switch a channel off/],
      ["unsubscribe", /^Switch a channel off/],
      ["sdk", /^Use the TypeScript client/],
      ["install client", /^Use the TypeScript client/],
      ["error handling", /^Retry an update safely/],
      ["backoff", /^Retry an update safely/],
      ["timeout", /^Retry an update safely/],
      ["sms off", /^Switch a channel off/],
      ["stop emails", /^Switch a channel off/],
      ["no more emails", /^Switch a channel off/],
      ["cancel email", /^Switch a channel off/],
      ["all pages", /^Page through a list/],
      ["last page", /^Page through a list/],
      ["date range", /^Filter by channels and dates/],
      ["getting started", /^Authenticate/],
      ["first request", /^Authenticate/],
      ["429", /^429 /],
      ["opt out", /^Switch a channel off/],
      ["iso 8601", /^query (after|before)/],
      ["timezone", /^query (after|before)/],
      ["how do I reset the data", /^POST Reset an environment to a seed/],
      ["inject error", /^Console: faults/],
      ["slow network", /^Console: faults/],
      ["sort order", /^D-25 /],
      ["rate limit", /^429 /],
      ["rate-limit", /^429 /],
      ["auth", /^Authenticate/],
      ["how do I authenticate", /^Authenticate/],
      ["typescript", /^Use the TypeScript client/],
      ["comma separated", /^Filter by channels and dates/],
      ["cursor", /^Page through a list/],
      ["api key", /^Authenticate/],
      ["error 422", /^Read and fix a 422/],
      ["unauthorised", /^401 .*Unauthorized$/],
      ["subscriberid", /^path subscriberId$/],
      ["has more", /^hasMore NotificationPage$/],
      ["d-29", /^D-29 May page and limit/],
      ["retry-after", /^Retry-After Headers of responses$/],
      ["emial", /^email /],
      ["limit xylophone", /^query limit/],
    ] as const) {
      await field.fill(words);
      await expectText(options.first(), first);
    }
    await field.fill("errors");
    await expectText(options.first(), /^Errors \d+$/);
    await field.fill("429");
    await expectText(options.nth(2), /^Retry an update safely/);
    await field.fill("limit xylophone");
    await expectText(page.getByRole("dialog").getByRole("status"), /^No place has all words: \d+ found with some$/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/#listNotifications-query-limit$/);
    await page.keyboard.press("Control+k");
    await expectText(page.getByRole("group", { name: "Recent" }), /^Recentquery limit listNotifications$/);
  });

  test("opens the views, environments and subscribers of the console", async () => {
    const { page, options, field } = await openSearch("/console#feed");
    await field.fill("inés");
    await expectText(options.first(), /^Inés Moreau ines-moreau/);
    await field.fill("default");
    await expectText(options.first(), /^default 150 notifications$/);
    await field.fill("ines");
    await expectText(options.first(), /^Inés Moreau/);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.url}/console?subscriber=ines-moreau#preferences`);
    await page.getByRole("switch").first().waitFor();
    await expectText(page.locator("#preferences"), /Inés Moreau/);
    await page.keyboard.press("Control+k");
    await field.fill("console faults");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#faults$/);
    await page.keyboard.press("Control+k");
    await field.fill("freeze");
    await page.keyboard.press("Enter");
    await expectText(page.locator("#environment [data-mode]"), "frozen");
  });

  test("says what it does not search while the server does not respond", async () => {
    const { page } = await openPage();
    await page.goto(server.url);
    await page.route("**/_control", (route) => route.abort());
    await page.getByRole("button", { name: "Search" }).click();
    await expectText(
      page.getByRole("option").filter({ hasText: "Docs: Control plane not" }),
      /the server does not respond/,
    );
  });
});
