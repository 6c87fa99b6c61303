// The console with obstacles: no server, an unknown key, a control plane that requires a key.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/browser/client/control.js";
import { startMock } from "../../src/mock/mock-server.js";
import { type ServerOptions, startServer } from "../../src/server/server.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { closePages, hasChromium, launchChromium } from "./chromium.js";
import { expectCount, expectText, openConsole } from "./console-page.js";

async function start(options: ServerOptions = {}) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

describe.skipIf(!hasChromium)("/console with obstacles", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => closePages(browser));

  test("reports that the server is gone, and continues once it is back", async () => {
    const server = await start();
    const { page, feed } = await openConsole(browser, server);
    await expectCount(feed, 10);
    await server.close();
    await expectText(page.getByRole("alert"), "the server is gone. Trying again …");
    await start({ port: server.port, seed: "empty" });
    await expectText(page.locator("#feed [data-empty]"), "There are no notifications yet.");
    expect(await page.getByRole("alert").isVisible()).toBe(false);
  });

  test("continues with the requests once the server is back", async () => {
    const server = await start();
    const { page, open } = await openConsole(browser, server);
    await open("Requests");
    await expectText(page.locator("#requests [data-empty]"), /^No requests/);
    await server.close();
    await expectText(page.getByRole("alert"), "the server is gone. Trying again …");
    const again = await start({ port: server.port });
    await page.getByRole("alert").waitFor({ state: "hidden" });
    await fetch(`${again.url}/v1/notifications`, { headers: { authorization: `ApiKey ${again.apiKey}` } });
    await page.locator("#requests tbody tr").first().waitFor();
  });

  test("asks for an API key that the server does not know any more", async () => {
    const dataFolder = await createTemporaryFolder();
    const first = await startServer({ dataFolder });
    const { apiKey } = await createControl({ baseUrl: first.url }).createEnvironment({ name: "kept", durable: true });
    await first.close();
    const { page, open, feed } = await openConsole(browser, await start({ dataFolder }), {
      query: "?environment=kept",
    });
    await page.locator("#feed").getByRole("button", { name: "Enter the API key" }).click();
    const environment = page.locator("#environment");
    await environment.getByLabel("API key").fill(apiKey);
    await environment.getByRole("button", { name: "Use key" }).click();
    await open("Feed");
    await expectCount(feed, 10);
    await page.reload();
    await expectCount(feed, 10);
  });

  test("asks for the control key once", async () => {
    const server = await start({ controlKey: "the-control-key" });
    const { page, feed } = await openConsole(browser, server);
    const dialog = page.getByRole("dialog", { name: "Control key" });
    await dialog.getByLabel("Key").fill("another");
    await dialog.getByRole("button", { name: "Use key" }).click();
    await expectText(dialog, "ControlKey <key>");
    await dialog.getByLabel("Key").fill("the-control-key");
    await dialog.getByLabel("Key").press("Enter");
    await expectCount(feed, 10);
    await page.reload();
    await expectCount(feed, 10);
    expect(await dialog.isVisible()).toBe(false);
  });

  test("does not exist without a control plane or at the mock, and the docs do not link to it", async () => {
    const mock = await startMock({ apiKey: "mock-key" });
    onTestFinished(() => mock.close());
    const withoutControl = await start({ control: false });
    expect((await fetch(`${mock.url}/console`)).status).toBe(404); // with a message that names the reference server
    expect((await fetch(`${withoutControl.url}/console`)).status).toBe(401); // as every path that needs a key
    for (const { url } of [mock, withoutControl]) {
      expect(await (await fetch(`${url}/docs`)).text()).not.toContain("/console");
      expect(await (await fetch(url)).json()).not.toHaveProperty("console");
    }
  });
});
