// The console in a real browser, used by accessible names as a front-end developer would.
import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "../../src/browser/client/client.js";
import { createControl } from "../../src/browser/client/control.js";
import { findClauseTitle } from "../../src/pages/shell/source-document.js";
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

    test("a subscriber is found by a part of the name, the id or the address; an unknown id is reported", async () => {
      const { page, open } = await openEnvironment();
      const preferences = await open("Preferences");
      const picker = preferences.getByRole("button", { name: "Subscriber" });
      for (const [text, picked, id] of [
        ["παπαδ", /^Ελένη Παπαδάκη eleni-papadaki$/, "eleni-papadaki"],
        ["nes-mor", /^Inés Moreau ines-moreau$/, "ines-moreau"],
        ["amara+", /^Amara Okafor amara-okafor$/, "amara-okafor"],
        ["nobody", /^nobody$/, "nobody"],
      ] as const) {
        await picker.click();
        await page.getByRole("combobox", { name: "Subscriber" }).fill(text);
        await expectCount(page.getByRole("option"), 1);
        await page.keyboard.press("Enter");
        await expectText(picker.locator("[data-picked]"), picked);
        await expect.poll(() => new URL(page.url()).searchParams.get("subscriber")).toBe(id);
        await expectCount(preferences.getByRole("switch", { name: "All workflows: Chat" }), id === "nobody" ? 0 : 1);
      }
      await expectText(preferences.locator("[data-empty]"), "There is no subscriber nobody.Add subscriber");
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
    test("are filtered and paged, and a reload keeps both; notifications sent by others appear", async () => {
      const { page, open, feed, control, name } = await openEnvironment("demo", "&limit=3");
      const notifications = await open("Feed");
      await expectCount(feed, 3);
      for (const text of ["Inés Moreau", "okaf"]) {
        await notifications.getByRole("button", { name: "Subscriber", exact: true }).click();
        await page.getByRole("combobox", { name: "Subscriber" }).fill(text);
        await expectCount(page.getByRole("listbox", { name: "Subscriber" }).getByRole("option"), 1);
        await page.keyboard.press("Enter");
      }
      for (const channel of ["In-app", "SMS", "SMS"]) await notifications.getByLabel(/^Channel/).selectOption(channel);
      await notifications.getByRole("button", { name: "Older" }).click();
      await expectText(notifications.locator("[data-page]"), /^4–6$/);
      const second = await feed.allTextContents();
      await page.reload();
      await expectText(notifications.locator("[data-page]"), /^4–6$/);
      expect(await feed.allTextContents()).toEqual(second);
      const active = ["Channel: In-app ×", "Channel: SMS ×", "Subscriber: ines-moreau ×", "Subscriber: amara-okafor ×"];
      expect(await notifications.locator(".chip").allTextContents()).toEqual(active);
      await expect.poll(() => new URL(page.url()).searchParams.getAll("channels")).toEqual(["in_app", "sms"]);
      await notifications.getByRole("button", { name: "Newer" }).click();
      await expectText(notifications.locator("[data-page]"), /^1–3$/);
      await notifications.getByRole("button", { name: "Remove the filter Subscriber: ines-moreau" }).click();
      await expect.poll(() => new URL(page.url()).searchParams.getAll("subscriberIds")).toEqual(["amara-okafor"]);
      expect(await notifications.getByLabel("Per page").inputValue(), "others stay").toBe("3");
      await notifications.getByLabel("Per page").selectOption("10");
      await expect.poll(() => new URL(page.url()).searchParams.get("limit")).toBe("10");
      await notifications.getByRole("button", { name: "Clear filters" }).click();
      await expectCount(feed, 10);
      await expect
        .poll(() => [...new URL(page.url()).searchParams.keys()].toSorted())
        .toEqual(["environment", "limit"]);
      await control.addNotifications(name, { subscriberId: "ines-moreau", outcome: "digest" });
      await expectText(feed.first(), /Inés Moreau.*Digest.*in progressDigest delayed \+\d$/);
      const count = notifications.locator("[data-count]");
      await expectText(count, /^151 in this environment$/);
      await page.keyboard.press("/");
      await page.keyboard.type("digest moreau inés");
      await expectText(count, /^1\d of 151$/); // in all of them, in any order
      await notifications.getByLabel("In progress", { exact: true }).check();
      await expectText(feed.first(), /Inés Moreau.*Digest.*in progress/);
      const found = await feed.allTextContents();
      await page.reload();
      await expect.poll(() => feed.allTextContents()).toEqual(found);
      await notifications.getByLabel("Failed", { exact: true }).check();
      await expectText(count, /^0 of 151$/);
      await notifications.getByRole("button", { name: "Show all" }).click();
      await expectCount(feed, 10);
      await notifications.getByLabel(/^Channel/).selectOption("Push");
      await expectText(count, /^10 or more match$/);
    });

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

  test("an empty environment explains in each view how to add records", async () => {
    const { page, open, feed, control, name, apiKey } = await openEnvironment("empty");
    const texts = {
      Preferences: "This environment has no subscribers yet.Add subscriber",
      Feed: "There are no notifications yet.Send a notification",
      Faults: "None: every request gets its own response.",
    } as const;
    for (const [view, text] of Object.entries(texts)) {
      const shown = await open(view as keyof typeof texts);
      await expectText(shown.locator("[data-empty]"), text);
    }
    const environment = await open("Environment");
    await environment.getByRole("textbox", { name: "Subscriber" }).fill("ada-lovelace");
    await environment.getByRole("button", { name: "Add subscriber" }).click();
    await expectText(page.locator(".toast"), "The subscriber ada-lovelace is added.");
    await environment.getByRole("textbox", { name: "Workflow" }).fill("order-shipped");
    await environment.getByRole("checkbox", { name: "E-mail" }).uncheck();
    await environment.getByRole("button", { name: "Add workflow" }).click();
    await expectText(page.locator(".toast"), "The workflow order-shipped is added.");
    expect((await control.listWorkflows(name))[0]?.steps.map(({ type }) => type)).toEqual(["in_app"]);
    const client = createClient({ baseUrl: server.url, apiKey });
    await client.updatePreferences("ada-lovelace", { channels: { in_app: false } });
    await (await open("Feed")).getByRole("button", { name: "Send a notification" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Send a notification" });
    await expect.poll(() => dialog.getByLabel("Subscriber").inputValue()).toBe("ada-lovelace");
    await expectText(dialog.locator("[data-off]"), /^In-app is off for Ada Lovelace: it is added all the same\.$/);
    const read: string[] = [];
    page.on("request", (request) => read.push(request.url()));
    await dialog.getByLabel("Subscriber").fill("love"); // no subscriber
    await expectText(dialog.locator("datalist"), /^Ada Lovelace$/);
    expect(read.filter((url) => url.endsWith("/preferences"))).toEqual([]);
    await expect.poll(() => dialog.locator("[data-off]").isVisible()).toBe(false);
    await dialog.getByLabel("Subscriber").fill("ada-lovelace");
    await dialog.getByLabel("Workflow").selectOption("Order Shipped");
    await dialog.getByLabel("Outcome").selectOption("failed");
    await dialog.getByLabel("Count").fill("2");
    await dialog.getByLabel("Payload").fill("{ orderId");
    await dialog.getByRole("button", { name: "Send" }).click();
    await expectText(dialog.locator("#payload-error"), "This is not JSON");
    expect(await dialog.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await dialog.getByLabel("Payload").fill('{ "orderId": 7 }');
    await dialog.getByRole("button", { name: "Send" }).click();
    await expectCount(feed, 2);
    await expectText(feed.first(), /Order Shipped.*Ada Lovelace.*In-app.*failed/);
    await expectText(page.locator(".toast"), "2 sent to ada-lovelace.");
    await expectCount(feed.and(page.locator(".new")), 1);
    await page.locator(".toast").getByRole("button", { name: "Open" }).click();
    const detail = page.getByRole("region", { name: "Notification", exact: true });
    await expectText(detail, /Triggered.*In-app failed/);
    await detail.getByRole("radio", { name: "JSON" }).check();
    await expectText(detail.getByRole("group", { name: "The notification as JSON" }), '"orderId": 7');
    await detail.getByRole("radio", { name: "curl" }).check();
    await expectText(detail.locator("pre").filter({ visible: true }), "/v1/notifications?transactionId=");
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
    test("a bad request is a row; opened, it shows what was wrong, and how to repeat it", async () => {
      const { page, open, log, apiKey, name } = await openEnvironment();
      const requests = await open("Requests");
      expect(await list(apiKey, "?limit=51&chanels=email")).toBe(422);
      const entry = log.filter({ hasText: name });
      await expectText(entry, /^422GET …\/notifications\?limit=51&chanels=email.*chanels → channels\? · limit .*50/);
      const badge = page.getByRole("navigation", { name: "Views" }).locator("[data-badge=rejected]");
      await expectText(badge, "1");
      expect(await badge.getAttribute("title")).toBe(`1 rejected in ${name}: their status is 4xx`);
      await entry.getByRole("button").press("Enter");
      const detail = requests.getByRole("region", { name: "Request" });
      await expectText(detail, "Did you mean channels?");
      const citation = detail.locator(".violation").getByRole("link", { name: "§4.2" });
      expect(await citation.getAttribute("href")).toBe("/docs#clause-4.2");
      expect(await citation.getAttribute("title")).toBe(findClauseTitle("§4.2"));
      const decision = detail.locator(".violation").getByRole("link", { name: "D-28" });
      expect(await decision.getAttribute("title")).toMatch(/\?$/);
      const cited = detail.getByLabel("Response", { exact: true }).getByRole("link", { name: "D-28" });
      expect(await cited.getAttribute("href"), "in the response").toBe("/docs#decision-D-28");
      await expectText(detail.getByLabel("Response", { exact: true }), '"statusCode": 422');
      expect(await detail.locator(".wrong").allTextContents()).toEqual([
        '  "limit": "51",\n',
        '  "chanels": "email"\n',
      ]);
      const shown = await page.evaluate(
        `[...document.querySelectorAll(".wrong")].map((line) => getComputedStyle(line, "::after").content)`,
      );
      expect(shown, "beside its line").toEqual([
        expect.stringContaining("must be at most 50"),
        expect.stringContaining("Did you mean channels?"),
      ]);
      await expectText(detail.locator(".meta"), /^09:00:00.000 · .* ms.{36}Copy$/);
      const yOf = async (place: typeof detail) => (await place.boundingBox())?.y;
      const [first, last] = [detail.getByText("Exchange"), detail.getByText("test", { exact: true })];
      expect(Math.abs(((await yOf(first)) ?? 0) - ((await yOf(last)) ?? 99)), "in one line").toBeLessThan(4);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await detail.getByRole("button", { name: "Copy: X-Request-Id" }).click();
      const { searchParams } = new URL(page.url());
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(searchParams.get("request"));
      await detail.getByRole("radio", { name: "Headers" }).check();
      await expectText(detail.getByRole("group", { name: "Request headers" }), "authorization: ApiKey …");
      const id = `x-request-id: ${new URL(page.url()).searchParams.get("request")}`;
      await expectText(detail.getByRole("group", { name: "Response headers" }), id);
      await detail.getByRole("radio", { name: "curl" }).check();
      await expectText(detail.getByLabel("As curl", { exact: true }), `-H 'authorization: ApiKey ${apiKey}'`);
      await detail.getByLabel("Exchange", { exact: true }).check();
      await page.setViewportSize({ width: 1280, height: 800 });
      await detail.getByRole("button", { name: "Edit" }).click();
      await detail.getByLabel("chanels query").press("Tab");
      await page.keyboard.press("Enter"); // Rename chanels to channels
      expect(await detail.getByLabel("channels query").inputValue(), "the value stays").toBe("email");
      await detail.getByRole("button", { name: "Send", exact: true }).click();
      await expectText(detail.getByRole("heading").first(), /^422 .*limit=51&channels=email$/);
      const response = await detail.getByRole("group", { name: "Response", exact: true }).boundingBox();
      expect(response?.y, "seen below the form").toBeLessThan(700);
      await page.keyboard.press("Escape");
      expect(await detail.isVisible()).toBe(false);
      await expectCount(entry.locator("button:focus"), 1);
    });

    test("arrows move through the rows, Enter opens one, the next opens in its place, Escape closes it", async () => {
      const { page, open, log, apiKey } = await openEnvironment();
      const requests = await open("Requests");
      expect(await list(undefined)).toBe(401);
      await requests.locator("[data-unknown]").waitFor();
      for (const limit of [1, 2, 3]) await list(apiKey, `?limit=${limit}`);
      await expectCount(log, 3);
      await expectText(requests.locator("tr.day"), /^Monday,? 2 November 2026$/);
      await page.locator("body").press("ArrowDown");
      const focused = () => page.evaluate("document.activeElement.textContent");
      expect(await focused()).toMatch(/limit=3/);
      const ring = "getComputedStyle(document.activeElement.closest('tr')).outline";
      expect(await page.evaluate(ring), "a ring that no cell cuts").toMatch(/ solid 2px$/);
      await page.keyboard.press("ArrowDown");
      expect(await focused()).toMatch(/limit=2/);
      await page.keyboard.press("Enter");
      const detail = requests.getByRole("region", { name: "Request" });
      await expectText(detail.getByRole("heading").first(), /limit=2/);
      await page.keyboard.press("ArrowDown");
      await expectText(detail.getByRole("heading").first(), /limit=1/);
      await page.keyboard.press("ArrowUp");
      await expectText(detail.getByRole("heading").first(), /limit=2/);
      const scrollTop = () => page.evaluate("document.querySelector('#requests .body').scrollTop");
      await list(apiKey, "?limit=9");
      await expectCount(log, 4);
      expect(await scrollTop(), "at its top, the list shows what arrives").toBe(0);
      await detail.getByRole("button", { name: "Send again" }).click();
      await expectCount(log, 5);
      await expectCount(requests.locator("tr.current").and(log.first()), 1);
      expect([await scrollTop(), await requests.getByText(/new$/).isVisible()]).toEqual([0, false]);
      await log.filter({ hasText: "limit=2" }).last().click();
      await page.keyboard.press("Escape");
      expect([await detail.isVisible(), await focused()]).toEqual([false, expect.stringMatching(/limit=2/)]);

      const row = log.filter({ hasText: "?limit=2" }).last();
      const yOf = async () => Math.round((await row.boundingBox())?.y ?? 0);
      await row.hover();
      const search = await requests.getByLabel("Search").boundingBox();
      const batch = Array.from({ length: 30 }, (_, index) => list(apiKey, `?page=${index}&emails=${"a".repeat(60)}`));
      await Promise.all(batch);
      await expectCount(log, 35);
      expect(await requests.getByLabel("Search").boundingBox(), "beside more digits").toEqual(search);
      await expectCount(row.and(requests.locator("tr:hover")), 1); // although the list was short
      await page.mouse.move(0, 0);
      await expect.poll(scrollTop).toBe(0);
      await row.scrollIntoViewIfNeeded();
      const pressed = await yOf();
      await row.click();
      await expectText(detail.getByRole("heading").first(), /limit=2/);
      const before = await yOf();
      expect(Math.abs(before - pressed), "it stays below the pointer, although rows become higher").toBeLessThan(4);
      for (const limit of [4, 5]) await list(apiKey, `?limit=${limit}`);
      await expectCount(log, 37);
      const moved = Math.abs((await yOf()) - before); // a list scrolls by whole pixels, its rows have fractions
      expect(moved, "the open row stays where it is").toBeLessThan(4);
      await page.keyboard.press("Escape"); // the table has its head again, which must not cover the button
      await requests.getByRole("button", { name: "↑ 2 new" }).click({ timeout: 5_000 });
      await expect.poll(() => requests.getByRole("button", { name: /new$/ }).isVisible()).toBe(false);
      expect(await log.first().isVisible()).toBe(true);
    });

    test("one is sent again as the front-end did, so that faults apply, and its row opens", async () => {
      const { page, open, log, control, apiKey, name } = await openEnvironment();
      const requests = await open("Requests");
      const detail = requests.getByRole("region", { name: "Request" });
      const again = detail.getByRole("button", { name: "Send again" });
      expect(await list(apiKey, "?limit=3")).toBe(200);
      await log.getByRole("button").click();
      await expectText(detail.getByRole("heading").first(), /^200 GET/);
      const findOpened = () => new URL(page.url()).searchParams.get("request");
      await expect.poll(findOpened, { message: "the address can be shared" }).toMatch(/^[\w-]{8,}$/);
      await page.reload();
      await expectText(detail.getByRole("heading").first(), /^200 GET/);
      await page.keyboard.press("Escape");
      await expect.poll(findOpened).toBe(null);
      await log.getByRole("button").click();
      const { id } = await control.addFault(name, { status: 503, count: 1 });
      await again.click();
      await expectText(detail.getByRole("heading").first(), "503 GET /v1/notifications?limit=3");
      await expectText(detail, "Injected by a fault: every request → 503, once");
      await control.removeFault(name, id);
      await log.last().click();
      await log.first().click();
      await expectText(detail, "Injected by a fault: every request → 503, once");
      await control.addFault(name, { disconnect: true, count: 1 });
      await list(apiKey, "?limit=8").catch(() => {});
      await log.filter({ hasText: "limit=8" }).click();
      await expectText(detail.locator(".reasons"), /^connection closed$/);
      await log.filter({ hasText: /^503/ }).click();
      await detail.getByRole("button", { name: "Edit" }).click();
      const field = detail.getByLabel("limit query");
      await field.fill("50");
      await detail.getByRole("button", { name: "Cancel" }).click();
      await detail.getByRole("button", { name: "Edit" }).click();
      expect(await field.inputValue(), "as it was sent").toBe("3");
      await field.fill("51");
      await page.keyboard.press("Enter");
      await expectText(detail.getByRole("heading").first(), "422 GET /v1/notifications?limit=51");
      await expectText(detail.locator("form .bad"), "must be at most 50"); // the form stays open, for the next try
      await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("limit");
      await field.fill("4");
      await detail.getByRole("button", { name: "Send", exact: true }).click();
      await expectText(detail.getByRole("heading").first(), "200 GET /v1/notifications?limit=4");
      await expectText(detail, "Was 422, now 200: limit=51 → limit=4");
      await detail.getByRole("button", { name: "422", exact: true }).click();
      await expectText(detail.getByRole("heading").first(), "422 GET /v1/notifications?limit=51");
      await list(apiKey, "?sort=desc&limit=0");
      await log.filter({ hasText: "sort=desc" }).click();
      await detail.getByRole("button", { name: "Edit" }).click();
      expect(await detail.getByLabel("sort query").inputValue(), "no key").toBe("desc");
      await expect
        .poll(() => page.evaluate("document.activeElement.name"), { message: "the first wrong one" })
        .toBe("sort");
      await list(apiKey, "?k=a1b2");
      await log.filter({ hasText: "k=…" }).click();
      await expectText(detail, "… stands for what the log hides");
      expect(await again.isDisabled(), "what is hidden is not sent as a value").toBe(true);
      await detail.getByRole("button", { name: "Edit" }).click();
      await detail.getByLabel("k query").fill("1");
      expect(await detail.getByRole("button", { name: "Send", exact: true }).isEnabled()).toBe(true);
      const headers = { Authorization: `ApiKey ${apiKey}`, "Content-Type": "application/json" };
      const update = (body: object, more = {}) =>
        fetch(`${server.url}/v2/subscribers/ines-moreau/preferences`, {
          method: "PATCH",
          headers: { ...headers, ...more },
          body: JSON.stringify(body),
        });
      const keyed = { "Idempotency-Key": "key-1" };
      for (const _time of [1, 2]) await update({ channels: { email: false }, workflowId: "comment-mention" }, keyed);
      await log.filter({ hasText: "preferences email off · comment-mention replay" }).click();
      await expectText(detail.locator(".meta"), "Idempotency-Key key-1, replayed");
      await expectText(detail, /Replays the response of 200, \d+ m?s before\./);
      await detail.getByRole("button", { name: /^200, .* before$/ }).click();
      await detail.getByRole("button", { name: /^200 replay, .* after$/ }).waitFor();
      await update({ channels: { email: true }, workflowId: "comment-mention" }, keyed);
      const conflict = log.filter({ hasText: "email on" });
      await conflict.click();
      const change = "email off · comment-mention → email on · comment-mention";
      await expectText(
        detail,
        new RegExp(`The key is that of 200, .* before: ${change}Same key: 200 replay, .* before`),
      );
      await detail.getByRole("button", { name: "Edit" }).click();
      await detail.getByLabel("idempotency-key header").fill("key-2");
      await log.filter({ hasText: "replay" }).click();
      await expectText(detail, "Replays the response of");
      await conflict.click();
      const draft = detail.getByLabel("idempotency-key header");
      await expect.poll(() => draft.inputValue(), { message: "edits that were not sent are kept" }).toBe("key-2");
      await detail.getByRole("button", { name: "Cancel" }).click();
      await log.filter({ hasText: "replay" }).click();
      await expectText(detail, "Replays the response of");
      await conflict.click();
      await detail.getByRole("button", { name: "Edit" }).click();
      expect(await draft.inputValue()).toBe("key-1");
      await update({ channels: {}, note: "wait …" });
      await log.filter({ hasText: "wait …" }).click();
      await expectText(detail.locator(".wrong"), '"note": "wait …"');
      expect(await again.isEnabled(), "the dots are the client's").toBe(true);
      await update({ channels: { email: "off" }, workflowId: "weekly-digest" });
      await expectText(log.first(), 'email "off" · weekly-digest');
      await update({ channels: { emial: false } });
      await log.filter({ hasText: "emial" }).click();
      await expectText(detail.getByRole("heading").first(), "422 PATCH");
      await detail.getByRole("button", { name: "Edit" }).click();
      await detail.getByRole("button", { name: "Rename emial to email" }).click();
      await page.keyboard.press("Control+Enter");
      await expectText(detail.getByRole("heading").first(), "200 PATCH");
      await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("body");
      expect(JSON.parse(await detail.getByLabel("Body").inputValue())).toEqual({ channels: { email: false } });
      const unread = { method: "POST", headers };
      await fetch(`${server.url}/v1/unread`, { ...unread, body: "short" });
      await log.filter({ hasText: "…/unread" }).click();
      await expectText(detail.getByRole("group", { name: "Request", exact: true }), "short");
      await fetch(`${server.url}/v1/long`, { ...unread, body: "x".repeat(20_000) });
      await log.filter({ hasText: "…/long" }).click();
      await expectText(detail, "The server did not read the body, so the log lacks it.");
      const send = (body: string, more = {}, id = "ines-moreau") =>
        fetch(`${server.url}/v2/subscribers/${id}/preferences`, {
          method: "PATCH",
          headers: { ...headers, ...more },
          body,
        });
      await send('{\n"channels": {},\n"workflowId": x}');
      await log.filter({ hasText: "not valid JSON" }).click();
      await expectText(detail.locator(".wrong"), '"workflowId": x}');
      expect(await detail.locator("mark").allTextContents()).toEqual(["x"]);
      await expectText(detail.locator(".violation").getByRole("link"), "D-50");
      await detail.getByRole("button", { name: "Edit" }).click();
      expect(await page.evaluate("getSelection().toString()"), "in the text of the body").toBe("x");
      await detail.getByLabel("Body").fill('{"channels":{}}');
      await page.keyboard.press("Control+Enter");
      await expectText(detail, 'Was 400, now 200: malformed JSON → {"channels":{}}');
      await send("{}", { "Content-Type": "text/plain" });
      await log.filter({ hasText: /^415/ }).click();
      await expectText(detail.locator(".wrong"), '"content-type": "text/plain"');
      await detail.getByRole("button", { name: "Edit" }).click();
      await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("content-type");
      await send('{"channels":{}}', {}, "nobody");
      await log.filter({ hasText: "nobody" }).click();
      await expectText(detail.getByRole("heading").first().locator("mark"), "nobody");
      await fetch(`${server.url}/v1/notification?limit=2`, { headers });
      await log.filter({ hasText: "…/notification?" }).click();
      await expectText(detail.getByRole("heading").first(), "404 GET /v1/notification?limit=2");
      await expectText(detail.getByRole("heading").first().locator("mark"), /^notification$/);
      await detail.getByRole("button", { name: "Edit" }).click();
      await detail.getByRole("textbox", { name: "Path" }).fill("/v1/notifications");
      await page.keyboard.press("Enter");
      await expectText(detail.getByRole("heading").first(), "200 GET /v1/notifications?limit=2");
      expect(await list(apiKey, "?channels=email&templates=abc")).toBe(422);
      await log.filter({ hasText: "templates=abc" }).click();
      await expectText(detail.locator(".wrong"), '"templates": "abc"');
      await detail.getByRole("button", { name: "Edit" }).click();
      await expectText(detail.locator(".fields > div").filter({ hasText: "templates" }), /must match/);
      expect(await list(undefined)).toBe(401);
      expect(await list("unknown", "?limit=6")).toBe(401);
      expect(await list("demo-key", "?limit=7")).toBe(200);
      await requests.getByRole("button", { name: "Show them" }).click();
      await log.filter({ hasText: "missing key" }).first().click();
      await detail.getByRole("button", { name: `Send with the key of ${name}` }).waitFor();
      await log.filter({ hasText: "unknown key" }).first().click();
      await expectText(detail, "unknown key");
      await detail.getByRole("button", { name: `Send with the key of ${name}` }).click();
      await expectText(detail.getByRole("heading").first(), "200 GET /v1/notifications?limit=6");
      await expectText(detail, "The filter hides its row.");
      await detail.getByRole("button", { name: "Show all" }).click();
      await expectText(requests.locator("tr.current"), "limit=6");
      await requests.getByRole("combobox", { name: "Show" }).selectOption("all environments");
      await log.filter({ hasText: "limit=7" }).click();
      await detail.getByRole("link", { name: "Open default" }).click();
      await again.waitFor();
    });

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

    test("are searched and filtered by the server, and a reload keeps the filter", async () => {
      const { page, open, log, control, apiKey, name } = await openEnvironment();
      const requests = await open("Requests");
      await expectText(requests.locator("[data-empty]"), /^No requests to this environment yet\..*curl -i 'http/s);
      expect([await list(apiKey), await list(apiKey, "?limit=3"), await list("unknown")]).toEqual([200, 200, 401]);
      expect(await list(undefined)).toBe(401);
      await expectCount(log, 2);
      await page.keyboard.press("/");
      await page.keyboard.type("LIMIT=3");
      await expectCount(log, 1);
      await page.reload();
      await expectText(log, /limit=3/);
      await requests.getByLabel("Search").fill("");
      const show = requests.getByRole("combobox", { name: "Show" });
      await show.selectOption("everything, with visits of pages");
      await expect.poll(() => log.count()).toBeGreaterThan(2);
      await show.selectOption("this environment");
      await requests.getByRole("button", { name: "Show them" }).click();
      await expectText(log.first(), "missing key");
      await expectText(log.nth(1), "unknown key");
      const clear = requests.getByRole("button", { name: "Clear filters" });
      const places = () =>
        page.evaluate(`[...document.querySelectorAll("#requests form :is(label, button)")]
        .map((part) => JSON.stringify(part.getBoundingClientRect()))`);
      const before = await places();
      await clear.click();
      expect([await show.inputValue(), await clear.isVisible()]).toEqual(["", false]);
      expect(await places(), "the bar keeps its place").toEqual(before);
      await show.selectOption("all environments");
      const outcomes = requests.getByRole("group", { name: "Outcome" });
      await outcomes.getByLabel("Rejected").check();
      await requests.getByLabel("Search").fill("no test sends this");
      await expectText(requests.locator("[data-empty]"), "No request matches the filter.Show all");
      await control.addFault(name, { status: 503, count: 1 });
      expect([await list(apiKey, "?limit=4"), await list(apiKey, "?limit=5")]).toEqual([503, 200]);
      await requests.getByLabel("Search").fill("");
      await show.selectOption("this environment");
      await outcomes.getByLabel("Failed").check();
      await expectText(log, /^503.*limit=4/);
      await expectText(outcomes, /All 4\s*Rejected 0\s*Failed 1/);
      expect(await list(apiKey, "?limit=51")).toBe(422);
      await expectText(outcomes, /All 5\s*Rejected 1\s*Failed 1/);
      await page.reload();
      await expectText(log, /^503.*limit=4/);
      await outcomes.getByLabel("All").check();
      await requests.getByLabel("Status").selectOption("422");
      await expectText(log, /^422.*limit=51/);
      await requests.getByLabel("Status").selectOption("any status");
      await requests.getByLabel("Search").fill("422");
      await expectText(log, /^422.*limit=51/);
      await requests.getByLabel("Search").fill("");
      await requests.getByLabel("Operation").selectOption("listNotifications");
      await expectText(log.first(), name);
      const orderBy = (heading: string) => requests.getByRole("button", { name: heading }).click();
      const inMs = async () =>
        (await log.locator("td:nth-child(4)").allTextContents()).map((text) =>
          Number.parseFloat(text.replace(",", "")),
        );
      await orderBy("Duration");
      await expectCount(requests.locator("tr.day"), 0);
      const durations = await inMs();
      expect(durations).toEqual(durations.toSorted((one, other) => other - one));
      await orderBy("Duration");
      await expect.poll(inMs, { message: "a second press reverses the order" }).toEqual(durations.toReversed());
      await orderBy("Time");
      await expectCount(requests.locator("tr.day"), 1);
      const latest = await log.allTextContents();
      await orderBy("Time");
      await expect.poll(() => log.allTextContents(), { message: "oldest first" }).toEqual(latest.toReversed());
      await orderBy("Time");
      await list(apiKey, "?limit=50");
      await log.filter({ hasText: "limit=50" }).click();
      const cut = requests.getByRole("group", { name: /^Response, cut at 8 KB of 1\d\d KB$/ });
      await expectText(cut, /^{\n {2}"page": 0,\n.*\n {2}]\n}$/s);
      await page.keyboard.press("Escape");
      const saving = page.waitForEvent("download");
      await requests.getByRole("button", { name: "Download HAR" }).click();
      const { log: har } = JSON.parse(await readFile(await (await saving).path(), "utf8"));
      expect(har.entries.at(-1).response.content).toMatchObject({
        size: expect.any(Number),
        comment: expect.stringContaining("cut at 8 KB"),
      });
      expect(har.entries.at(-2)).toMatchObject({
        request: { method: "GET", url: `${server.url}/v1/notifications?limit=51`, queryString: [{ value: "51" }] },
        response: { status: 422, content: { text: expect.stringContaining("must be at most 50") } },
      });
      expect(har.entries, "of all that match the filter").toHaveLength(await log.count());
      await fetch(`${server.url}/pricing`, { headers: { accept: "text/html" } });
      await show.selectOption("all environments");
      await requests.getByLabel("Operation").selectOption("any operation");
      await requests.getByLabel("Status").selectOption("401");
      await expectText(log.first(), /GET (?!.*pricing)/);
      expect(await log.filter({ hasText: "/pricing" }).count(), "a visit is no request to the API").toBe(0);
      // As if a thousand others had been sent since.
      const thousand = /\/requests\?(?!.*(failed|rejected|after)=).*limit=1000/;
      await page.route(thousand, async (route) => {
        const { requests: found, ...others } = await (await route.fetch()).json();
        const [sent] = found.filter(({ status }: { status: number }) => status === 200);
        const filled = Array.from({ length: 1000 }, (_, index) => ({
          ...sent,
          number: index + 1,
          id: `sent-${index}`,
        }));
        await route.fulfill({ json: { requests: filled, ...others } });
      });
      await requests.getByLabel("Status").selectOption("any status");
      await expectText(outcomes, /All 1,000\+\s*Rejected \d+\s*Failed [1-9]/); // rare ones are found, too
      await expectCount(log, 100);
      await log.last().locator("button").focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter"); // Show 100 more of 1,000
      await expectCount(log, 200);
      await expectCount(log.nth(100).locator("button:focus"), 1);
      await page.unroute(thousand);
      await requests.getByLabel("Search").fill("no such text");
      await requests.getByRole("button", { name: "Show all" }).click();
      await requests.getByRole("button", { name: "Clear log" }).click();
      await page
        .getByRole("dialog", { name: `Clear the log of ${name}?` })
        .getByRole("button", { name: "Clear" })
        .click();
      await expectCount(log, 0);
      await Promise.all(Array.from({ length: 101 }, () => list(undefined)));
      const notice = requests.locator("[data-unknown]");
      await expectText(notice.locator("span"), /^100\+ requests with a missing or unknown key/);
      await notice.getByRole("button", { name: "Dismiss" }).click();
      expect(await notice.isVisible()).toBe(false);
      await list(undefined);
      await notice.waitFor();
    });
  });

  describe("faults", () => {
    test("a fault applies to the front-end, as often as set, and its sentence says so", async () => {
      const { page, open, log, apiKey, name } = await openEnvironment();
      const faults = await open("Faults");
      await faults.getByLabel("Response").selectOption("429");
      await faults.getByLabel("Applies to").selectOption("listNotifications");
      expect(await faults.getByLabel("Delay in ms").isVisible(), "what is rare is folded").toBe(false);
      await faults.getByText("More", { exact: true }).click();
      await faults.getByLabel("Let pass first").fill("1");
      await faults.getByLabel("How many times").fill("1");
      await expectText(faults.locator("[data-preview]"), "listNotifications → 429, from its 2nd request, once");
      await faults.getByRole("button", { name: "Add fault" }).click();
      const item = faults.getByRole("listitem");
      await expectText(item, /^active/);
      await expectText(item, "listNotifications → 429, from its 2nd request, once" + "not used yet");
      await expectText(faults.getByRole("status"), "1 is active.");
      const icon = () => page.locator("link[rel=icon]").getAttribute("href");
      await expect.poll(icon).toContain("%23b3261e");
      expect(await page.title()).toBe(`Faults · ${name} · notifications-contract`);
      expect([await list(apiKey), await list(apiKey), await list(apiKey)]).toEqual([200, 429, 200]);
      await expectText(item, /^used up.*used 1 of 1/);
      const badge = page.getByRole("navigation", { name: "Views" }).locator("[data-badge=faults]");
      await expect.poll(() => badge.isVisible()).toBe(false);
      expect(await icon()).not.toContain("%23b3261e");
      await item.getByRole("link", { name: "latest request" }).click();
      await expectCount(log.getByText("fault", { exact: true }), 1);
      const detail = page.getByRole("region", { name: "Request", exact: true });
      await expectText(detail, "Injected by a fault: listNotifications → 429, from its 2nd request, once Open Faults");
      await detail.getByRole("link", { name: "Open Faults" }).click();
      await expect.poll(() => new URL(page.url()).hash).toBe("#faults");
      await item.getByRole("button", { name: "Remove" }).click();
      await expectText(faults.locator("[data-empty]"), "None");
      await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
      await expectText(item, "listNotifications → 429, from its 2nd request, once" + "not used yet");
    });

    test("updates fail with one press while reading goes on; a paused fault does not apply until it is resumed", async () => {
      const { open, apiKey } = await openEnvironment();
      const faults = await open("Faults");
      const client = createClient({ baseUrl: server.url, apiKey });
      const update = async () => (await client.updatePreferences("ines-moreau", { channels: { email: true } })).status;
      await faults.getByRole("button", { name: "Updates fail 503 for updates, reads work" }).click();
      const item = faults.getByRole("listitem");
      await expectText(item, /updates → 503not used yet$|updates → 503not used/);
      expect([await update(), (await client.readPreferences("ines-moreau")).status]).toEqual([503, 200]);
      await item.getByRole("button", { name: "Pause" }).click();
      await expectText(item, "paused");
      expect(await update()).toBe(200);
      await item.getByRole("button", { name: "Resume" }).click();
      await expectText(item, "used once"); // it counts on
      expect(await update()).toBe(503);
      await faults.getByRole("button", { name: "No response" }).click();
      await faults.getByRole("button", { name: "Slow 3G" }).click();
      await expectText(faults.getByRole("status"), "3 are active, 1 of them not reached.");
      await expectText(item.nth(2), /^not reached.*“every request → no response” applies first/);
      await expectText(item.nth(1), /^active/); // reads come to it
      await item.nth(2).getByRole("button", { name: "Match it first" }).click();
      await expectText(item.first(), /^active.*400 to 2,000 ms late/);
      await item.first().getByRole("button", { name: "Edit" }).click();
      expect(await faults.getByLabel("Delay up to").inputValue()).toBe("2000");
      await faults.getByLabel("Delay up to").fill("900");
      await faults.getByText("As code", { exact: true }).click();
      const code = faults.getByRole("group", { name: "curl", exact: true });
      await expectText(code, /curl .*\/faults.*"delayMs":400,"maxDelayMs":900/s);
      await faults.getByRole("button", { name: "Save" }).click();
      await expectText(item.first(), /^active.*400 to 900 ms late/);
      await expectCount(item, 3);
      expect(await faults.getByRole("button", { name: "Add fault" }).isVisible()).toBe(true);
    });

    test("a subscriber is chosen from a list, and a fault that is used up is used again", async () => {
      const { page, open, apiKey } = await openEnvironment();
      const choose = async (place: Locator) => {
        await place.getByRole("button", { name: "Choose …" }).click();
        await page.getByRole("combobox", { name: "Subscriber" }).and(page.locator(":focus")).fill("okaf");
        await expectCount(page.getByRole("listbox", { name: "Subscriber" }).getByRole("option"), 1);
        await page.keyboard.press("Enter");
      };
      await (await open("Feed")).getByRole("button", { name: "Send a notification" }).click();
      const dialog = page.getByRole("dialog", { name: "Send a notification" });
      await choose(dialog);
      await expect.poll(() => dialog.getByLabel("Subscriber").inputValue()).toBe("amara-okafor");
      await dialog.getByRole("button", { name: "Close" }).click();
      const faults = await open("Faults");
      await faults.getByLabel("How many times").fill("1");
      await faults.getByText("More", { exact: true }).click();
      await choose(faults);
      await expectText(faults.locator("[data-preview]"), "of subscriber amara-okafor → 503, once");
      await faults.getByRole("button", { name: "Add fault" }).click();
      const [item, client] = [faults.getByRole("listitem"), createClient({ baseUrl: server.url, apiKey })];
      for (const _ of ["added", "used again"]) {
        await expectText(item, "not used yet");
        const { status } = await client.updatePreferences("amara-okafor", { channels: { email: true } });
        expect(status).toBe(503);
        await expectText(item, /^used up.*used 1 of 1/);
        await item.getByRole("button", { name: "Use again" }).click();
      }
    });

    const FAULTS: [title: string, fields: Record<string, string>, fault: object, sentence: string][] = [
      ["a share", { "Share in %": "50" }, { share: 0.5 }, "50 % of the time"],
      [
        "a range",
        { "Delay in ms": "400", "Delay up to": "2000" },
        { delayMs: 400, maxDelayMs: 2000 },
        "400 to 2,000 ms",
      ],
      [
        "a subscriber and a workflow",
        { "Of subscriber": "ines-moreau", "For workflow": "comment-mention" },
        { when: { subscriberId: "ines-moreau", workflowId: "comment-mention" } },
        "of subscriber ines-moreau for workflow comment-mention",
      ],
      ["a random seed", { "Random seed": "7", "Share in %": "10" }, { seed: 7, share: 0.1 }, "10 % of the time"],
      [
        "a skip and a count",
        { "Let pass first": "2", "How many times": "3" },
        { skip: 2, count: 3 },
        "from its 3rd request, 3 times",
      ],
    ];

    test("the form has every member of a fault", async () => {
      const { page, open, control, name } = await openEnvironment();
      await page.setViewportSize({ width: 1280, height: 700 });
      const faults = await open("Faults");
      await faults.getByText("More", { exact: true }).click();
      const add = await faults.getByRole("button", { name: "Add fault" }).boundingBox();
      expect((add?.y ?? 0) + (add?.height ?? 0), "seen beside all fields").toBeLessThan(700);
      for (const [title, fields, fault, sentence] of FAULTS) {
        for (const [label, text] of Object.entries(fields)) await faults.getByLabel(label).fill(text);
        await faults.getByRole("button", { name: "Add fault" }).click();
        await expectCount(faults.getByRole("listitem"), 1);
        expect(await control.listFaults(name), title).toMatchObject([fault]);
        await expectText(faults.getByRole("listitem"), sentence);
        for (const label of Object.keys(fields)) await faults.getByLabel(label).fill("");
        await faults.getByRole("button", { name: "Remove all" }).click();
        await expectCount(faults.getByRole("listitem"), 0);
      }
    });

    test("a field that the server rejects is marked until it is changed, under the name of its label", async () => {
      const { page, open } = await openEnvironment();
      const faults = await open("Faults");
      await faults.getByText("More", { exact: true }).click();
      await faults.getByLabel("Delay in ms").fill("900");
      await faults.getByLabel("Delay up to").fill("200");
      const preview = faults.locator("[data-preview]");
      await expectText(preview, "“Delay up to” must not be less than “Delay in ms”.");
      await faults.getByRole("button", { name: "Add fault" }).click();
      const field = faults.getByLabel("Delay up to");
      await expectText(page.locator("#maxDelayMs-error"), "It must not be less than “Delay in ms”.");
      expect(await field.getAttribute("aria-describedby")).toBe("maxDelayMs-error");
      expect(await findAxeViolations(page), "with an error").toEqual([]);
      expect(await faults.getByRole("button", { name: "Try again" }).count(), "it would be rejected again").toBe(0);
      await field.fill("1000");
      await expectCount(faults.locator("[aria-invalid]"), 0);
      await expectText(preview, /503 after 900 to 1,000 ms$/);
      await faults.getByRole("button", { name: "Add fault" }).click();
      await expectCount(faults.getByRole("listitem"), 1);
    });

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

  test("an error of a record or an environment stands at its field until that is changed", async () => {
    const { page, open, name } = await openEnvironment();
    const environment = await open("Environment");
    const cases = [
      ["Subscriber", "ines-moreau", "Add subscriber", "already exists"],
      ["Subscriber", "", "Add subscriber", "Required"],
      ["Workflow", "two words", "Add workflow", "Letters, digits, hyphens and underscores"],
      ["Workflow", "comment-mention", "Add workflow", "already exists"],
      ["New environment", name, "Create", "already exists"],
    ] as const;
    for (const [label, value, button, message] of cases) {
      const field = environment.getByRole("textbox", { name: label, exact: true });
      await field.fill(value);
      await environment.getByRole("button", { name: button, exact: true }).click();
      await expectText(page.locator(`#${await field.getAttribute("name")}-error`), message);
      const border = "getComputedStyle(document.querySelector('[aria-invalid]')).borderColor";
      expect(await page.evaluate(border), "red").toBe("rgb(179, 38, 30)");
      await field.fill("another");
      await expectCount(environment.locator("[aria-invalid]"), 0);
    }
    for (const channel of ["In-app", "E-mail"]) await environment.getByRole("checkbox", { name: channel }).uncheck();
    await environment.getByRole("button", { name: "Add workflow" }).click();
    await expectText(page.locator("#channels-error"), /^must not be empty$/);
    await environment.getByLabel("Push").check();
    await expectCount(page.locator("#channels-error"), 0);
    await environment.getByRole("textbox", { name: "Subscriber" }).fill("ines-moreau");
    await environment.getByRole("button", { name: "Add subscriber" }).click();
    await expectText(page.locator("#subscriberId-error"), /Remove it first, or choose another\.$/);
    await environment.getByRole("textbox", { name: "New environment" }).fill(`${name}-2`);
    await environment.getByRole("button", { name: "Create" }).click();
    await expectText(environment.getByRole("heading").first(), `Environment ${name}-2`);
    await expectCount(environment.locator("[aria-invalid], .field-error"), 0);
  });

  describe("environments", () => {
    test("are created with their own key, saved as a seed, and reset and deleted after a confirmation that names them", async () => {
      const { page, open, control } = await openEnvironment();
      const environment = await open("Environment");
      const status = environment.getByRole("status").first();
      const press = (name: string) => environment.getByRole("button", { name, exact: true }).click();
      await environment.getByRole("textbox", { name: "New environment" }).fill("test-environment");
      await environment.getByLabel(/^Seed/).selectOption("demo");
      await environment.getByRole("button", { name: "Create" }).click();
      await expectText(environment.getByRole("heading").first(), "Environment test-environment");
      const { apiKey = "" } = await control.getEnvironment("test-environment");
      await expectText(environment.locator("[data-key]"), apiKey);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      for (const [copy, key] of [
        ["Copy key: default", server.apiKey],
        ["Copy", apiKey],
      ] as const) {
        await environment.getByRole("button", { name: copy, exact: true }).click();
        await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(key);
      }
      await expect.poll(() => new URL(page.url()).searchParams.get("environment")).toBe("test-environment");
      const item = environment.getByRole("listitem").filter({ hasText: "test-environment" });
      expect(await list(apiKey)).toBe(200);
      await control.addSubscriber("test-environment", { subscriberId: "newcomer" });
      await expectText(item, /150 notifications · used just now/);
      await expectText(environment, "26 subscribers");
      const saving = page.waitForEvent("download");
      await press("Download as seed");
      const file = await saving;
      expect(file.suggestedFilename()).toBe("test-environment.json");
      await expectText(status, "Downloaded. Start a server from it with --seed test-environment.json.");
      const data = JSON.parse(await readFile(await file.path(), "utf8"));
      expect(await control.createEnvironment({ data })).toMatchObject({ subscribers: 26, notifications: 150 });
      const answer = (question: string, name: string) =>
        page.getByRole("dialog", { name: question }).getByRole("button", { name }).click();
      await control.advanceClock("test-environment", 7 * 24 * 3_600_000);
      await expectText(page.locator("#clock .tag"), "7 days ahead");
      await press("Reset to its seed");
      const dialogs = page.getByRole("dialog").filter({ visible: true });
      await expectText(dialogs, "Differences from the demo data: 1 subscriber and the clock (running, 7 days ahead).");
      await answer("Reset test-environment to its seed?", "Cancel");
      expect((await control.getEnvironment("test-environment")).subscribers).toBe(26);
      await press("Reset to its seed");
      await answer("Reset test-environment", "Reset");
      await expectText(environment, "25 subscribers · 150 notifications · in memory only");
      await expectText(page.locator(".toast"), "test-environment is reset.");
      await press("Delete this environment");
      await answer("Delete test-environment with all its data?", "Delete");
      await expectText(page.locator(".toast"), "test-environment is deleted.");
      await expectText(page.locator("#environment-name"), "default");
      const others = environment.getByRole("list", { name: "Environments" });
      await expectText(others, /150 notifications · used /);
      const groups = await environment.locator(".groups").boundingBox();
      const end = (groups?.x ?? 0) + (groups?.width ?? 0);
      expect((await others.boundingBox())?.x, "beside the groups, not beneath them").toBeGreaterThan(end);
      for (const _ of Array(6)) await control.createEnvironment({ seed: "empty" });
      await environment.getByLabel("Find an environment").fill("default"); // where there are many
      await expectCount(others.getByRole("listitem"), 1);
      expect(await environment.getByRole("button", { name: /Delete/ }).count(), "it stays").toBe(0);
      const chosen = environment.locator("[data-file]");
      await chosen.setInputFiles(await file.path());
      const dialog = page.getByRole("dialog", { name: /^Load / });
      await dialog.waitFor();
      expect(await chosen.inputValue(), "the same file can be chosen again at once").toBe("");
      expect(await findAxeViolations(page), "the dialog").toEqual([]);
      await page.keyboard.press("Escape");
      await chosen.setInputFiles(await file.path());
      await dialog.getByRole("button", { name: "Replace the data of default" }).click();
      await expectText(environment, "26 subscribers");
    });

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

    test("records are listed, found, opened and removed; what differs from the seed is in view", async () => {
      const { page, open, control, name } = await openEnvironment();
      const environment = await open("Environment");
      const changes = environment.locator("[data-changes]");
      await expectText(changes, /^Differences from the demo data: the clock \(frozen\)\.$/);
      await control.addSubscriber(name, { subscriberId: "newcomer" });
      await control.addFault(name, { status: 503 });
      await expectText(changes, /: 1 subscriber, the clock \(frozen\), and 1 active fault\.$/);
      await control.setClock(name, { mode: "running", now: new Date().toISOString() });
      for (const [title, record, id] of [
        ["Subscribers", "Newcomer", "newcomer"],
        ["Workflows", "Comment Mention", "comment-mention"],
      ] as const) {
        const items = environment.getByRole("list", { name: title }).getByRole("listitem");
        await expectCount(items, 5);
        const group = environment.locator("[data-records]").filter({ has: page.getByRole("list", { name: title }) });
        await group.getByRole("button", { name: /^Show all \d+$/ }).click();
        await expect.poll(() => items.count()).toBeGreaterThan(8);
        await group.getByRole("searchbox").fill(id.toUpperCase());
        await expectCount(items, 1);
        await expectText(items, id);
        const remove = items.getByRole("button", { name: `Remove ${record}` });
        await remove.click();
        await page
          .getByRole("dialog", { name: `Remove ${record}?` })
          .getByRole("button", { name: "Cancel" })
          .click();
        await expectCount(items, 1);
        await remove.click();
        await page
          .getByRole("dialog", { name: `Remove ${record}?` })
          .getByRole("button", { name: "Remove" })
          .click();
        await expectText(page.locator(".toast"), `${record} is removed.`);
        await expectText(group.locator("[data-others]"), "None matches.");
        await group.getByRole("searchbox").fill("");
      }
      await expectText(changes, /: 1 workflow, .*and 1 active fault\.$/);
      expect((await control.listWorkflows(name)).map(({ identifier }) => identifier)).not.toContain("comment-mention");
      await environment.getByRole("link", { name: "Inés Moreau" }).click();
      await expectText(page.locator("#preferences [data-picked]"), "ines-moreau");
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

    test("a bug report, saved as a file, opens under its name; a critical workflow is added", async () => {
      const { page, open, control, name } = await openEnvironment();
      const environment = await open("Environment");
      await environment.getByLabel("Workflow", { exact: true }).fill("account-closed");
      await environment.getByLabel("Critical").check();
      await environment.getByRole("button", { name: "Add workflow" }).click();
      await expectText(page.locator(".toast"), "The workflow account-closed is added.");
      await environment.getByText("Name, e-mail, phone").click();
      await environment.getByRole("textbox", { name: "Subscriber" }).fill("sam-rivera");
      for (const [label, text] of Object.entries({ "E-mail": "sam@example.com", Phone: "+15550100" }))
        await environment.getByRole("textbox", { name: label }).fill(text);
      await environment.getByRole("button", { name: "Add subscriber" }).click();
      for (const [title, row] of [
        ["Subscribers", /Sam Rivera addedsam-rivera · sam@example.com · \+15550100/],
        ["Workflows", /^Account Closed addedaccount-closed .* critical/],
      ] as const) {
        const [first] = await environment.getByRole("list", { name: title }).getByRole("listitem").all();
        if (!first) throw new Error(`There are no ${title}.`);
        await expectText(first, row);
        const box = title === "Subscribers" && (await first.boundingBox());
        if (box) expect(box.y + box.height, "in view").toBeLessThan(page.viewportSize()?.height ?? 0);
      }
      await environment.getByLabel(/^Seed/).selectOption("copy of this one");
      await environment.getByRole("textbox", { name: "New environment" }).fill(`${name}-copy`);
      await environment.getByRole("button", { name: "Create" }).click();
      await expectText(page.locator("#environment-name"), `${name}-copy`);
      await expectText(environment.locator("[data-size]"), /^16 workflows · 26 subscribers · 150 notifications/);
      await control.addFault(name, { status: 503 });
      const original = page.getByRole("button", { name, exact: true });
      await expectText(environment.getByRole("listitem").filter({ has: original }), "1 fault");
      await original.click();
      await expectText(page.locator("#environment-name"), name);
      const added = (await control.listWorkflows(name)).find(({ identifier }) => identifier === "account-closed");
      expect(added?.critical).toBe(true);
      const saved = page.waitForEvent("download");
      await environment.getByRole("button", { name: "Download as seed" }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe(`${name}.json`);
      const seed = JSON.parse(await readFile(await file.path(), "utf8"));
      expect([seed.workflows.length, seed.subscribers.length, seed.notifications]).toEqual([1, 1, []]); // only what differs from the demo data
      await control.deleteEnvironment(name); // as on another machine
      await environment.locator("[data-file]").setInputFiles(await file.path());
      await page.getByRole("dialog").getByRole("button", { name: "Load as a new environment" }).click();
      await expectText(page.locator(".toast"), `${name} is created.`);
      expect((await control.listWorkflows(name)).map(({ identifier }) => identifier)).toContain("account-closed");
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
