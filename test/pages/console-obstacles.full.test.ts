// The console under adverse conditions: no server, an unknown key, a control plane that requires a key, late responses.
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/browser/client/control.js";
import { type ServerOptions, startServer } from "../../src/start-server.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { expectFitting, findAxeViolations, hasChromium } from "./chromium.js";
import { expectCount, expectText, openConsole, openEnvironment } from "./console-page.js";

async function start(options: ServerOptions = {}) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

describe.skipIf(!hasChromium)("the console", () => {
  test("says that the server is gone and how to start it, keeps what it has, and continues once it is back", async () => {
    const dataFolder = join(await createTemporaryFolder(), "a folder");
    const server = await start({ dataFolder });
    const { page, open, feed, log } = await openConsole(server);
    await expectCount(feed, 25);
    await open("Requests");
    await fetch(`${server.url}/v1/notifications`, { headers: { authorization: `ApiKey ${server.apiKey}` } });
    await expectCount(log, 1);
    await server.close();
    const outage = page.getByRole("alert").filter({ visible: true });
    const command = `npx notifications-contract serve --port ${server.port} --data '${dataFolder}'`;
    await expectText(outage, /^No response since [\d:]{8} UTC\. Start the server again/);
    await expectText(outage.locator("code"), command);
    await log.first().click();
    await page.locator("#requests .detail h3").waitFor();
    await page.keyboard.press("Escape");
    for (const view of ["Requests", "Preferences", "Feed", "Faults", "Environment"] as const) {
      await open(view);
      await expectFitting(page, `${view} in an outage`);
    }
    expect(await findAxeViolations(page)).toEqual([]);
    const environment = await open("Environment");
    await environment.getByRole("button", { name: "Freeze" }).click();
    await expectText(environment.getByRole("status"), /^No response: .*Try again$/);
    await start({ port: server.port, dataFolder });
    await outage.waitFor({ state: "hidden" });
    await expectText(page.locator(".toast"), "The server was started again.");
    await environment.getByRole("button", { name: "Try again" }).click();
    await expectText(environment.getByRole("region", { name: "Clock" }), "frozen");
    await open("Feed");
    await expectCount(feed, 25);
  });

  test("says what to do where a view is empty, on a narrow screen, too", async () => {
    const server = await start({ seed: "empty" });
    const { page, open } = await openConsole(server, { view: { colorScheme: "dark", width: 390 } });
    for (const [view, text] of [
      ["Requests", /^No requests yet\..*curl -i.*\/v1\/notifications/s],
      ["Preferences", /^This environment has no subscribers yet\.Add a subscriber$/],
      ["Feed", /^There are no notifications yet\.Send a notification$/],
      ["Faults", /^Nothing is injected/],
    ] as const) {
      const panel = await open(view);
      await expectText(panel.locator(".empty"), text);
      await expectFitting(page, `${view}, empty`);
    }
    expect(await findAxeViolations(page)).toEqual([]);
    const { name, apiKey } = await createControl({ baseUrl: server.url }).createEnvironment({ seed: "demo" });
    await open("Requests");
    await fetch(`${server.url}/v1/notifications?limit=51`, { headers: { authorization: `ApiKey ${apiKey}` } });
    await openEnvironment(page, name);
    await expectText(page.locator("#requests tbody"), /^422/);
  });

  test("claims no success of an update without a response", async () => {
    const { page, open } = await openConsole(await start(), { query: "?subscriber=eleni-papadaki" });
    const preferences = await open("Preferences");
    const email = preferences.getByRole("switch", { name: "All workflows: E-mail" });
    await email.waitFor();
    await page.route("**/preferences", (route) => route.abort());
    await email.click();
    await preferences.getByText("No response: nothing is known to have changed.").waitFor();
    await expect.poll(() => email.isChecked(), { message: "it is put back" }).toBe(true);
    expect((await page.locator(".toast").allTextContents()).join("")).toBe("");
  });

  test("asks for an API key that the server stores only as a hash", async () => {
    const dataFolder = await createTemporaryFolder();
    const first = await startServer({ dataFolder });
    const { apiKey } = await createControl({ baseUrl: first.url }).createEnvironment({ name: "kept", durable: true });
    await first.close();
    const { page, open, feed } = await openConsole(await start({ dataFolder }), {
      query: "?environment=kept",
    });
    await page.locator("#feed").getByRole("link", { name: "Enter the API key" }).click();
    const environment = page.locator("#environment");
    await environment.getByRole("textbox", { name: "API key" }).fill(apiKey);
    await environment.getByRole("button", { name: "Use key" }).click();
    await open("Feed");
    await expectCount(feed, 25);
    await page.reload();
    await expectCount(feed, 25);
  });

  test("asks for the control key once", async () => {
    const server = await start({ controlKey: "the-control-key" });
    const { page, feed } = await openConsole(await start());
    const keys = ["another", "the-control-key"];
    const messages: string[] = [];
    page.on("dialog", (dialog) => {
      messages.push(dialog.message());
      return dialog.accept(keys.shift());
    });
    await page.goto(`${server.url}/console#feed`);
    await expectCount(feed, 25);
    await page.reload();
    await expectCount(feed, 25);
    expect(messages).toEqual([
      expect.stringContaining("ControlKey <key>"),
      expect.stringContaining("ControlKey <key>"),
    ]);
  });

  test("drops late responses of the environment before", async () => {
    const server = await start();
    const control = createControl({ baseUrl: server.url });
    const { name } = await control.createEnvironment({ seed: "demo" });
    const other = await control.createEnvironment({ seed: "empty" });
    await control.addSubscriber(other.name, { subscriberId: "only-here" });
    await control.addWorkflow(other.name, { identifier: "its-own", channels: ["push"], tags: [], critical: false });
    const { page, open, feed } = await openConsole(server, { query: `?environment=${name}` });
    await expectCount(feed, 25);
    const subscribers = await hold(page, (url) => url.pathname.endsWith(`/${name}/subscribers`));
    const preferences = await open("Preferences");
    await subscribers.arrival;
    await openEnvironment(page, other.name);
    const push = preferences.getByRole("switch", { name: "All workflows: Push" });
    await push.waitFor();
    await subscribers.release();
    await expectText(preferences.getByRole("button", { name: "Subscriber" }), "only-here");
    const update = await hold(page, (url) => url.pathname.includes("only-here"));
    await push.click();
    await update.arrival;
    await openEnvironment(page, name);
    await preferences.getByRole("switch", { name: "Project Update: E-mail" }).waitFor();
    await update.release(503);
    await expectText(preferences.getByRole("status"), /^$/);
    const list = await hold(page, (url) => url.pathname === "/v1/notifications");
    await open("Feed");
    await list.arrival;
    await openEnvironment(page, other.name);
    await expectText(page.locator("#feed .empty"), "There are no notifications yet.");
    await list.release();
    await expectCount(feed, 0);
  });
});

/** Holds back the response to the first request whose address matches. */
async function hold(page: Page, matches: (url: URL) => boolean) {
  let take = (_route: Route): void => {};
  const arrival = new Promise<Route>((resolve) => {
    take = resolve;
  });
  await page.route(matches, take, { times: 1 });
  return {
    /** Settles when the page has sent the request. */
    arrival,
    /** Responds, with the server's response unless a status is given, and waits until the page has handled it. */
    async release(status?: number): Promise<void> {
      const route = await arrival;
      await (status === undefined ? route.continue() : route.fulfill({ status, json: { message: "Too late" } }));
      await (await route.request().response())?.finished();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    },
  };
}
