// How long an action in the console takes, with 100,000 notifications, 75 workflows and 1,000 logged requests: medians, in a real
// browser. After `npm run build`: `node test/bench/console.js`. What an action costs is tested in test/browser/console-load.full.test.ts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { chromium } from "playwright-core";
import { createClient } from "../../dist/client/client.js";
import { createControl } from "../../dist/client/control.js";

const ROUNDS = 5;
const TARGET_MS = 200;

// A process of its own, as in use: here, Playwright would wait for the server and the server for Playwright.
const server = spawn(process.execPath, ["dist/cli.js", "serve", "--port", "0", "--ephemeral"], {
  stdio: ["ignore", "pipe", "ignore"],
});
const [message] = await once(server.stdout, "data");
const [, url] = /URL +(http:\S+)/.exec(message) ?? [];
const control = createControl({ baseUrl: url });
const client = createClient({ baseUrl: url, apiKey: "demo-key" });
const workflows = await control.listWorkflows("default");
for (let count = workflows.length; count < 75; count++) {
  await control.addWorkflow("default", { identifier: `workflow-${count}` });
}
for (let count = 0; count < 100; count++) {
  await control.addNotifications("default", { subscriberId: "ines-moreau", count: 1_000 });
}
for (let count = 0; count < 1_000; count++) await client.listNotifications({ limit: 1 + (count % 4) });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const times = new Map();
for (let round = 0; round < ROUNDS; round++) await measureActions();
for (const [action, values] of times) {
  const median = values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
  console.info(
    `${action.padEnd(24)} ${String(median).padStart(4)} ms${median > TARGET_MS ? `, over ${TARGET_MS}` : ""}`,
  );
}
console.info(`load ${loadavg()[0].toFixed(1)}`);
await browser.close();
server.kill();

async function measureActions() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(10_000);
  const click = (place) => place.evaluate((one) => one.click()); // Playwright's own click waits for more frames
  const press = (name) => click(page.getByRole("button", { name }));
  const open = (name) => click(page.getByRole("link", { name }));
  const rows = (view) => `#${view} tbody tr`;
  const measure = async (action, act, selector, count) => {
    const started = performance.now();
    await act();
    await page.waitForFunction(
      ([selector, count]) =>
        [...document.querySelectorAll(selector)].filter((one) => one.offsetParent).length === count,
      [selector, count],
      { polling: "raf" },
    );
    times.set(action, [...(times.get(action) ?? []), Math.round(performance.now() - started)]);
  };
  await page.goto(url, { waitUntil: "networkidle" }); // a new window of Chromium is busy with itself at first
  await measure("an empty page", () => page.goto(`${url}/health`), "body", 1);
  await measure("open the docs", () => page.goto(`${url}/docs`), "#search", 1);
  await measure("open the console", () => page.goto(`${url}/console#feed`), rows("feed"), 10);
  await measure("preferences", () => open("Preferences"), rows("preferences"), 76);
  await measure("filter workflows", () => page.fill("#workflow-filter", "workflow-70"), rows("preferences"), 1);
  await measure("feed", () => open("Feed"), rows("feed"), 10);
  await measure("a notification", () => click(page.locator(rows("feed")).first()), "#feed .detail h3", 1);
  await measure("requests", () => open("Requests"), rows("requests"), 100);
  for (let count = 2; count <= 6; count++) {
    await measure("older requests", () => press("Older requests"), rows("requests"), count * 100);
  }
  await measure("a request", () => click(page.locator(rows("requests")).nth(4)), "#requests .detail h3", 1);
  await measure("search", () => page.fill("#request-search", "limit=3"), rows("requests"), 100);
  await measure("filter by status", () => page.selectOption("#request-status", "422"), rows("requests"), 0);
  await page.close();
}
