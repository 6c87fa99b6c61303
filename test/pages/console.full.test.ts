// The console in a real browser, used by accessible names as a front-end developer would.
import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "../../src/browser/client/client.js";
import { createControl } from "../../src/browser/client/control.js";
import { startServer } from "../../src/start-server.js";
import { isWeekly } from "../support/sizes.js";
import { expectFitting, expectUsable, findAxeViolations, hasChromium, VIEWS, type View } from "./chromium.js";
import { expectCount, expectText, openConsole } from "./console-page.js";

const NOW = "2026-11-02T09:00:00Z";

const server = await startServer({ checkResponses: true });
const control = createControl({ baseUrl: server.url });
afterAll(() => server.close());

describe.skipIf(!hasChromium)("/console", () => {
  /** A page with a new environment. */
  async function openEnvironment(seed: "demo" | "empty" = "demo", query = "", view?: View) {
    const { name, apiKey = "" } = await control.createEnvironment({ seed, now: NOW });
    const shown = await openConsole(server, { query: `?environment=${name}${query}`, view });
    const headers = { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" };
    /** A front-end's request. Returns the status. */
    const send = async (path: string, init: RequestInit = {}) =>
      (await fetch(server.url + path, { headers, ...init })).status;
    const update = (subscriberId: string, body: string) =>
      send(`/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`, { method: "PATCH", body });
    const focused = () => page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");
    const { page } = shown;
    return { ...shown, name, apiKey, send, update, focused };
  }

  describe("preferences", () => {
    test("a switch sends one request, whose code and changes appear; changes by others are shown", async () => {
      const { page, open, name, apiKey, focused } = await openEnvironment("demo", "&subscriber=eleni-papadaki");
      const preferences = await open("Preferences");
      const push = preferences.getByRole("switch", { name: "Comment Mention: Push" });
      await push.waitFor();
      const request = preferences.getByRole("region", { name: "Request" });
      expect([await push.isChecked(), await push.getAttribute("title"), await request.isVisible()]).toEqual([
        true,
        "differs from all workflows",
        false,
      ]);
      const { latest } = await control.listRequests({ limit: 1 });
      await push.click();
      const sent = await control.waitForRequest({ environment: name, after: latest, method: "PATCH" });
      expect(JSON.parse(sent.body ?? "")).toEqual({ channels: { push: false }, workflowId: "comment-mention" });
      await expectText(
        request,
        /Sent: 200\..*--data-raw '{"channels":{"push":false},"workflowId":"comment-mention"}'/s,
      );
      await expectText(request.getByRole("listitem"), /^Comment Mention: Push off$/);
      expect(await push.getAttribute("title")).toBe("");
      await preferences.getByRole("button", { name: /^Show all \d+ workflows$/ }).press("Enter");
      const row = (workflow: string) => preferences.getByRole("row", { name: workflow });
      await expectText(row("Password Reset"), "always");
      await expectText(row("Tidepool Newsletter (old)"), "inactive");
      await expectText(row("Billing Receipt"), "read-only");
      expect(await row("Password Reset").getByRole("switch").count()).toBe(0);
      for (const [key, label] of [
        ["ArrowDown", "Comment Mention: In-app"],
        ["ArrowRight", "Comment Mention: E-mail"],
        ["ArrowRight", "Comment Mention: Push"], // over channels that it has not
        ["ArrowRight", "Comment Mention: Push"], // nothing is right of it
      ]) {
        await page.keyboard.press(key as string);
        expect(await focused(), key).toBe(label);
      }
      const client = createClient({ baseUrl: server.url, apiKey });
      await client.updatePreferences("eleni-papadaki", { channels: { chat: false } });
      const chat = preferences.getByRole("switch", { name: "All workflows: Chat" });
      await expect.poll(() => chat.isChecked()).toBe(false);
      await request.getByRole("link", { name: "Open in Requests" }).click();
      await expectText(page.locator("#requests .detail h3"), /^200 PATCH .*eleni-papadaki/);
    });

    test("what differs is reset by one request; a global switch is taken back with what it changed", async () => {
      const { page, open, name, apiKey, focused } = await openEnvironment("demo", "&subscriber=ines-moreau");
      const client = createClient({ baseUrl: server.url, apiKey });
      const read = async () => {
        const result = await client.readPreferences("ines-moreau");
        return result.ok && result.data;
      };
      const before = await read();
      const preferences = await open("Preferences");
      const toast = page.locator(".toast");
      await preferences.getByRole("switch", { name: "All workflows: E-mail" }).click();
      await expectText(toast, "E-mail is off in all workflows.");
      const [below, view] = [await toast.boundingBox(), await preferences.boundingBox()];
      expect(below?.y, "it covers nothing").toBeGreaterThanOrEqual((view?.y ?? 0) + (view?.height ?? 0));
      await expect.poll(read).not.toEqual(before);
      await toast.getByRole("button", { name: "Undo" }).click();
      await expect.poll(read).toEqual(before);
      const { latest } = await control.listRequests({ limit: 1 });
      const reset = preferences.getByRole("button", { name: "Reset to all workflows: Project Update" });
      await reset.press("Enter");
      const search = '"workflowId":"project-update"';
      const sent = await control.waitForRequest({ environment: name, after: latest, search });
      expect(JSON.parse(sent.body ?? "")).toEqual({ channels: { email: true }, workflowId: "project-update" });
      await expect.poll(() => reset.isVisible()).toBe(false);
      expect(await focused(), "the button is gone").toBe("Project Update: In-app");
      await page.keyboard.press("Control+z");
      await expect.poll(read).toEqual(before);
    });

    test("quick switches are sent one after the other, and a rejected one is reverted", async () => {
      const { page, open, name } = await openEnvironment();
      const preferences = await open("Preferences");
      const everywhere = (channel: string) => preferences.getByRole("switch", { name: `All workflows: ${channel}` });
      for (const channel of ["SMS", "Chat", "SMS"]) await everywhere(channel).click();
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
      await expect.poll(() => everywhere("Push").isChecked()).toBe(false);
    });
  });

  test("a subscriber is found by a part of the name, the id or the address, added and removed", async () => {
    const { page, open, name } = await openEnvironment();
    const preferences = await open("Preferences");
    const picker = preferences.getByRole("button", { name: "Subscriber" });
    const find = async (text: string, first: string) => {
      await picker.click();
      await page.getByRole("combobox", { name: "Subscriber" }).fill(text);
      await expectText(page.getByRole("option").filter({ visible: true }).first(), first);
    };
    for (const [text, id] of [
      ["παπαδ", "eleni-papadaki"],
      ["nes-mor", "ines-moreau"],
      ["amara+", "amara-okafor"],
    ] as const) {
      await find(text, id);
      await page.keyboard.press("Enter");
      await expectText(picker, id);
      await expect.poll(() => new URL(page.url()).searchParams.get("subscriber")).toBe(id);
    }
    await find("newcomer", "Add newcomer");
    await page.keyboard.press("Enter");
    await expectText(picker, "newcomer");
    await find("newcomer", "newcomer");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog", { name: "Remove Newcomer?" }).getByRole("button", { name: "Remove" }).click();
    await expectText(page.locator(".toast"), "Newcomer is removed.");
    expect((await control.listSubscribers(name, { search: "newcomer" })).subscribers).toEqual([]);
    await page.keyboard.press("Escape");
    await page.reload();
    await expectText(preferences, "There is no subscriber newcomer.");
  });

  test("the feed is filtered and paged, a reload keeps both, and a record opens as its delivery", async () => {
    const { page, open, feed, name } = await openEnvironment();
    const notifications = await open("Feed");
    await expectCount(feed, 25);
    await expectCount(notifications.locator("tr.day").first(), 1); // days differ
    await notifications.getByRole("button", { name: "Older" }).click();
    await expectText(notifications.locator(".pages"), "26–50");
    const second = await feed.allTextContents();
    await page.reload();
    await expectText(notifications.locator(".pages"), "26–50");
    expect(await feed.allTextContents()).toEqual(second);
    await notifications.getByLabel("Channel").selectOption("SMS");
    await notifications.getByRole("group", { name: "Outcome" }).getByLabel("Failed").check();
    await expectText(feed.first(), /failed.*SMS/);
    for (const text of await feed.allTextContents()) expect(text).toContain("failed");
    await feed.first().click();
    const delivery = notifications.getByRole("region", { name: "Notification", exact: true });
    await expectText(delivery.locator("h3"), /^failed /);
    await expectText(delivery.getByRole("listitem").filter({ hasText: "SMS" }).first(), "failed");
    await page.keyboard.press("Escape");
    await notifications.getByRole("button", { name: "Subscriber" }).click();
    await page.getByRole("combobox", { name: "Subscriber" }).fill("gustav");
    await expectText(page.getByRole("option").filter({ visible: true }).first(), "gustav");
    await page.keyboard.press("Enter");
    await expectText(notifications.getByRole("button", { name: "Subscriber" }).first(), /gustav/);
    await control.addSubscriber(name, { subscriberId: "nobody" });
    await page.goto(page.url().replace(/subscriberIds=[^&#]*/, "subscriberIds=nobody"));
    await notifications.getByRole("button", { name: "Show all" }).click();
    await expectCount(feed, 25);
    await control.addNotifications(name, { subscriberId: "ines-moreau", outcome: "digest" });
    await expectText(feed.first(), /in progress.*/);
    await expectText(feed.first(), "Inés Moreau");
  });

  test("a notification is sent from its dialog, which says at a field what is wrong, and is opened", async () => {
    const { page, open, feed } = await openEnvironment();
    const notifications = await open("Feed");
    await expectCount(feed, 25);
    await notifications.getByRole("button", { name: "Send a notification" }).click();
    const dialog = page.getByRole("dialog", { name: "Send a notification" });
    await dialog.getByLabel("Subscriber").fill("nobody-here");
    await dialog.getByLabel("Payload (JSON)").fill("{");
    await dialog.getByRole("button", { name: "Send" }).click();
    await expectText(dialog, "This is not JSON");
    await dialog.getByLabel("Payload (JSON)").fill("");
    await dialog.getByRole("button", { name: "Send" }).click();
    await expectText(dialog.locator(".field-error"), /nobody-here/);
    expect(await dialog.getByLabel("Subscriber").getAttribute("aria-invalid")).toBe("true");
    await dialog.getByLabel("Subscriber").fill("amara-okafor");
    await dialog.getByRole("button", { name: "Send" }).click();
    await page.locator(".toast").getByRole("button", { name: "Open" }).click();
    await expectText(notifications.getByRole("region", { name: "Notification", exact: true }), "Amara Okafor");
  });

  describe("requests", () => {
    test("Fix and send corrects the spelling mistake of a parameter, a member and a path", async () => {
      const { page, open, log, send, update } = await openEnvironment();
      const requests = await open("Requests");
      const detail = requests.getByRole("region", { name: "Request", exact: true });
      for (const [path, body, change, corrected] of [
        ["/v1/notifications?chanels=email", "", "chanels → channels", "?channels=email"],
        ["", '{"channels":{"emial":false}}', "emial → email", "eleni-papadaki"],
        ["/v1/notification?limit=2", "", "/v1/notification → /v1/notifications", "/v1/notifications"],
      ] as const) {
        await (path === "" ? update("eleni-papadaki", body) : send(path));
        await expectText(log.first(), /^4\d\d/);
        await log.first().click();
        await detail.getByRole("button", { name: `Fix and send ${change}` }).press("Enter");
        await expectText(detail.locator("h3"), /^200 /);
        await expectText(detail.locator("h3"), corrected);
        expect(await page.locator("#requests tr[aria-current]").textContent(), "its row is open").toMatch(/^200/);
        expect(await detail.getByRole("button", { name: /^Fix/ }).count()).toBe(0);
      }
    });

    test("a row is decoded and cut in its middle; a reason stands once, at the first line of what is wrong", async () => {
      const { open, log, send, update } = await openEnvironment();
      const requests = await open("Requests");
      const id = `${"注文が発送".repeat(10)}しました`;
      expect(await update(id, '{"channels":{"sms":false}}')).toBe(404);
      await expectText(log.first(), /^404PATCH …\/注文が発送.*….*しました\/preferences/);
      expect(await log.first().locator("td").nth(1).getAttribute("title")).toContain(id);
      expect(await send("/v1/notifications", { method: "DELETE" })).toBe(405);
      await expectText(log.first(), /^405DELETE \/v1\/notifications/);
      expect(await log.first().textContent(), "no literal backticks").not.toContain("`");
      const body = '{"channels":{"email":{"on":true,"since":null}},"workflowId":"comment-mention"}';
      expect(await update("eleni-papadaki", body)).toBe(422);
      await expectText(log.first(), /^422PATCH .*channels\.email must be a boolean/);
      await log.first().press("Enter");
      const detail = requests.getByRole("region", { name: "Request", exact: true });
      const wrong = detail.locator(".wrong[data-reason]");
      await expectText(wrong, /^ {4}"email": {\n$/);
      expect(await wrong.getAttribute("data-reason")).toBe("must be a boolean");
      expect(await detail.locator(".bad").count(), "no box beside the line").toBe(0);
    });

    test("an edited request is sent again, with its errors at their fields; a draft is kept", async () => {
      const { page, open, log, send } = await openEnvironment();
      const requests = await open("Requests");
      expect(await send("/v1/notifications?limit=51&chanels=email")).toBe(422);
      await log.first().press("Enter");
      const detail = requests.getByRole("region", { name: "Request", exact: true });
      await detail.getByRole("button", { name: "Edit" }).click();
      await detail.getByLabel("limit query").fill("5");
      await page.keyboard.press("Escape");
      await log.first().press("Enter");
      expect(await detail.getByLabel("limit query").inputValue(), "the draft").toBe("5");
      await detail.getByLabel("chanels query").press("Tab");
      await page.keyboard.press("Enter"); // Rename chanels to channels
      expect(await detail.getByLabel("channels query").inputValue(), "the value stays").toBe("email");
      await detail.getByRole("button", { name: "Send", exact: true }).click();
      await expectText(detail.locator("h3"), /^200 .*limit=5&channels=email$/);
      await detail.getByRole("button", { name: "Cancel" }).click();
      await detail.getByRole("button", { name: "Send again" }).click();
      await expectCount(log, 3);
      await page.keyboard.press("Escape");
      expect(await detail.isVisible()).toBe(false);
    });

    test("arrows move through the rows; the search and the outcome filter them, and a reload keeps both", async () => {
      const { page, open, log, send, name, focused } = await openEnvironment();
      const requests = await open("Requests");
      await control.addFault(name, { status: 503, count: 1 });
      for (const limit of [4, 5, 51]) await send(`/v1/notifications?limit=${limit}`);
      await fetch(`${server.url}/v1/notifications?limit=1`); // without a key
      await expectCount(log, 4);
      await page.locator("body").press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      const detail = requests.getByRole("region", { name: "Request", exact: true });
      await expectText(detail.locator("h3"), /limit=51/);
      await log.nth(1).press("ArrowDown");
      await expectText(detail.locator("h3"), /limit=5$/);
      await page.keyboard.press("Escape");
      expect([await detail.isVisible(), await focused()]).toEqual([false, expect.stringMatching(/limit=5/)]);
      const outcomes = requests.getByRole("group", { name: "Outcome" });
      await outcomes.getByLabel("Failed").check();
      await expectText(log, /^503.*limit=4.*fault/);
      await page.reload();
      await expectText(log, /^503.*limit=4/);
      await outcomes.getByLabel("Rejected").check();
      await expectCount(log, 2);
      await page.keyboard.press("/");
      await page.keyboard.type("no such text");
      await expectText(requests.locator(".empty"), /^No request matches\./);
      await requests.getByRole("button", { name: "Show all" }).click();
      await expectCount(log, 4);
      await requests.getByRole("combobox", { name: "Show" }).selectOption("all environments");
      const other = await control.createEnvironment({ name: "other-environment" });
      await fetch(`${server.url}/v1/notifications`, { headers: { authorization: `ApiKey ${other.apiKey}` } });
      await expectText(log.first(), /^200GET \/v1\/notificationsother-environment/);
      await requests.getByRole("combobox", { name: "Show" }).selectOption("this environment");
      await requests.getByRole("button", { name: "Clear log" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Clear" }).click();
      await expectText(requests.locator(".empty"), /^No requests yet\..*curl /s);
    });

    test("of one millisecond, the later request stands first; what the log dropped is said where nothing is filtered", async () => {
      const { page, open, log, send } = await openEnvironment();
      const requests = await open("Requests");
      for (let limit = 1; limit <= 40; limit += 1) await send(`/v1/notifications?limit=${limit}`);
      await page.route(
        "**/_control/requests?*",
        async (route) => {
          const list = await (await route.fetch()).json();
          const at = "2030-01-01T00:00:00.000Z";
          const ofOneInstant = list.requests.map((request: object) => ({ ...request, at }));
          await route.fulfill({ json: { ...list, dropped: 7, requests: ofOneInstant } });
        },
        { times: 2 },
      ); // with its key, and without one
      await page.reload();
      await expectText(log.first(), /00:00:00/);
      await expectText(log.first(), /limit=40/);
      const dropped = requests.getByText(/^\d+ older no longer in the log$/);
      await dropped.waitFor();
      await log.last().scrollIntoViewIfNeeded();
      await page.keyboard.press("/");
      await page.keyboard.type("no such text");
      const empty = requests.getByText("No request matches.");
      await empty.waitFor();
      expect(await dropped.isVisible()).toBe(false);
      expect((await empty.boundingBox())?.y, "its place in a window of 900 pixels").toBeLessThan(700);
    });
  });

  test("a fault is a sentence that is its form; errors stand at its fields; each is removed once, and all come back", async () => {
    const { page, open, log, send, name } = await openEnvironment();
    const faults = await open("Faults");
    const items = faults.getByRole("listitem");
    await expectText(faults.locator(".empty"), "Nothing is injected");
    const form = faults.getByRole("form", { name: "Add a fault" });
    await form.getByLabel("How many").fill("0");
    await form.getByRole("button", { name: "Add" }).click();
    await expectText(form.locator(".field-error"), "Must be at least 1");
    expect(await form.getByLabel("How many").getAttribute("aria-invalid")).toBe("true");
    for (const [count, requests, response, sentence] of [
      ["2", "list", "503", "the next 2 lists get 503"],
      ["1", "update", "no response", "the next update gets no response"],
      ["", "request", "their response, 2 s late", "every request gets its response 2,000 ms late"],
      ["1", "list", "emptyPage", "the next list gets emptyPage"],
    ] as const) {
      await form.getByLabel("How many").fill(count);
      await form.getByLabel("Requests").selectOption({ label: requests });
      await form.getByLabel("Response").selectOption({ label: response });
      await form.getByRole("button", { name: "Add" }).click();
      await expectText(items.last(), sentence);
    }
    const all = (await control.listFaults(name)).map(({ id: _id, ...fault }) => fault);
    expect(all).toMatchObject([
      { operation: "listNotifications", status: 503, count: 2 },
      { isUpdate: true, disconnect: true, count: 1 },
      { delayMs: 2000 },
      { operation: "listNotifications", example: "emptyPage", count: 1 },
    ]);
    expect(await send("/v1/notifications")).toBe(503);
    await expectText(items.first(), "used 1 of 2 · latest request");
    await items.first().getByRole("button", { name: "Remove" }).press("Enter");
    await expectCount(items, 3);
    await page.keyboard.press("Enter"); // the same key once more
    await expectCount(items, 3);
    await items.first().getByRole("button", { name: "Remove" }).press("Enter");
    await expectCount(items, 2);
    await expectText(page.locator(".toast"), "2 faults are removed.");
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await expectCount(items, 4);
    await control.clearFaults(name);
    const slow = faults.getByRole("button", { name: "Slow 3G" });
    await slow.click();
    await expectText(items, "every request gets its response 400 to 2,000 ms late");
    expect(await slow.getAttribute("aria-pressed")).toBe("true");
    const [{ id = "" } = {}] = await control.listFaults(name);
    await control.updateFault(name, id, { paused: true });
    await expectText(items, "paused");
    await slow.click();
    await expectCount(items, 0);
    expect(await slow.getAttribute("aria-pressed"), "the next press removes it").toBe("false");
    await open("Requests");
    await expectText(log.filter({ hasText: "503" }), /^503.*fault/);
  });

  test("an environment is created, saved as a seed, loaded, reset, and deleted with an undo", async () => {
    const { page, open } = await openEnvironment();
    const environment = await open("Environment");
    const press = (name: string) => environment.getByRole("button", { name, exact: true }).click();
    const answer = (question: RegExp, name: string) =>
      page.getByRole("dialog", { name: question }).getByRole("button", { name }).click();
    await page.locator("#environment-name").click();
    await page.getByRole("combobox", { name: "Environment" }).fill("test-environment");
    await expectText(page.getByRole("dialog").getByRole("option").first(), "Create test-environment");
    await page.keyboard.press("Enter");
    await expectText(environment.locator(".bar"), "test-environment");
    const { apiKey = "" } = await control.getEnvironment("test-environment");
    await expectText(environment.locator("code").first(), apiKey);
    await control.addSubscriber("test-environment", { subscriberId: "newcomer" });
    await expectText(environment, "26 subscribers");
    const saving = page.waitForEvent("download");
    await press("Download as seed");
    const path = await (await saving).path();
    expect(JSON.parse(await readFile(path, "utf8")).subscribers).toHaveLength(26);
    await press("Reset to its seed");
    await answer(/^Reset test-environment to its seed\?$/, "Cancel");
    expect((await control.getEnvironment("test-environment")).subscribers).toBe(26);
    await press("Reset to its seed");
    await answer(/^Reset test-environment/, "Reset");
    await expectText(environment, "25 subscribers");
    const choosing = page.waitForEvent("filechooser");
    await environment.getByLabel("Load a seed").click();
    await (await choosing).setFiles(path);
    await answer(/^Load /, "Replace the data of test-environment");
    await expectText(environment, "26 subscribers");
    await press("Delete this environment");
    await expectText(page.locator(".toast"), "test-environment is deleted.");
    await expectText(page.locator("#environment-name"), "default");
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await expectText(environment.locator(".bar"), "test-environment");
    expect(await control.getEnvironment("test-environment")).toMatchObject({ apiKey, subscribers: 26 });
    await control.deleteEnvironment("test-environment");
    await expectText(page.getByRole("alert"), "There is no environment test-environment.");
    await page.getByRole("alert").getByRole("button", { name: "default" }).click();
    await expectText(page.locator("#environment-name"), "default");
  });

  test("the clock is resumed and set, and says how far it is from the server's", async () => {
    const { open } = await openEnvironment();
    const clock = (await open("Environment")).getByRole("region", { name: "Clock" });
    const now = clock.getByRole("time");
    await expectText(now, "2026-11-02 09:00:00 UTC");
    await clock.getByRole("button", { name: "Resume" }).click();
    await expectText(clock.locator(".tag"), /^running, .* (ahead|behind)$/);
    await clock.getByLabel("Time (UTC)").fill("2026-10-20T00:00:00");
    await clock.getByRole("button", { name: "Set" }).click();
    await expectText(now, "2026-10-20 00:00:00 UTC");
    await clock.getByRole("button", { name: "Follow the server" }).click();
    await expect.poll(() => clock.getByRole("button", { name: "Follow" }).isVisible()).toBe(false); // it does now
  });

  test("dialogs are accessible: ? lists the shortcuts, 5 opens a view, environments are listed", async () => {
    const { page, open, feed, name } = await openEnvironment();
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
    await expectText(page.getByRole("option").filter({ hasText: name }), /150 notifications · clock frozen/);
    await expectDialog("Environment");
    await (await open("Feed")).getByRole("button", { name: "Send a notification" }).click();
    await expectDialog("Send a notification");
    expect(await page.title()).toBe(`Feed · ${name} · notifications-contract`);
  });

  test.each(VIEWS)(
    "is one accessible screen that keeps to its origin and policy, whatever names are, %o",
    async (view) => {
      const seed = JSON.parse(await control.exportEnvironment("default"));
      const { apiKey = "", name } = await control.createEnvironment({
        name: `${"n".repeat(58)}${view.width}`,
        data: seed,
      });
      const { page, urls, messages, open, feed, log } = await openConsole(server, {
        query: `?environment=${name}&subscriber=eleni-papadaki`,
        view,
      });
      const headers = { authorization: `ApiKey ${apiKey}` };
      await control.addWorkflow(name, {
        identifier: `long-${"a".repeat(90)}`,
        name: "注文が発送されました".repeat(12),
        channels: ["in_app"],
        tags: [],
        critical: false,
      });
      await control.addFault(name, { status: 503, delayMs: 1, share: 0.5, operation: "updatePreferences" });
      await fetch(`${server.url}/v1/notifications?limit=51&subscriberIds=${"i".repeat(119)}`, { headers });
      const isWide = view.width > 400;
      /** A scheme or a width rarely breaks what axe looks at: daily, it tries each view in one of them. */
      const expectOneScreen = async (what: string, isTried: boolean) => {
        await (isTried ? expectUsable : expectFitting)(page, what);
        expect(await page.evaluate("document.documentElement.scrollHeight <= innerHeight"), what).toBe(true);
      };
      const isSeen = `((text) => text.scrollWidth <= text.clientWidth || getComputedStyle(text).textOverflow === "ellipsis")
        (document.querySelector("#environment-name > :last-child"))`;
      await expectCount(feed, 25);
      expect(await page.evaluate(isSeen), "whole, or cut with …").toBe(true);
      await feed.first().click();
      await expectOneScreen("feed", isWeekly || isWide);
      await open("Requests");
      await log.first().click();
      await expectOneScreen("requests", isWeekly || !isWide);
      const preferences = await open("Preferences");
      await preferences.getByRole("button", { name: /^Show all/ }).click();
      await preferences.getByRole("switch", { name: /^注文/ }).click();
      await preferences.getByRole("region", { name: "Request" }).waitFor();
      expect(await preferences.getByRole("switch").first().isVisible(), "the next switch is in reach").toBe(true);
      for (const other of ["Preferences", "Faults", "Environment"] as const) {
        await open(other);
        await expectOneScreen(other, isWeekly || isWide === (other === "Preferences"));
      }
      expect(urls.filter((url) => !url.startsWith(server.url))).toEqual([]);
      expect(messages.filter((message) => !message.includes("responded with a status"))).toEqual([]);
      await control.deleteEnvironment(name);
    },
  );
});
