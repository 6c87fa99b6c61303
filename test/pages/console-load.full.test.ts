// The console with 1,000 logged requests, 75 workflows and many notifications: what an action requests, transfers and adds to the
// page is bounded.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../src/browser/client/client.js";
import { createControl } from "../../src/browser/client/control.js";
import { type RunningServer, startServer } from "../../src/server/server.js";
import { closePages, hasChromium, launchChromium } from "./chromium.js";
import { expectCount, openConsole } from "./console-page.js";

const WORKFLOWS = 75;
const REQUESTS = 1_000;

interface Cost {
  requests: number;
  kilobytes: number;
  elements: number;
}

describe.skipIf(!hasChromium)("/console with much to show", () => {
  let browser: Browser;
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer();
    const control = createControl({ baseUrl: server.url });
    const known = await control.listWorkflows("default");
    for (let count = known.length; count < WORKFLOWS; count++) {
      await control.addWorkflow("default", {
        identifier: `workflow-${count}`,
        channels: ["email"],
        tags: [],
        critical: false,
      });
    }
    const many = { subscriberId: "ines-moreau", count: 1_000 };
    for (let count = 0; count < 10; count++) await control.addNotifications("default", many);
    const client = createClient({ baseUrl: server.url, apiKey: server.apiKey });
    for (let count = 0; count < REQUESTS; count++) await client.listNotifications({ limit: 1 + (count % 10) });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await closePages(browser);
    await server?.close();
  });

  test("each action costs what it shows", async () => {
    const { page, open, feed, log } = await openConsole(browser, server);
    await expectCount(feed, 10);
    const press = (name: string) => page.getByRole("button", { name }).click();
    const workflows = page.locator("#preferences tbody tr");
    const second = page.locator("#feed").getByText("Page 2");
    const response = page.getByRole("tabpanel", { name: "Response" });
    const actions: [what: string, act: () => Promise<unknown>, shown: Locator, count: number, limit: Cost][] = [
      ["a page of the feed", () => press("Older"), second, 1, { requests: 1, kilobytes: 40, elements: 50 }],
      ["preferences", () => open("Preferences"), workflows, 76, { requests: 4, kilobytes: 60, elements: 1_500 }],
      ["requests", () => open("Requests"), log, 100, { requests: 3, kilobytes: 200, elements: 1_200 }],
      ["older ones", () => press("Older requests"), log, 200, { requests: 1, kilobytes: 80, elements: 1_200 }],
      ["a search", () => page.keyboard.type("/limit=7"), log, 100, { requests: 9, kilobytes: 400, elements: 0 }],
      ["one of them", () => log.first().click(), response, 1, { requests: 1, kilobytes: 40, elements: 130 }],
    ];
    for (const [what, act, shown, count, limit] of actions) {
      const cost = await measure(page, async () => {
        await act();
        await expectCount(shown, count);
      });
      for (const name of ["requests", "kilobytes", "elements"] as const) {
        expect.soft(cost[name], `${what}: ${name}`).toBeLessThanOrEqual(limit[name]);
      }
    }
  });
});

async function measure(page: Page, act: () => Promise<unknown>): Promise<Cost> {
  const sizes: Promise<number>[] = [];
  const listen = (response: { body(): Promise<Buffer> }) =>
    void sizes.push(
      response.body().then(
        ({ length }) => length,
        () => 0,
      ),
    ); // a long poll may end with the page
  const count = () => page.locator("*").count();
  const before = await count();
  page.on("response", listen);
  await act();
  page.off("response", listen);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { requests: sizes.length, kilobytes: bytes / 1_000, elements: (await count()) - before };
}
