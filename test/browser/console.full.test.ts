// The console in a real browser, used by accessible names as a front-end developer would.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/client/control.js";
import { type RunningServer, startServer } from "../../src/server.js";
import { buildIfStale } from "../support/fresh-build.js";
import { findAxeViolations, hasChromium, isTooWide, launchChromium, openPage, type View } from "./chromium.js";
import { callFromAnotherTab, expectCount, expectText, openConsole, toConsole } from "./console-page.js";

const NOW = "2026-11-02T09:00:00Z";
const VIEWS: View[] = (["light", "dark"] as const).flatMap((colorScheme) =>
  [1280, 360].map((width) => ({ colorScheme, width })),
);

describe.skipIf(!hasChromium)("/console", () => {
  let browser: Browser;
  let server: RunningServer;
  beforeAll(async () => {
    await buildIfStale(); // the page's modules are served from dist/
    server = await startServer({ checkResponses: true });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** An environment for one test, in a separate page. */
  async function openEnvironment(seed: "demo" | "empty" = "demo", query = "") {
    const control = createControl({ baseUrl: server.url });
    const { name, apiKey } = await control.createEnvironment({ seed, now: NOW });
    const shown = await openConsole(browser, server, { query: `?environment=${name}${query}` });
    return { ...shown, control, name, apiKey };
  }

  describe("preferences", () => {
    test("a switch is one request, shown as curl and as code, and it sticks", async () => {
      const { page, panel, control, name } = await openEnvironment("demo", "&subscriber=eleni-papadaki");
      const preferences = panel("Preferences");
      const push = preferences.getByRole("switch", { name: "Comment Mention: Push" });
      await push.waitFor();
      expect(await push.isChecked()).toBe(true);
      const { latest } = await control.listRequests({ limit: 1 });
      await push.click();
      const sent = await control.waitForRequest({ environment: name, after: latest, method: "PATCH" });
      expect(JSON.parse(sent.body ?? "")).toEqual({ channels: { push: false }, workflowId: "comment-mention" });
      await preferences.getByText("Latest request").click();
      await expectText(
        preferences.getByLabel("As curl", { exact: true }),
        /^curl -i -X PATCH 'http\S+\/v2\/subscribers\/eleni-papadaki\/preferences' \\\n.*--data-raw '{"channels":{"push":false},"workflowId":"comment-mention"}'$/s,
      );
      await expectText(
        preferences.getByLabel("As client code", { exact: true }),
        'client.updatePreferences("eleni-papadaki", { channels: { push: false }, workflowId: "comment-mention" });',
      );
      await page.reload();
      await push.waitFor();
      expect(await push.isChecked()).toBe(false);
      expect(await preferences.getByLabel("Subscriber").inputValue()).toBe("eleni-papadaki");
    });

    test("quick switches are sent one after the other, and a rejected one is reverted", async () => {
      const { panel, control, name } = await openEnvironment();
      const preferences = panel("Preferences");
      const everywhere = (channel: string) => preferences.getByRole("switch", { name: `All workflows: ${channel}` });
      await everywhere("SMS").click();
      await everywhere("Chat").click();
      await everywhere("SMS").click();
      const target = "/v2/subscribers/ines-moreau/preferences";
      await expect
        .poll(async () => {
          const { requests } = await control.listRequests({ environment: name, method: "PATCH" });
          return requests.map(({ body = "" }) => body);
        })
        .toEqual([
          '{"channels":{}}',
          ...['sms":false', 'chat":false', 'sms":true'].map((one) => `{"channels":{"${one}}}`),
        ]);
      expect([await everywhere("SMS").isChecked(), await everywhere("Chat").isChecked()]).toEqual([true, false]);
      await control.addFault(name, { operation: "updatePreferences", status: 503 });
      await everywhere("Push").click();
      await expectText(preferences.getByRole("status"), /^503: .*Try again$/);
      expect(await everywhere("Push").isChecked()).toBe(true);
      await control.clearFaults(name);
      await preferences.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => everywhere("Push").isChecked()).toBe(false);
      const { requests } = await control.listRequests({ environment: name, status: 503 });
      expect(requests.map((request) => request.target)).toEqual([target]);
    });

    test("workflows without switches have a reason", async () => {
      const { panel } = await openEnvironment();
      const row = (name: string) => panel("Preferences").getByRole("row", { name });
      await expectText(row("Password Reset"), "critical: always sent");
      await expectText(row("Tidepool Newsletter (old)"), "inactive: nothing is sent");
      await expectText(row("Billing Receipt"), "read-only: the API omits it");
      expect(await row("Password Reset").getByRole("switch").count()).toBe(0);
    });

    test("another subscriber is found by a part of the name; an unknown one is an error", async () => {
      const { page, panel } = await openEnvironment();
      const preferences = panel("Preferences");
      const field = preferences.getByLabel("Subscriber");
      await preferences.getByRole("switch").first().waitFor();
      await field.fill("okaf");
      await expectCount(page.locator("#subscribers option"), 1);
      expect(await page.locator("#subscribers option").getAttribute("value")).toBe("amara-okafor");
      await field.fill("nobody");
      await preferences.getByRole("button", { name: "Show" }).click();
      await expectText(preferences.getByRole("status"), "404: Subscriber with id: nobody is not found");
      await expectCount(preferences.getByRole("switch"), 0);
    });
  });

  describe("notifications", () => {
    test("are filtered and paged, and a reload keeps both", async () => {
      const { page, panel, feed } = await openEnvironment();
      const notifications = panel("Notifications");
      await expectCount(feed, 10);
      await notifications.getByLabel("Page size").fill("3");
      await notifications.getByLabel("Subscribers").fill("ines-moreau\namara-okafor");
      await notifications.getByLabel("SMS").check();
      await notifications.getByLabel("In-app").check();
      await notifications.getByRole("button", { name: "Show" }).click();
      await expectCount(feed, 3);
      await notifications.getByRole("button", { name: "Older" }).click();
      await expectText(notifications, "Page 2, up to 3 per page");
      const second = await feed.allTextContents();
      await page.reload();
      await expectText(notifications, "Page 2, up to 3 per page");
      expect(await feed.allTextContents()).toEqual(second);
      expect(await notifications.getByLabel("Subscribers").inputValue()).toBe("ines-moreau\namara-okafor");
      const url = new URL(page.url());
      expect(url.searchParams.getAll("channels")).toEqual(["in_app", "sms"]);
      await notifications.getByText("Latest request").click();
      await expectText(
        notifications.getByLabel("As client code", { exact: true }),
        'listNotifications({ channels: ["in_app", "sms"], subscriberIds: ["ines-moreau", "amara-okafor"], limit: 3, page: 1 })',
      );
      await notifications.getByRole("button", { name: "Newer" }).click();
      await expectText(notifications, "Page 1, up to 3 per page");
      await notifications.getByRole("button", { name: "Clear filter" }).click();
      await expectCount(feed, 10);
      expect([...new URL(page.url()).searchParams.keys()].toSorted()).toEqual(["environment", "subscriber"]);
    });

    test("every filter of the contract goes out as it was typed", async () => {
      const { panel, control, name } = await openEnvironment();
      const notifications = panel("Notifications");
      const { latest } = await control.listRequests({ limit: 1 });
      const texts = {
        "E-mail addresses": "amara+tidepool@example.com",
        Transaction: "deploy 2 & 3",
        Topic: "team:design",
        After: "2026-10-01T00:00:00+02:00",
        Before: "2026-11-01T00:00:00Z",
        "Search (deprecated)": "moreau",
      };
      await notifications.getByText("Workflows all").click();
      await notifications.getByLabel("Weekly Digest").check();
      for (const [label, text] of Object.entries(texts)) await notifications.getByLabel(label).fill(text);
      await notifications.getByLabel("Page size").fill("5");
      await notifications.getByRole("button", { name: "Show" }).click();
      await expectText(notifications.getByRole("status"), "No notification matches the filter.");
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
          after: "2026-10-01T00:00:00+02:00",
          before: "2026-11-01T00:00:00Z",
          search: "moreau",
          limit: "5",
        });
    });

    test("one is opened as JSON; errors of the API are shown", async () => {
      const { panel, feed } = await openEnvironment();
      await feed.first().locator("summary").click();
      const json = JSON.parse((await feed.first().getByLabel("The notification as JSON").textContent()) ?? "");
      expect(json).toMatchObject({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), jobs: expect.any(Array) });
      const notifications = panel("Notifications");
      await notifications.getByLabel("After").fill("yesterday");
      await notifications.getByRole("button", { name: "Show" }).click();
      await expectText(notifications.getByRole("status"), /^422: .*query\.after/);
      await expectCount(feed, 0);
    });
  });

  describe("requests", () => {
    test("a bad request of another tab appears with what was wrong, and what would have been right", async () => {
      const { panel, log, apiKey, name } = await openEnvironment();
      await expectText(panel("Requests").getByRole("status"), /./);
      const headers = { authorization: `ApiKey ${apiKey}` };
      const target = "/v1/notifications?limit=51&chanels=email";
      expect(await callFromAnotherTab(browser, server.url + target, { headers })).toBe(422);
      const entry = log.filter({ hasText: name });
      await expectText(entry, "query.limit must be <= 50 (§4.2)");
      await expectText(entry, "Did you mean query.channels?");
      await entry.locator("summary").click();
      await expectText(entry.getByLabel("Request", { exact: true }), "authorization: ApiKey …");
      await expectText(entry.getByLabel("Response", { exact: true }), '"statusCode": 422');
    });

    test("can be filtered to rejected ones and to this environment, and cleared", async () => {
      const { page, panel, log, apiKey, name } = await openEnvironment();
      const requests = panel("Requests");
      const call = (key: string) =>
        callFromAnotherTab(browser, `${server.url}/v1/notifications`, { headers: { authorization: `ApiKey ${key}` } });
      await requests.getByLabel("This environment only").check();
      expect([await call(apiKey), await call("no-such-key")]).toEqual([200, 401]);
      await expectCount(log, 1);
      await requests.getByLabel("This page's requests too").check();
      await expectCount(log, 3);
      await requests.getByLabel("This environment only").uncheck();
      await requests.getByLabel("Rejected only").check();
      await expectText(log.first(), /401 GET \/v1\/notifications unknown key/);
      await page.reload();
      await expectText(log.first(), /401 GET \/v1\/notifications unknown key/);
      await requests.getByLabel("This environment only").check();
      await requests.getByLabel("Rejected only").uncheck();
      await expectText(log.first(), name);
      await requests.getByRole("button", { name: "Clear" }).click();
      await expectText(requests.getByRole("status"), "Waiting for requests …");
      await expectCount(log, 0);
    });
  });

  describe("faults", () => {
    test("a fault applies to the front-end, as often as set", async () => {
      const { panel, log, apiKey } = await openEnvironment();
      const faults = panel("Faults");
      await faults.getByLabel("Status").selectOption("429");
      await faults.getByLabel("Operation").selectOption("listNotifications");
      await faults.getByLabel("Maximum count").fill("1");
      await faults.getByRole("button", { name: "Add fault" }).click();
      const item = faults.getByRole("listitem");
      await expectText(item, "responds with 429: listNotifications, at most once, applied 0 times");
      const call = () =>
        callFromAnotherTab(browser, `${server.url}/v1/notifications`, {
          headers: { authorization: `ApiKey ${apiKey}` },
        });
      expect([await call(), await call()]).toEqual([429, 200]);
      await expectText(item, "applied once");
      await expectCount(log.getByText("fault"), 1);
      await item.getByRole("button", { name: "Remove" }).click();
      await expectText(faults.getByRole("status"), "None.");
    });

    test.each([
      ["Delay only", async () => {}, { delayMs: 1 }],
      ["Connection closed without a response", async () => {}, { disconnect: true, delayMs: 1 }],
      ["Truncated response", async () => {}, { malformed: true, delayMs: 1 }],
    ])("%s", async (effect, _fill, wanted) => {
      const { panel, control, name } = await openEnvironment();
      const faults = panel("Faults");
      await faults.getByLabel("Effect").selectOption(effect);
      await faults.getByLabel("Delay in ms").fill("1");
      await faults.getByLabel("Share in %").fill("50");
      await faults.getByRole("button", { name: "Add fault" }).click();
      await expectCount(faults.getByRole("listitem"), 1);
      expect(await control.listFaults(name)).toMatchObject([{ ...wanted, share: 0.5 }]);
      await faults.getByRole("button", { name: "Remove all" }).click();
      await expectCount(faults.getByRole("listitem"), 0);
    });
  });

  describe("clock", () => {
    test("is frozen, advanced and set", async () => {
      const { panel, control, name, feed } = await openEnvironment();
      const clock = panel("Clock");
      const now = clock.getByRole("time");
      await expectText(now, "2026-11-02 09:00:00 UTC");
      await clock.getByRole("button", { name: "+ 1 day" }).click();
      await expectText(now, "2026-11-03 09:00:00 UTC");
      await clock.getByRole("button", { name: "Resume" }).click();
      await expectText(clock, "running");
      await clock.getByRole("button", { name: "Freeze" }).click();
      await expectText(clock, "frozen");
      expect(await control.getClock(name)).toMatchObject({ mode: "frozen" });
      await clock.getByLabel("Instant").fill("2026-10-20T00:00:00Z");
      await clock.getByRole("button", { name: "Set" }).click();
      await expectText(now, "2026-10-20 00:00:00 UTC");
      await clock.getByLabel("Instant").fill("tomorrow");
      await clock.getByRole("button", { name: "Set" }).click();
      await expectText(clock.getByRole("status"), /body\.now/);
      await panel("Notifications").getByRole("button", { name: "Show" }).click();
      await expectText(feed.first(), /^2026-10-1/);
    });
  });

  describe("environments", () => {
    test("are created with their own key, reset and deleted", async () => {
      const { page, panel, control } = await openEnvironment();
      const environment = panel("Environment");
      page.on("dialog", (dialog) => dialog.accept());
      await environment.getByText("New environment").click();
      await environment.getByRole("textbox", { name: "Name" }).first().fill("test-environment");
      await environment.getByLabel("Seed").selectOption("demo");
      await environment.getByRole("button", { name: "Create" }).click();
      await expectText(environment.locator("[data-key]"), (await keyOf("test-environment")) ?? "");
      expect(new URL(page.url()).searchParams.get("environment")).toBe("test-environment");
      await control.addSubscriber("test-environment", { subscriberId: "newcomer" });
      await environment.getByRole("button", { name: "Reset" }).click();
      await expectText(environment, "25 subscribers, 150 notifications; in memory only.");
      await environment.getByRole("button", { name: "Delete", exact: true }).click();
      await expect.poll(() => environment.getByLabel("Selected").inputValue()).toBe("default");
      await expect.poll(() => environment.getByRole("button", { name: "Delete", exact: true }).count()).toBe(0); // cannot be deleted

      async function keyOf(name: string) {
        await expect.poll(async () => (await control.listEnvironments()).map((one) => one.name)).toContain(name);
        return (await control.getEnvironment(name)).apiKey;
      }
    });

    test("are restored from snapshots", async () => {
      const { panel } = await openEnvironment();
      const environment = panel("Environment");
      const sms = panel("Preferences").getByRole("switch", { name: "All workflows: SMS" });
      await environment.getByText("Snapshots").click();
      await expectText(environment.getByRole("list", { name: "Snapshots" }), "None yet.");
      await environment.locator("#snapshot-name").fill("before");
      await environment.getByRole("button", { name: "Take snapshot" }).click();
      await expectText(environment.getByRole("list", { name: "Snapshots" }), /^before 2026-11-02T09:00/);
      await sms.click();
      await expect.poll(() => sms.isChecked()).toBe(false);
      await environment.getByRole("button", { name: "Restore before" }).click();
      await expect.poll(() => sms.isChecked()).toBe(true);
      await environment.getByRole("button", { name: "Delete snapshot before" }).click();
      await expectText(environment.getByRole("list", { name: "Snapshots" }), "None yet.");
    });

    test("an empty environment has a message in each panel", async () => {
      const { panel } = await openEnvironment("empty");
      await expectText(panel("Preferences").getByRole("status"), "This environment has no subscribers yet.");
      await expectText(panel("Notifications").getByRole("status"), "There are no notifications yet.");
      await expectText(panel("Faults").getByRole("status"), "None.");
    });
  });

  test("sends no requests to other origins, and its policy allows nothing else", async () => {
    const response = await fetch(`${server.url}/console`);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const policy = response.headers.get("content-security-policy");
    const [own, script] = policy?.split("; script-src ") ?? [];
    expect(own).toBe(
      "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'self'",
    );
    expect(script).toMatch(/^'self' 'sha256-[\w+/]+=*'$/);
    const { page, urls } = await openPage(browser, { colorScheme: "light", width: 1280 });
    const errors: string[] = [];
    onTestFinished(() => page.context().close());
    page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
    await page.goto(`${server.url}/console`);
    await expectCount(toConsole(page).feed, 10);
    expect(urls.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
    expect(errors).toEqual([]);
    await page.getByRole("link", { name: "The contract" }).click();
    await page.getByRole("link", { name: "Console" }).click();
    await expectCount(toConsole(page).feed, 10);
  });

  test.each(VIEWS)("is accessible and fits, $colorScheme at $width", async (view) => {
    const { name, apiKey, control } = await openEnvironment();
    await control.addFault(name, { status: 503, delayMs: 1, share: 0.5, operation: "updatePreferences" });
    const { page, log, feed } = await openConsole(browser, server, { query: `?environment=${name}`, view });
    const headers = { authorization: `ApiKey ${apiKey}` };
    await callFromAnotherTab(browser, `${server.url}/v1/notifications?limit=51`, { headers });
    await expectCount(log.filter({ hasText: name }), 1);
    await expectCount(feed, 10);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    await feed.getByLabel("The notification as JSON").first().waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await findAxeViolations(page)).toEqual([]);
  });
});
