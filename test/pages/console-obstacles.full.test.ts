// The console under adverse conditions: no server, an unknown key, a control plane that requires a key, late responses.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/browser/client/control.js";
import { type ServerOptions, startServer } from "../../src/proposals/start-server.js";
import { loadContractText } from "../support/contract-text.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { expectUsable, hasChromium } from "./chromium.js";
import { type ConsolePage, expectCount, expectText, openConsole, openEnvironment } from "./console-page.js";

const ONLY = "only-here";

async function start(options: ServerOptions = {}) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

describe.skipIf(!hasChromium)("the console", () => {
  test.each(["Feed", "Requests"] as const)(
    "%s: reports that the server is gone, and continues once it is back",
    async (view) => {
      const server = await start();
      const { page, open, log } = await openConsole(server);
      const panel = await open(view);
      const empty = panel.locator("[data-empty]");
      await fetch(`${server.url}/v1/notifications`, { headers: { authorization: `ApiKey ${server.apiKey}` } });
      const row = panel.locator("tbody tr:not(.day)").first();
      await row.waitFor();
      expect(await page.getByText("live", { exact: true }).isVisible()).toBe(view === "Requests");
      await server.close();
      await expectText(
        page.getByRole("alert"),
        /^No response since [\d:]{8} UTC\. Start the server again.* serve --port \d+ --ephemeralCopy/,
      );
      expect(await page.getByText("live", { exact: true }).isVisible()).toBe(false);
      const sender = panel.getByRole("button", { name: view === "Feed" ? "Send a notification" : "Clear log" });
      expect(await sender.first().isDisabled(), "nothing can be sent").toBe(true);
      await row.click();
      await panel.locator(".detail h3").waitFor();
      await page.keyboard.press("Escape");
      await expectUsable(page, `${view} in an outage`);
      const again = await start({ port: server.port, seed: "empty" });
      await expectText(page.locator(".toast"), "The server was started again. Its data was in memory");
      await page.getByRole("alert").waitFor({ state: "hidden" });
      expect(await sender.first().isEnabled()).toBe(true);
      await expectText(empty, /^(There are no notifications|No requests to this environment) yet\./);
      await expectUsable(page, `${view}, empty`);
      if (view === "Feed") return;
      await fetch(`${again.url}/v1/notifications`, { headers: { authorization: `ApiKey ${again.apiKey}` } });
      await expectCount(log, 1);
    },
  );

  test("keeps what an empty view says when the server is gone", async () => {
    const server = await start();
    const { page, open } = await openConsole(server);
    const requests = await open("Requests");
    await requests.getByText("No requests to this environment yet.").waitFor();
    await server.close();
    await page.getByRole("alert").waitFor();
    expect(await requests.getByText("No requests to this environment yet.").isVisible()).toBe(true);
  });

  test("without a server, opens each view with what it had, in which nothing can be sent", async () => {
    const dataFolder = join(await createTemporaryFolder(), "a folder");
    const server = await start({ dataFolder });
    const { page, open, feed } = await openConsole(server, { query: "?subscriber=eleni-papadaki" });
    await expectCount(feed, 25);
    const environment = await open("Environment");
    await environment.getByText("stored on disk").waitFor();
    const email = (await open("Preferences")).getByRole("switch", { name: "All workflows: E-mail" });
    await email.focus();
    await server.close();
    const command = `npx notifications-contract serve --port ${server.port} --data '${dataFolder}'`;
    await expectText(page.getByRole("alert").locator("code"), new RegExp(`^${command}$`));
    expect(await email.isDisabled()).toBe(true);
    await open("Environment");
    await expectText(environment.locator(".title"), /default *as of [\d:]{8} UTC/);
    expect(await page.locator("#preferences").isVisible()).toBe(false);
    for (const name of ["Freeze", "Download as seed", "Reset to its seed", "Create"])
      expect(await environment.getByRole("button", { name }).isDisabled(), name).toBe(true);
    expect(await environment.getByLabel("Load a seed").isDisabled()).toBe(true);
    expect(await environment.getByRole("button", { name: "Copy", exact: true }).isEnabled()).toBe(true);
    await expectUsable(page, "Environment in an outage");
    const faults = await open("Faults");
    await page.getByText("The server does not respond, and this view was not loaded before.").waitFor();
    expect(await faults.isVisible()).toBe(false);
    await open("Preferences");
    await expectText(page.locator("#preferences .title"), /as of [\d:]{8} UTC/);
    await start({ port: server.port, dataFolder });
    await expect.poll(() => email.isDisabled()).toBe(false);
    expect(await page.getByText("as of").count()).toBe(0);
    await open("Faults");
    await faults.getByText("None: every request gets its own response.").waitFor();
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
    expect(await page.locator(".toast").count()).toBe(0);
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
    await environment.getByLabel("API key").fill(apiKey);
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

  test("the feed has the filters of the served contract, and no others", async () => {
    const left = ["Before (UTC)", "Emails", "Transaction id", "Topic key"];
    const removed = /^ *- .*parameters\/(channels|templates|subscriberIds|after|search)".*\n/gm;
    const contractPath = join(await createTemporaryFolder(), "openapi.yaml");
    await writeFile(contractPath, loadContractText().text.replaceAll(removed, ""));
    const { page, open, feed } = await openConsole(await start({ contractPath }));
    await open("Feed");
    await expectCount(feed, 25);
    const names = await page.locator("#feed [data-filter] label").allTextContents();
    expect(names.map((name) => name.trim())).toEqual(left);
  });

  test("a slow list of workflows does not hide the error of the feed", async () => {
    const { page } = await openConsole(await start());
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const late = await hold(page, (url) => url.pathname.endsWith("/workflows"));
    await page.goto(page.url().replace(/[?#].*/, "?after=yesterday#feed"));
    await late.arrival;
    const status = page.locator("#feed").getByRole("status").first();
    await expectText(status, /^422: /);
    await page.clock.runFor(1_000); // a notice appears after less
    await page.clock.resume();
    await late.release();
    await expectText(status, /^422: /);
  });

  /** The console at an environment with the demo seed, and another environment with one subscriber and nothing else. */
  async function openTwo(query = ""): Promise<ConsolePage & { name: string; switchTo(): Promise<void> }> {
    const server = await start();
    const control = createControl({ baseUrl: server.url });
    const { name } = await control.createEnvironment({ seed: "demo" });
    const other = await control.createEnvironment({ seed: "empty" });
    await control.addSubscriber(other.name, { subscriberId: ONLY });
    await control.addWorkflow(other.name, { identifier: "its-own", channels: ["push"], tags: [], critical: false });
    const shown = await openConsole(server, { query: `?environment=${name}${query}` });
    await expectCount(shown.feed, 25);
    return { ...shown, name, switchTo: () => openEnvironment(shown.page, other.name) };
  }

  test("shows the shape of the switches until they come, and the name of the product in one line", async () => {
    const { page, open, feed } = await openConsole(await start(), { view: { colorScheme: "light", width: 768 } });
    await expectCount(feed, 25); // it lists the workflows, too
    const late = await hold(page, (url) => url.pathname.endsWith("/workflows"));
    const preferences = await open("Preferences");
    await late.arrival;
    const look = "getComputedStyle(document.querySelector('[data-matrix]')).backgroundImage";
    await expect.poll(() => page.evaluate(look)).toContain("gradient");
    await late.release();
    await preferences.getByRole("switch").first().waitFor();
    expect(await page.evaluate(look)).toBe("none");
    expect((await page.locator(".brand").boundingBox())?.height).toBeLessThan(30);
    const isWhole =
      "((name) => name.scrollWidth <= name.clientWidth)(document.querySelector('#environment-name > :last-child'))";
    expect(await page.evaluate(isWhole), "the environment's name").toBe(true);
  });

  test("drops the late response with the first subscriber of the environment before", async () => {
    const { page, open, name, switchTo } = await openTwo();
    const late = await hold(page, (url) => url.pathname.endsWith(`/${name}/subscribers`));
    const preferences = await open("Preferences");
    await late.arrival;
    await switchTo();
    await preferences.getByRole("switch", { name: "Its Own: Push" }).waitFor();
    await late.release();
    await expectText(preferences.getByRole("button", { name: "Subscriber" }), ONLY);
    await expect.poll(() => new URL(page.url()).searchParams.get("subscriber")).toBe(ONLY);
  });

  test("drops the late error of an update of the environment before", async () => {
    const { page, open, switchTo } = await openTwo("&subscriber=ines-moreau");
    const preferences = await open("Preferences");
    await preferences.getByRole("switch").first().waitFor();
    const late = await hold(page, (url) => url.pathname.includes("ines-moreau"));
    await preferences.getByRole("switch", { name: "All workflows: Chat" }).click();
    await late.arrival;
    await switchTo();
    await preferences.getByRole("switch", { name: "Its Own: Push" }).waitFor();
    await late.release(503);
    await expectText(preferences.getByRole("status"), /^$/);
  });

  test("drops the late notifications of the environment before", async () => {
    const { page, open, feed, switchTo } = await openTwo();
    const notifications = await open("Feed");
    const late = await hold(page, (url) => url.pathname === "/v1/notifications" && url.searchParams.has("limit"));
    await notifications.getByLabel("Per page").selectOption("25");
    await late.arrival;
    await page.evaluate("history.replaceState(null, '', location.pathname + location.hash)"); // without the filter
    await switchTo();
    await expectText(notifications.locator("[data-empty]"), "There are no notifications yet.");
    await late.release();
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
