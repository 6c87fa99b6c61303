// The console in a real browser, used by accessible names as a front-end developer would.
import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "../../src/browser/client/client.js";
import { createControl } from "../../src/browser/client/control.js";
import { startServer } from "../../src/proposals/start-server.js";
import { expectUsable, findAxeViolations, hasChromium, VIEWS, type View } from "./chromium.js";
import { expectCount, expectText, openConsole } from "./console-page.js";

const NOW = "2026-11-02T09:00:00Z";

const server = await startServer({ checkResponses: true });
afterAll(() => server.close());

describe.skipIf(!hasChromium)("/console", () => {
  /** A page with a new environment. */
  async function openEnvironment(seed: "demo" | "empty" = "demo", query = "", view?: View) {
    const control = createControl({ baseUrl: server.url });
    const { name, apiKey } = await control.createEnvironment({ seed, now: NOW });
    const shown = await openConsole(server, { query: `?environment=${name}${query}`, view });
    return { ...shown, control, name, apiKey };
  }

  /** A front-end's request of the list. Returns the status. */
  async function list(apiKey: string | undefined, query = ""): Promise<number> {
    const headers = apiKey === undefined ? {} : { Authorization: `ApiKey ${apiKey}` };
    const response = await fetch(`${server.url}/v1/notifications${query}`, { headers: new Headers(headers) });
    return response.status;
  }

  describe("preferences", () => {
    test("a switch sends one request; workflows without switches have a reason; changes by others are shown", async () => {
      const { page, open, control, name, apiKey } = await openEnvironment("demo", "&subscriber=eleni-papadaki");
      const preferences = await open("Preferences");
      const push = preferences.getByRole("switch", { name: "Comment Mention: Push" });
      await push.waitFor();
      expect(await push.isChecked()).toBe(true);
      const { latest } = await control.listRequests({ limit: 1 });
      expect(await push.getAttribute("title")).toBe("differs from all workflows");
      await push.click();
      const sent = await control.waitForRequest({ environment: name, after: latest, method: "PATCH" });
      expect(JSON.parse(sent.body ?? "")).toEqual({ channels: { push: false }, workflowId: "comment-mention" });
      expect(await push.getAttribute("title")).toBe("");
      await expectText(
        preferences.getByRole("region", { name: "Request" }).getByLabel("As curl", { exact: true }),
        /^curl -i -X PATCH .*--data-raw '{"channels":{"push":false},"workflowId":"comment-mention"}'$/s,
      );
      await page.reload();
      await push.waitFor();
      expect(await push.isChecked()).toBe(false);
      await expectText(preferences.getByRole("button", { name: "Subscriber" }), /eleni-papadaki$/);
      const row = (name: string) => preferences.getByRole("row", { name });
      await expectText(preferences.locator("[data-legend]"), /^differs from .*– not sent .*always cannot/);
      await expectText(row("Password Reset"), "always");
      await expectText(row("Tidepool Newsletter (old)"), "inactive: nothing is sent");
      await expectText(row("Billing Receipt"), "read-only: the API omits it");
      expect(await row("Password Reset").getByRole("switch").count()).toBe(0);
      const chat = preferences.getByRole("switch", { name: "All workflows: Chat" });
      await page.keyboard.press("/");
      for (const [key, focused] of [
        ["ArrowDown", "All workflows: In-app"],
        ["ArrowRight", "All workflows: E-mail"],
        ["ArrowLeft", "All workflows: In-app"],
        ["ArrowLeft", "All workflows: In-app"], // nothing is left of it
        ["ArrowDown", "Comment Mention: In-app"],
        ["ArrowRight", "Comment Mention: E-mail"],
        ["ArrowRight", "Comment Mention: Push"], // over channels that it has not
      ]) {
        await page.keyboard.press(key as string);
        expect(await page.evaluate("document.activeElement.ariaLabel"), key).toBe(focused);
      }
      const client = createClient({ baseUrl: server.url, apiKey });
      await client.updatePreferences("eleni-papadaki", { channels: { chat: false } });
      await expect.poll(() => chat.isChecked(), { timeout: 1_000 }).toBe(false);
    });

    test("what differs from all workflows is marked in its cell, and reset by one request", async () => {
      const { page, open, control, name } = await openEnvironment("demo", "&subscriber=ines-moreau");
      const preferences = await open("Preferences");
      const inputOf = (label: string) => preferences.getByRole("switch", { name: label });
      const marked = () =>
        page.evaluate(`[...document.querySelectorAll(".matrix td")]
        .filter((cell) => getComputedStyle(cell).backgroundColor !== "rgba(0, 0, 0, 0)")
        .map((cell) => cell.firstElementChild.ariaLabel)`);
      await inputOf("Comment Mention: Push").waitFor();
      const before = await marked();
      await inputOf("Comment Mention: In-app").click();
      await inputOf("Comment Mention: E-mail").click();
      const reset = preferences.getByRole("button", { name: "Reset to all workflows: Comment Mention" });
      await reset.waitFor();
      await expect.poll(marked).not.toEqual(before);
      for (const label of (await marked()) as string[]) {
        await inputOf(label).scrollIntoViewIfNeeded(); // a mark scrolls with its cell
        expect(await inputOf(label).getAttribute("title")).toBe("differs from all workflows");
      }
      await reset.hover();
      await expectText(preferences.getByRole("region", { name: "Request" }), '"workflowId":"comment-mention"');
      const { latest } = await control.listRequests({ limit: 1 });
      await reset.press("Enter");
      const sent = await control.waitForRequest({ environment: name, after: latest, method: "PATCH" });
      expect(Object.keys(JSON.parse(sent.body ?? "").channels).length).toBeGreaterThan(1);
      await expect.poll(() => reset.isVisible()).toBe(false);
      const markedHere = async () =>
        ((await marked()) as string[]).filter((name) => name.startsWith("Comment Mention"));
      expect(await markedHere()).toEqual([]);
      const focused = () => page.evaluate("document.activeElement.ariaLabel");
      expect(await focused(), "the button is gone").toBe("Comment Mention: In-app");
      await expectText(page.locator(".toast"), "Comment Mention is reset to all workflows.");
      await page.locator(".toast").getByRole("button", { name: "Undo" }).press("Enter");
      await expect.poll(markedHere).toHaveLength(2);
      expect(await focused()).toBe("Comment Mention: In-app");
      await page.keyboard.press("Control+z"); // the switch before
      await expectText(page.locator(".toast"), "Taken back: E-mail is off in Comment Mention.");
      await expect.poll(markedHere).toEqual(["Comment Mention: In-app"]);
      await preferences.getByRole("switch", { name: "Task Assigned: In-app" }).click();
      const readToast = () => page.locator(".toast").textContent();
      await expect.poll(readToast, { timeout: 4_000, message: "gone before its own time" }).toBe("");
    });

    test("quick switches are sent one after the other, and a rejected one is reverted", async () => {
      const { page, open, control, name } = await openEnvironment();
      const preferences = await open("Preferences");
      const everywhere = (channel: string) => preferences.getByRole("switch", { name: `All workflows: ${channel}` });
      await everywhere("SMS").click();
      await everywhere("Chat").click();
      await everywhere("SMS").click();
      await expect
        .poll(async () => {
          const { requests } = await control.listRequests({ environment: name, method: "PATCH" });
          return requests.map(({ body = "" }) => body).filter((body) => body !== '{"channels":{}}'); // reading
        })
        .toEqual(['sms":false', 'chat":false', 'sms":true'].map((change) => `{"channels":{"${change}}}`));
      expect([await everywhere("SMS").isChecked(), await everywhere("Chat").isChecked()]).toEqual([true, false]);
      await page.route("**/preferences", (route) => {
        const isUpdate = route.request().postData()?.includes("push"); // the page may read at any time
        return isUpdate ? route.fulfill({ status: 503, json: { message: "Later" } }) : route.continue();
      });
      await everywhere("Push").click();
      await expectText(preferences.getByRole("status"), /^503: .*Try again$/);
      expect(await everywhere("Push").isChecked()).toBe(true);
      await page.unroute("**/preferences");
      await preferences.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => everywhere("Push").isChecked(), { timeout: 10_000 }).toBe(false);
    });

    test("the request of a switch is shown before it is pressed, and after it the one that was sent", async () => {
      const { page, open } = await openEnvironment("demo", "&subscriber=eleni-papadaki");
      const preferences = await open("Preferences");
      const request = preferences.getByRole("region", { name: "Request" });
      const shown = request.locator("[data-code] pre").filter({ visible: true });
      const chat = preferences.getByRole("switch", { name: "All workflows: Chat" });
      await expectText(shown, /--data-raw '{"channels":{}}'$/);
      await chat.hover();
      await expectText(shown, '{"channels":{"chat":false}}');
      await chat.click();
      await expectText(request, "Sent: 200. Open in Requests");
      await expectText(request.getByRole("listitem").first(), /^All workflows: Chat off$/);
      await expectText(request.getByLabel("Response", { exact: true }), '"chat": false');
      await preferences.getByRole("switch", { name: "Comment Mention: Push" }).focus();
      await expectText(request, "This switch sends:");
      await expectText(shown, '{"channels":{"push":false},"workflowId":"comment-mention"}');
      await chat.click();
      await expectText(request.getByRole("listitem").first(), /^All workflows: Chat on$/);
      await request.getByRole("link", { name: "Open in Requests" }).click(); // while the switch loses the focus
      await expectText(page.locator("#requests .detail h3"), /^200 PATCH .*eleni-papadaki/);
    });

    test("a global switch can be taken back, with what it changed in the workflows", async () => {
      const { page, open, control, name, apiKey } = await openEnvironment("demo", "&subscriber=eleni-papadaki");
      const client = createClient({ baseUrl: server.url, apiKey });
      const read = async () => {
        const result = await client.readPreferences("eleni-papadaki");
        return result.ok && result.data;
      };
      const before = await read();
      const preferences = await open("Preferences");
      await preferences.getByRole("switch", { name: "All workflows: E-mail" }).click();
      await expectText(page.locator(".toast"), "E-mail is off in all workflows.");
      const [toast, view] = [await page.locator(".toast").boundingBox(), await preferences.boundingBox()];
      expect(toast?.y, "it covers nothing").toBeGreaterThanOrEqual((view?.y ?? 0) + (view?.height ?? 0));
      await control.waitForRequest({ environment: name, method: "PATCH", search: '"email":false' });
      expect(await read()).not.toEqual(before);
      await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
      await expect.poll(read).toEqual(before);
    });

    test("long ids and names move nothing, and switches show their state in forced colours", async () => {
      const { page, open, control, name } = await openEnvironment("demo", "&subscriber=eleni-papadaki");
      const preferences = await open("Preferences");
      const first = preferences.getByRole("switch", { name: "All workflows: In-app" });
      await first.waitFor();
      const place = async () => ({ x: (await first.boundingBox())?.x, width: (await first.boundingBox())?.width });
      const before = await place();
      for (const text of ["a".repeat(120), "注文が発送されました".repeat(12), "🎉".repeat(60)]) {
        const identifier = `long-${text.codePointAt(0)}-${"a".repeat(90)}`;
        await control.addWorkflow(name, {
          identifier,
          name: text,
          channels: ["in_app"],
          tags: [text],
          critical: false,
        });
        await preferences.getByRole("row", { name: identifier }).waitFor();
        expect(await place()).toEqual(before);
      }
      expect(before.x, "no gap between names and switches").toBeLessThan(700);
      await page.emulateMedia({ forcedColors: "active" });
      const look = (name: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('[aria-label="${name}"]')).backgroundImage`);
      expect(await look("All workflows: In-app")).toContain("radial-gradient");
      expect(await look("All workflows: In-app")).not.toBe(await look("All workflows: Push"));
    });
  });

  describe("notifications", () => {
    test("every filter of the contract is sent as it was chosen; errors of the API are shown", async () => {
      const { page, open, feed, control, name } = await openEnvironment("demo", "&limit=5");
      const notifications = await open("Feed");
      await notifications.getByText("More filters").click();
      const { latest } = await control.listRequests({ limit: 1 });
      const texts = {
        Emails: "amara+tidepool@example.com",
        "Transaction id": "deploy 2 & 3",
        "Topic key": "team:design",
        "After (UTC)": "2026-10-01T00:00",
        "Before (UTC)": "2026-11-01T12:30",
        "Search (deprecated)": "moreau",
      };
      await notifications.locator("[data-time]").selectOption("from … to …");
      await notifications.locator("[name=templates]").selectOption("Weekly Digest");
      for (const [label, text] of Object.entries(texts))
        await notifications.getByLabel(label, { exact: true }).fill(text);
      await page.keyboard.press("Enter");
      await expectText(notifications.locator("[data-empty]"), "No notification matches the filter.Show all");
      await expect
        .poll(async () => {
          const { requests } = await control.listRequests({ environment: name, after: latest, status: 200 });
          return Object.fromEntries(new URL(requests.at(-1)?.target ?? "", server.url).searchParams);
        })
        .toEqual({
          templates: expect.stringMatching(/^[0-9a-f]{24}$/),
          emails: "amara+tidepool@example.com",
          transactionId: "deploy 2 & 3",
          topicKey: "team:design",
          after: "2026-10-01T00:00:00Z",
          before: "2026-11-01T12:30:00Z",
          search: "moreau",
          limit: "5",
        });
      const chip = (text: string) => notifications.getByRole("button", { name: `Remove the filter ${text}` });
      await chip("Workflow: Weekly Digest").waitFor();
      await chip("After (UTC): 2026-10-01 00:00").waitFor();
      await page.goto(page.url().replace(/after=[^&]*/, "after=yesterday"));
      await expectText(notifications.getByRole("status").first(), /^422: (?!.*Try again).*query\.after/);
      await chip("After (UTC): yesterday").waitFor();
      await expectCount(feed, 0);
      await notifications.getByRole("button", { name: "Clear filters" }).click();
      await expectCount(feed, 5);
      await notifications.getByText("More filters").click();
      await notifications.getByLabel("Transaction id").fill("none");
      await notifications.getByLabel("Transaction id").press("Enter");
      await notifications.getByRole("button", { name: "Show all" }).click();
      await expectCount(feed, 5);
    });

    test("the latest hours are by the environment's clock; their start stays in the address", async () => {
      const { page, open, feed } = await openEnvironment();
      const notifications = await open("Feed");
      const time = notifications.locator("[data-time]");
      const findAfter = () => new URL(page.url()).searchParams.get("after");
      await time.selectOption("last hour");
      await expect.poll(findAfter).toBe("2026-11-02T08:00:00Z");
      await expectText(feed.last(), /^08:/);
      expect(await notifications.getByLabel("After (UTC)", { exact: true }).isVisible()).toBe(false);
      await page.reload();
      await expectText(notifications.locator(".chip"), "After (UTC): 2026-11-02 08:00 ×");
      await notifications.getByLabel("After (UTC)", { exact: true }).waitFor();
      expect(await time.inputValue()).toBe("own");
      await notifications.getByRole("button", { name: "Clear filters" }).click();
      await expectCount(feed, 25);
      await time.selectOption("from … to …");
      await notifications.getByLabel("Before (UTC)", { exact: true }).fill("2026-11-01T00:00");
      await notifications.getByLabel("Before (UTC)", { exact: true }).press("Enter");
      await expectText(feed.first(), /^(?!08:)/);
      await notifications.getByRole("button", { name: "Clear filters" }).click();
      await expectText(feed.first(), /^08:/);
      expect([findAfter(), await notifications.getByLabel("After (UTC)", { exact: true }).isVisible()]).toEqual([
        null,
        false,
      ]);
    });

    test("a failed one opens as its delivery, in which only what failed is red; JSON and curl are behind tabs", async () => {
      const { open, feed, control, name } = await openEnvironment();
      const [added] = await control.addNotifications(name, {
        subscriberId: "eleni-papadaki",
        workflow: "task-assigned",
        outcome: "failed",
        payload: { actorName: "Ada" },
      });
      const notifications = await open("Feed");
      const row = feed.filter({ hasText: "failed" }).first();
      await expectText(row.getByRole("cell").last(), /^failedIn-app \+\d$/);
      const [recipient, steps] = [row.getByRole("cell").nth(2), row.getByRole("cell").nth(3)];
      await row.click();
      const detail = notifications.getByRole("region", { name: "Notification" });
      await detail.waitFor();
      for (const cell of [recipient, steps]) expect(await cell.isVisible(), "the row stays whole").toBe(true);
      await expectText(detail.locator(".timeline"), /Triggered txn_.*In-app failed.*Step created.*rejected/s);
      const red = await detail.locator(".timeline .bad:not(.tag)").allTextContents();
      expect(red.length).toBeGreaterThan(0);
      for (const text of red) expect(text).toMatch(/rejected/);
      await expectText(detail.getByRole("group", { name: "Payload" }), '"actorName": "Ada"');
      const recipientLink = detail.getByRole("link", { name: "Ελένη Παπαδάκη" });
      expect(await recipientLink.getAttribute("href")).toMatch(/&subscriber=eleni-papadaki#preferences$/);
      await detail.getByLabel("JSON", { exact: true }).check();
      await expectText(detail.locator("pre").filter({ visible: true }), `"_id": "${added?._id}"`);
      await detail.getByLabel("curl", { exact: true }).check();
      await expectText(detail.locator("pre").filter({ visible: true }), /^curl .*transactionId=txn_/);
      const message = "佐藤 遥 gave you Move the import to the new queue";
      await detail.getByLabel("Delivery", { exact: true }).check();
      await feed.filter({ hasText: message }).click();
      await expectText(detail.locator("blockquote").first(), message);
      await expectText(detail.locator("blockquote").last(), "New task: Move the import to the new queue");
      await feed.filter({ hasText: "Thread Activity" }).filter({ hasText: "in progress" }).first().click();
      await expectText(detail.locator("blockquote"), "2 replies in Where do archived cards go?");
      await feed.filter({ hasText: "Thread Activity" }).filter({ hasText: "delivered" }).first().click();
      await expectText(detail.locator("blockquote"), "{{step.digest.events.length}} replies in"); // it was merged
    });
  });

  test.each(["Feed", "Requests"] as const)(
    "%s: the address has the open row, so that a reload keeps it; Back closes it, Forward opens it",
    async (view) => {
      const { page, open, apiKey } = await openEnvironment();
      for (const limit of [1, 2]) await list(apiKey, `?limit=${limit}`);
      const panel = await open(view);
      const rows = panel.locator("tbody tr:not(.day)");
      const detail = panel.locator(".detail");
      const expectOpen = async (place: number | undefined) => {
        const opened = place === undefined ? undefined : rows.nth(place);
        const id = (await opened?.getAttribute("data-id")) ?? null;
        const parameter = view === "Feed" ? "notification" : "request";
        await expect.poll(() => new URL(page.url()).searchParams.get(parameter)).toBe(id);
        await expectCount(panel.locator("tr.current"), opened ? 1 : 0);
        if (opened) await expect.poll(() => opened.getAttribute("class")).toMatch(/current/);
        await expect.poll(() => detail.isVisible()).toBe(opened !== undefined);
      };
      await rows.nth(1).getByRole("button").click();
      await expectOpen(1);
      await page.keyboard.press("ArrowUp");
      await expectOpen(0);
      await page.reload();
      await expectOpen(0);
      await page.goBack();
      await expectOpen(undefined);
      await page.goForward();
      await expectOpen(0);
      await rows.nth(1).click();
      await expectOpen(1);
      await page.keyboard.press("Escape");
      await expectOpen(undefined);
      for (const place of [1, 0, undefined]) {
        await page.goBack();
        await expectOpen(place);
      }
      expect(new URL(page.url()).hash).toBe(`#${view.toLowerCase()}`);
      await page.goto(page.url().replace("#", `&${view === "Feed" ? "notification" : "request"}=removed#`));
      await expectText(detail, /^CloseNot found: removedIt /);
      await page.keyboard.press("Escape");
      await expectOpen(undefined);
      await page.goto(page.url().replace(/#.*/, "#nope"));
      await page.waitForURL(/#(feed|requests)$/);
    },
  );

  test("Back restores the filter that the address had", async () => {
    const { page, open, log, apiKey } = await openEnvironment();
    for (const limit of [1, 51]) await list(apiKey, `?limit=${limit}`);
    const requests = await open("Requests");
    await log.last().click();
    await requests.getByRole("region", { name: "Request" }).waitFor();
    await requests.getByLabel("Rejected").check();
    await expectCount(log, 1);
    await page.goBack();
    await expectCount(log, 2);
    expect(await requests.getByLabel("All", { exact: false }).first().isChecked()).toBe(true);
  });

  test("a segment is no text: keys work in it; Escape clears a search, then leaves it for the rows", async () => {
    const { page, open, log, apiKey } = await openEnvironment();
    for (const limit of [51, 52]) await list(apiKey, `?limit=${limit}`);
    const requests = await open("Requests");
    await expectCount(log, 2);
    await requests.getByLabel("Rejected").check();
    await page.keyboard.press("/");
    await page.keyboard.type("limit=51");
    await expectCount(log, 1);
    await page.keyboard.press("5"); // is text here
    const search = requests.getByLabel("Search");
    expect(await search.inputValue()).toBe("limit=515");
    await page.keyboard.press("Escape");
    await expectCount(log, 2);
    expect([await search.inputValue(), await requests.locator("[data-search]:focus").count()]).toEqual(["", 1]);
    await page.keyboard.press("ArrowDown");
    await expectCount(log.first().locator("button:focus"), 1);
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await expectCount(log.last().locator("button:focus"), 1);
    await page.keyboard.press("Enter");
    const detail = requests.getByRole("region", { name: "Request" });
    await detail.getByLabel("Headers", { exact: true }).check();
    await page.keyboard.press("2");
    await page.waitForURL(/#feed$/);
  });

  describe("requests", () => {
    test("on a narrow screen, one row of filters stands before the first request", async () => {
      const { page, open, log, apiKey } = await openEnvironment("demo", "", { colorScheme: "light", width: 390 });
      const requests = await open("Requests");
      await list(apiKey, "?limit=3");
      await expectCount(log, 1);
      const bottomOf = async (place: typeof log) =>
        ((await place.boundingBox())?.y ?? 0) + ((await place.boundingBox())?.height ?? 0);
      expect((await bottomOf(requests.locator(".bar"))) - (await bottomOf(requests.locator(".title")))).toBeLessThan(
        70,
      );
      await requests.getByText("Filters", { exact: true }).click();
      await requests.getByLabel("Status").selectOption("404");
      await expectText(requests.locator("summary"), "Filters (1)");
      await expectCount(log, 0);
      await requests.getByRole("button", { name: "Show all" }).click();
      await list(apiKey, `?limit=3&unknown=${"a".repeat(40)}`);
      const isCut = "((line) => line.scrollWidth > line.clientWidth)(document.querySelector('.log tbody button'))";
      await expectCount(log, 2);
      expect(await page.evaluate(isCut), "a long target has a second line").toBe(false);
      await log.first().click();
      const strip = await requests.getByRole("group", { name: "Shown as" }).boundingBox();
      expect((strip?.x ?? 0) + (strip?.width ?? 999), "every tab is seen").toBeLessThan(390);
      const isWhole =
        "((strip) => strip.scrollWidth <= strip.clientWidth)(document.querySelector('.detail .segments'))";
      expect(await page.evaluate(isWhole)).toBe(true);
    });
  });

  describe("faults", () => {
    test("the focus stays at its button, or goes to that of the next fault", async () => {
      const { page, open, control, name } = await openEnvironment();
      for (const status of [500, 503, 429]) await control.addFault(name, { status });
      const faults = await open("Faults");
      const items = faults.getByRole("listitem");
      await expectCount(items, 3);
      const expectFocus = (place: number, button: string) =>
        expectCount(items.nth(place).getByRole("button", { name: button }).and(page.locator(":focus")), 1);
      await items.nth(1).getByRole("button", { name: "Pause" }).press("Enter");
      await expectFocus(1, "Resume");
      await control.addFault(name, { status: 404 });
      await expectCount(items, 4);
      await expectFocus(1, "Resume");
      for (const left of [3, 2, 1]) {
        await items.nth(1).getByRole("button", { name: "Remove" }).press("Enter");
        await expectCount(items, left);
        await expectFocus(Math.min(1, left - 1), "Remove");
      }
      await page.keyboard.press("Enter");
      await expectCount(items, 0);
      await expectCount(faults.locator("[data-presets] button:focus"), 1);
    });

    test("all are removed and restored, active presets are marked, and a delay is not called a response", async () => {
      const { page, open, log, control, name, apiKey } = await openEnvironment();
      const faults = await open("Faults");
      const slow = faults.getByRole("button", { name: "Slow 3G" });
      const isOn = () => slow.getAttribute("aria-pressed");
      const { y } = (await slow.boundingBox()) ?? { y: -1 };
      await slow.click();
      await expect.poll(isOn).toBe("true");
      await expectText(faults.getByRole("listitem"), "every request → 400 to 2,000 ms late");
      expect((await slow.boundingBox())?.y, "it stays under the pointer").toBe(y);
      const colour = "getComputedStyle(document.querySelector('[data-presets] :hover')).backgroundColor";
      expect(await page.evaluate(colour), "and keeps its colour").toBe("rgb(255, 245, 219)");
      await slow.click();
      await expect.poll(isOn, { message: "the next press removes it" }).toBe("false");
      await faults.getByRole("button", { name: "Flaky" }).click();
      await expectText(faults.getByRole("listitem"), "every request → 503, 10 % of the time");
      await faults.getByRole("listitem").getByRole("button", { name: "Remove" }).click();
      await expectCount(faults.getByRole("listitem"), 0);
      await control.addFault(name, { preset: "slow-3g", when: { subscriberId: "ines-moreau" } });
      await expectCount(faults.getByRole("listitem"), 1);
      expect(await isOn(), "another fault").toBe("false");
      await control.clearFaults(name);
      await slow.click();
      await expect.poll(isOn).toBe("true");
      await control.addFault(name, { status: 503, isUpdate: true });
      await control.updateFault(name, (await control.listFaults(name))[1]?.id ?? "", { paused: true });
      const items = faults.getByRole("listitem");
      await expectText(items.last(), /^paused/);
      const before = await items.allTextContents();
      await faults.getByRole("button", { name: "Remove all" }).click();
      await expectCount(items, 0);
      await expect.poll(isOn).toBe("false");
      await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
      await expect.poll(() => items.allTextContents()).toEqual(before);
      expect(await list(apiKey)).toBe(200);
      await open("Requests");
      await expectText(log, /delayed [\d,]+ ms by a fault/);
      await expectText(log.locator(".number.warn"), / ms$/); // a slow one stands out
    });

    test("responses, delays, examples and presets are added as the control plane takes them", async () => {
      const { open, control, name } = await openEnvironment();
      const faults = await open("Faults");
      await faults.getByText("More", { exact: true }).click();
      const CASES = [
        ["as usual, but late", "Delay in ms", "1", { delayMs: 1 }, "every request → 1 ms late"],
        ["none: the connection is closed", "How many times", "2", { disconnect: true }, "→ no response, 2 times"],
        ["emptyPage", "How many times", "3", { example: "emptyPage", count: 3 }, "→ emptyPage, 3 times"],
      ] as const;
      for (const [response, label, text, expected, sentence] of CASES) {
        await faults.getByLabel("Response").selectOption(response);
        await faults.getByLabel(label).fill(text);
        await faults.getByRole("button", { name: "Add fault" }).click();
        await expectText(faults.getByRole("listitem"), sentence);
        expect(await control.listFaults(name)).toMatchObject([expected]);
        await faults.getByLabel(label).fill("");
        await faults.getByRole("button", { name: "Remove all" }).click();
        await expectCount(faults.getByRole("listitem"), 0);
      }
      await faults.getByRole("button", { name: "Second page fails" }).click();
      await expectText(faults.getByRole("listitem"), "listNotifications → 503, from its 2nd request, once");
      expect(await control.listFaults(name)).toMatchObject([
        { operation: "listNotifications", status: 503, skip: 1, count: 1 },
      ]);
    });
  });

  test("a subscriber is found by a part of the name, the id or the address", async () => {
    const { page, open } = await openEnvironment();
    const preferences = await open("Preferences");
    const picker = preferences.getByRole("button", { name: "Subscriber" });
    for (const [text, picked, id] of [
      ["παπαδ", /^Ελένη Παπαδάκη eleni-papadaki$/, "eleni-papadaki"],
      ["nes-mor", /^Inés Moreau ines-moreau$/, "ines-moreau"],
      ["amara+", /^Amara Okafor amara-okafor$/, "amara-okafor"],
    ] as const) {
      await picker.click();
      await page.getByRole("combobox", { name: "Subscriber" }).fill(text);
      await expectText(page.getByRole("option").first(), id);
      await page.keyboard.press("Enter");
      await expectText(picker.locator("[data-picked]"), picked);
      await expect.poll(() => new URL(page.url()).searchParams.get("subscriber")).toBe(id);
    }
  });

  test("notifications are filtered and paged, and a reload keeps both", async () => {
    const { page, open, feed, control, name } = await openEnvironment("demo", "&limit=3");
    const notifications = await open("Feed");
    await expectCount(feed, 3);
    for (const channel of ["In-app", "SMS"]) await notifications.getByLabel(/^Channel/).selectOption(channel);
    await notifications.getByRole("button", { name: "Older" }).click();
    await expectText(notifications.locator("[data-page]"), /^4–6$/);
    const second = await feed.allTextContents();
    await page.reload();
    await expectText(notifications.locator("[data-page]"), /^4–6$/);
    expect(await feed.allTextContents()).toEqual(second);
    await expect.poll(() => new URL(page.url()).searchParams.getAll("channels")).toEqual(["in_app", "sms"]);
    await notifications.getByRole("button", { name: "Clear filters" }).click();
    await expectText(notifications.locator("[data-page]"), /^1–3$/);
    await control.addNotifications(name, { subscriberId: "ines-moreau", outcome: "digest" });
    await expectText(feed.first(), /Inés Moreau.*in progress/);
  });

  test("a rejected request says why, and is sent again with the right name", async () => {
    const { page, open, log, apiKey, name } = await openEnvironment();
    const requests = await open("Requests");
    expect(await list(apiKey, "?limit=51&chanels=email")).toBe(422);
    const entry = log.filter({ hasText: name });
    await expectText(entry, /^422GET …\/notifications\?limit=51&chanels=email.*chanels → channels\? · limit .*50/);
    await entry.getByRole("button").press("Enter");
    const detail = requests.getByRole("region", { name: "Request" });
    expect(await detail.locator(".wrong").allTextContents()).toEqual(['  "limit": "51",\n', '  "chanels": "email"\n']);
    await detail.getByRole("button", { name: "Edit" }).click();
    await detail.getByLabel("chanels query").press("Tab");
    await page.keyboard.press("Enter"); // Rename chanels to channels
    expect(await detail.getByLabel("channels query").inputValue(), "the value stays").toBe("email");
    await detail.getByRole("button", { name: "Send", exact: true }).click();
    await expectText(detail.getByRole("heading").first(), /^422 .*limit=51&channels=email$/);
    await page.keyboard.press("Escape");
    expect(await detail.isVisible()).toBe(false);
  });

  test("arrows move through the requests, Enter opens one, Send again opens its row, Escape closes it", async () => {
    const { page, open, log, apiKey } = await openEnvironment();
    const requests = await open("Requests");
    for (const limit of [1, 2, 3]) await list(apiKey, `?limit=${limit}`);
    await expectCount(log, 3);
    await page.locator("body").press("ArrowDown");
    const focused = () => page.evaluate("document.activeElement.textContent");
    expect(await focused()).toMatch(/limit=3/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const detail = requests.getByRole("region", { name: "Request" });
    await expectText(detail.getByRole("heading").first(), /limit=2/);
    await page.keyboard.press("ArrowDown");
    await expectText(detail.getByRole("heading").first(), /limit=1/);
    await detail.getByRole("button", { name: "Send again" }).click();
    await expectCount(log, 4);
    await expectCount(requests.locator("tr.current").and(log.first()), 1);
    await page.keyboard.press("Escape");
    expect([await detail.isVisible(), await focused()]).toEqual([false, expect.stringMatching(/limit=1/)]);
  });

  test("requests are searched and filtered by the server, and a reload keeps the filter", async () => {
    const { page, open, log, control, apiKey, name } = await openEnvironment();
    const requests = await open("Requests");
    await control.addFault(name, { status: 503, count: 1 });
    expect([await list(apiKey, "?limit=4"), await list(apiKey, "?limit=5")]).toEqual([503, 200]);
    expect(await list(apiKey, "?limit=51")).toBe(422);
    await expectCount(log, 3);
    const outcomes = requests.getByRole("group", { name: "Outcome" });
    await outcomes.getByLabel("Failed").check();
    await expectText(log, /^503.*limit=4/);
    await page.reload();
    await expectText(log, /^503.*limit=4/);
    await outcomes.getByLabel("All").check();
    await requests.getByLabel("Status").selectOption("422");
    await expectText(log, /^422.*limit=51/);
    await requests.getByLabel("Search").fill("no such text");
    await expectText(requests.locator("[data-empty]"), "No request matches the filter.");
  });

  test("an environment is created, saved as a seed, reset and deleted, each after a question that names it", async () => {
    const { page, open, control } = await openEnvironment();
    const environment = await open("Environment");
    const press = (name: string) => environment.getByRole("button", { name, exact: true }).click();
    const answer = (question: string, name: string) =>
      page.getByRole("dialog", { name: question }).getByRole("button", { name }).click();
    await environment.getByRole("textbox", { name: "New environment" }).fill("test-environment");
    await environment.getByLabel(/^Seed/).selectOption("demo");
    await environment.getByRole("button", { name: "Create" }).click();
    await expectText(environment.getByRole("heading").first(), "Environment test-environment");
    const { apiKey = "" } = await control.getEnvironment("test-environment");
    await expectText(environment.locator("[data-key]"), apiKey);
    await control.addSubscriber("test-environment", { subscriberId: "newcomer" });
    await expectText(environment, "26 subscribers");
    const saving = page.waitForEvent("download");
    await press("Download as seed");
    const data = JSON.parse(await readFile(await (await saving).path(), "utf8"));
    expect(await control.createEnvironment({ data })).toMatchObject({ subscribers: 26, notifications: 150 });
    await press("Reset to its seed");
    await answer("Reset test-environment to its seed?", "Cancel");
    expect((await control.getEnvironment("test-environment")).subscribers).toBe(26);
    await press("Reset to its seed");
    await answer("Reset test-environment", "Reset");
    await expectText(environment, "25 subscribers");
    await press("Delete this environment");
    await answer("Delete test-environment with all its data?", "Delete");
    await expectText(page.locator(".toast"), "test-environment is deleted.");
  });

  test("the clock is frozen, advanced and set", async () => {
    const { open, control, name } = await openEnvironment();
    const clock = (await open("Environment")).locator("#clock");
    const now = clock.getByRole("time");
    await expectText(now, "2026-11-02 09:00:00 UTC");
    await clock.getByRole("button", { name: "+ 1 day" }).click();
    await expectText(now, "2026-11-03 09:00:00 UTC");
    await clock.getByRole("button", { name: "Resume" }).click();
    await expectText(clock.locator(".tag"), /^running, .* (ahead|behind)$/);
    await clock.getByRole("button", { name: "Freeze" }).click();
    await expectText(clock, "frozen");
    expect(await control.getClock(name)).toMatchObject({ mode: "frozen" });
    await clock.getByLabel("Time (UTC)").fill("2026-10-20T00:00:00");
    await clock.getByRole("button", { name: "Set" }).click();
    await expectText(now, "2026-10-20 00:00:00 UTC");
    await clock.getByRole("button", { name: "Follow the server" }).click();
    await expect.poll(() => clock.getByRole("button", { name: "Follow" }).isVisible()).toBe(false); // it does now
  });

  test("the clock says how far it is from the server's, however long ago it was loaded", async () => {
    const { name } = await createControl({ baseUrl: server.url }).createEnvironment({ seed: "demo" });
    const { page, open, feed } = await openConsole(server, { query: `?environment=${name}` });
    await expectCount(feed, 25);
    await page.clock.install();
    await page.clock.fastForward("05:00"); // between loading the environment and showing it
    const clock = (await open("Environment")).locator("#clock");
    await expectText(clock.locator(".tag"), /^running$/);
    expect(await clock.getByRole("button", { name: "Follow the server" }).isVisible(), "it follows").toBe(false);
    await clock.getByRole("button", { name: "+ 7 days" }).click();
    await expectText(clock.locator(".tag"), /^running, 6 days 23 h 5\d min ahead$/); // the page's clock was put forward
  });

  describe("environments", () => {
    test("the focus stays in the list while others use an environment", async () => {
      const { page, open, control, name } = await openEnvironment();
      const environment = await open("Environment");
      const item = environment.getByRole("listitem").filter({ hasText: name });
      await item.getByRole("button", { name: "Copy key" }).focus();
      await page.evaluate(`for (const row of document.querySelectorAll("#environments li")) row.dataset.before = "";`);
      await control.addNotifications(name, { subscriberId: "ines-moreau" });
      await expectText(item, "151 notifications");
      expect(await item.getAttribute("data-before"), "the same row: a press is not lost").toBe("");
      await expectCount(item.getByRole("button", { name: "Copy key" }).and(page.locator(":focus")), 1);
    });

    test("a double click creates one, and nothing moves below the pointer", async () => {
      const { page, open } = await openEnvironment();
      const environment = await open("Environment");
      const sent: string[] = [];
      page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
      const create = environment.getByRole("button", { name: "Create" });
      const before = await create.boundingBox();
      await create.dblclick();
      await expectText(page.locator(".toast"), "is created.");
      expect(sent).toEqual([`${server.url}/_control/environments`]);
      expect(await create.boundingBox()).toEqual(before);
    });

    test("a deleted environment is reported, and the others are offered", async () => {
      const { page, open, feed, control, name } = await openEnvironment();
      await expectCount(feed, 25);
      await control.deleteEnvironment(name);
      await expectText(page.getByRole("alert"), `There is no environment ${name}.`);
      await expectCount(feed, 0);
      await open("Requests"); // another view is not another environment
      expect(await page.getByRole("alert").isVisible()).toBe(true);
      await page.getByRole("alert").getByRole("button", { name: "default" }).click();
      await open("Feed");
      await expectCount(feed, 25);
    });
  });

  test("on a narrow screen, presets of faults stand above the form", async () => {
    const { open } = await openEnvironment("demo", "", { colorScheme: "light", width: 390 });
    const faults = await open("Faults");
    const [presets, form] = [faults.locator("[data-presets]"), faults.locator("[data-add]")];
    await expectCount(presets.getByRole("button"), 6);
    const [above, below] = [await presets.boundingBox(), await form.boundingBox()];
    expect(above?.width).toBeGreaterThan(300);
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
  });

  test("dialogs are accessible: ? lists the shortcuts, 5 opens a view, environments are listed, a notification is sent", async () => {
    const { page, open, feed, control, name } = await openEnvironment();
    await expectCount(feed, 25);
    const expectDialog = async (label: string) => {
      await page.getByRole("dialog", { name: label }).waitFor();
      expect(await findAxeViolations(page), label).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await page.getByRole("dialog").count(), label).toBe(0);
    };
    await page.keyboard.press("?");
    await expectText(page.getByRole("dialog"), /Ctrl Enter\s*send an edited request/);
    await expectDialog("Shortcuts");
    await page.keyboard.press("5");
    await page.waitForURL(/#environment$/);
    await page.locator("#environment-name").click();
    await expectText(page.getByRole("option").filter({ hasText: name }), /150 notifications, clock frozen/);
    await expectDialog("Environment");
    await (await open("Feed")).getByRole("button", { name: "Send a notification" }).click();
    await expectDialog("Send a notification");
    await control.setClock(name, { mode: "frozen" });
    expect(await page.title()).toBe(`Feed · ${name} · notifications-contract`);
  });

  test.each(VIEWS)(
    "is one accessible screen that keeps to its origin and policy, $colorScheme at $width",
    async (view) => {
      const { page, urls, messages, open, log, feed, control, name, apiKey } = await openEnvironment("demo", "", view);
      await control.addFault(name, { status: 503, delayMs: 1, share: 0.5, operation: "updatePreferences" });
      await list(apiKey, "?limit=51");
      const expectOneScreen = async (what: string) => {
        await expectUsable(page, what);
        expect(await page.evaluate("document.documentElement.scrollHeight <= innerHeight"), what).toBe(true);
      };
      await expectCount(feed, 25);
      await feed.first().click();
      await expectOneScreen("feed");
      const requests = await open("Requests");
      await requests.getByRole("combobox", { name: "Show" }).selectOption("all environments");
      const target = log.filter({ hasText: name }).getByRole("button", { name: "GET …/notifications" });
      expect((await target.boundingBox())?.width, "the target of a request").toBeGreaterThan(100);
      await target.click();
      await expectOneScreen("requests");
      await (await open("Preferences")).getByRole("switch").first().waitFor();
      for (const other of ["Preferences", "Faults", "Environment"] as const) {
        const sides = (await open(other)).locator(".sides > :not([hidden])");
        const [left, right] = [await sides.first().boundingBox(), await sides.last().boundingBox()];
        expect((right?.x ?? 0) > (left?.x ?? 0) + 100, `${other}: side by side`).toBe(view.width > 960);
        await expectOneScreen(other);
      }
      const rail = await page.getByRole("navigation", { name: "Views" }).boundingBox();
      if (view.width < 400) expect(rail?.height, "the rail is one row").toBeLessThan(48);
      const places = async () =>
        (await Promise.all((await page.locator(".rail a").all()).map((link) => link.boundingBox()))).map(
          (box) => box?.x,
        );
      const before = await places();
      await open("Preferences");
      expect(await places(), "the open view moves no neighbour").toEqual(before);
      for (const badge of await page.locator(".rail .tag").filter({ visible: true }).all()) {
        const box = await badge.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), "no badge hangs out").toBeLessThan(
          (rail?.x ?? 0) + (rail?.width ?? 0),
        );
      }
      expect(urls.filter((url) => !url.startsWith(server.url))).toEqual([]);
      expect(messages).toEqual([]);
    },
  );
});
