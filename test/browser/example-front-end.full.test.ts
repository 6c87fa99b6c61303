// The example front-end, built once: against the mock and the reference server, where only its base URL differs, and
// against the fetch handler in the browser itself, where there is no server at all.
import { appendFile, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/server.js";
import { closePages, findAxeViolations, hasChromium, launchChromium } from "./chromium.js";
import { type ExampleSite, startExampleSite } from "./example-site.js";

const API_KEY = "front-end-key";

const TARGETS = [
  { name: "mock", start: () => startMock({ apiKey: API_KEY }), remembers: false },
  { name: "reference", start: () => startServer({ apiKey: API_KEY }), remembers: true },
];

const OUTAGE = "We are back in a moment.";

describe.skipIf(!hasChromium)("the example front-end", () => {
  let browser: Browser;
  let site: ExampleSite;
  let preview: ExampleSite;
  beforeAll(async () => {
    site = await startExampleSite();
    preview = await startExampleSite("preview");
    browser = await launchChromium();
  });
  afterAll(async () => {
    await closePages(browser);
    await site?.close();
    await preview?.close();
  });

  async function newPage(): Promise<Page> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    return page;
  }
  const stateOf = (page: Page) => page.getByRole("status").textContent();
  const emailOf = (page: Page) => page.getByRole("switch", { name: "email" });

  describe.each(TARGETS)("against the $name", ({ start, remembers }) => {
    let server: { url: string; close(): Promise<void> };
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server?.close());

    async function open(subscriberId: string, prefer?: string): Promise<Page> {
      const page = await newPage();
      if (prefer) {
        await page.route("**/v1/notifications*", (route) =>
          route.continue({ headers: { ...route.request().headers(), prefer } }),
        );
      }
      const settings = new URLSearchParams({ baseUrl: server.url, apiKey: API_KEY, subscriberId });
      await page.goto(`${site.url}/?${settings}`);
      return page;
    }

    test("lists notifications", async () => {
      const page = await open("ines-moreau");
      await page.getByRole("listitem").first().waitFor();
      expect(await page.getByRole("listitem").first().textContent()).toMatch(/^.+, \d{4}-\d\d-\d\dT/);
      await expect.poll(() => stateOf(page)).toBe("");
      expect(await findAxeViolations(page)).toEqual([]);
    });

    test("switches a channel", async () => {
      const page = await open("ines-moreau");
      await emailOf(page).waitFor();
      const responded = page.waitForResponse((response) => response.request().postData()?.includes("email") === true);
      await emailOf(page).click();
      expect((await responded).status()).toBe(200);
      await page.reload();
      await emailOf(page).waitFor();
      if (remembers) expect(await emailOf(page).isChecked()).toBe(false); // the mock returns an example
    });

    test("shows that there is nothing, and what has failed", async () => {
      const empty = await open("ines-moreau", "example=emptyPage");
      await expect.poll(() => stateOf(empty)).toBe("Nothing yet.");
      const failing = await open("ines-moreau", "code=503");
      await failing.getByRole("alert").getByText(OUTAGE).waitFor();
    });
  });

  describe.each([
    ["a service worker", ""],
    ["Mock Service Worker", "?backend=msw"],
  ])("without any server, by %s", (_title, query) => {
    test("a story from the first page to the retry after an outage", async () => {
      const page = await newPage();
      await page.goto(`${preview.url}/${query}`);
      await emailOf(page).waitFor();
      const files = [...preview.requests];

      const items = page.getByRole("listitem");
      await expect.poll(() => items.count()).toBe(5);
      const first = await items.first().textContent();
      await call(page, "addNotifications", { subscriberId: "ines-moreau" });
      await page.getByRole("button", { name: "Older" }).click();
      await expect.poll(() => items.count()).toBe(10);
      expect(await items.first().textContent()).toBe(first);

      expect(await emailOf(page).isChecked()).toBe(true);
      await emailOf(page).click();
      await expect.poll(() => emailOf(page).isChecked()).toBe(false);

      await page.getByRole("textbox", { name: "Since" }).fill("yesterday");
      await page.keyboard.press("Tab");
      await page.getByRole("alert").getByText("query.after must match").waitFor();
      await page.getByRole("textbox", { name: "Since" }).fill("");
      await page.keyboard.press("Tab");
      await expect.poll(() => page.getByRole("alert").count()).toBe(0);

      await call(page, "addFault", { operation: "updatePreferences", status: 503 });
      await emailOf(page).click();
      await page.getByRole("alert").getByText(OUTAGE).waitFor();
      expect(await emailOf(page).isChecked()).toBe(false);
      await call(page, "clearFaults");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => page.getByRole("alert").count()).toBe(0);
      expect(await emailOf(page).isChecked()).toBe(true);
      expect(preview.requests).toEqual(files); // all of it was between the page and its worker
    });
  });

  describe("a preview", () => {
    const open = async (page: Page, query = "") => {
      await page.goto(`${preview.url}/${query}`);
      await emailOf(page).waitFor();
    };
    const modeOf = (page: Page) => page.evaluate(() => (globalThis as unknown as Previewed).preview.mode);
    const isControlled = (page: Page) => page.evaluate("navigator.serviceWorker.controller !== null");
    const switchOff = async (page: Page) => {
      await emailOf(page).click();
      await expect.poll(() => emailOf(page).isChecked()).toBe(false);
      await expect
        .poll(async () => ((await call(page, "requests")) as { body: string }[]).at(-1)?.body)
        .toContain("email");
    };

    test("survives a reload, a hard reload, an update of its worker, and serves a second tab", async () => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const [first, second] = [await context.newPage(), await context.newPage()];
      await open(first);
      expect(await modeOf(first)).toBe("worker");
      await switchOff(first);
      await open(second);
      expect(await emailOf(second).isChecked()).toBe(false);
      await first.reload();
      await expect.poll(() => emailOf(first).isChecked()).toBe(false);

      const session = await context.newCDPSession(first);
      await session.send("Page.reload", { ignoreCache: true });
      await emailOf(first).waitFor();
      expect(await isControlled(first)).toBe(true);
      expect([await modeOf(first), await emailOf(first).isChecked()]).toEqual(["worker", false]);

      await appendFile(join(preview.folder, "notifications-contract-worker.js"), "\n// another version\n");
      await first.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.update())");
      await first.reload();
      await emailOf(first).waitFor();
      expect(await isControlled(first)).toBe(true);
      expect(await modeOf(second)).toBe("worker");
      await second.reload();
      await emailOf(second).waitFor();
    });

    test("keeps the records where it is told to, until it is reset", async () => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await open(page, "?persist");
      await switchOff(page);
      await stopWorkers(page);
      await open(page, "?persist");
      expect(await emailOf(page).isChecked()).toBe(false);
      await call(page, "reset");
      await page.reload();
      await emailOf(page).waitFor();
      expect(await emailOf(page).isChecked()).toBe(true);
    });

    test("leaves everything but the API to the network, also after a stop of its worker: streams beside it end with their page", async () => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await open(page);
      await stopWorkers(page);
      const beside = await context.newPage(); // as Storybook's manager is beside its stories
      const byWorker: string[] = [];
      beside.on("response", (response) => {
        const isNavigation = response.request().isNavigationRequest(); // for which the worker starts, whatever it does
        if (response.fromServiceWorker() && !isNavigation) byWorker.push(response.url());
      });
      for (let visit = 0; visit < 8; visit++) {
        await beside.goto(`${preview.url}/mockServiceWorker.js?${visit}`); // more than there are connections to one origin
        await beside.evaluate(openStream);
      }
      expect(byWorker).toEqual([]);
      await open(page);
      expect(await modeOf(page)).toBe("worker");
    });

    test.each([
      [
        "there may be no worker",
        "that takes https or localhost",
        async (page: Page) => {
          await page.addInitScript('Object.defineProperty(navigator, "serviceWorker", { value: undefined })');
        },
      ],
      [
        "the worker is missing",
        "Add the plugin of notifications-contract/vite",
        async () => {
          const worker = join(preview.folder, "notifications-contract-worker.js");
          await rename(worker, `${worker}.away`);
          onTestFinished(() => rename(`${worker}.away`, worker));
        },
      ],
    ])("replaces fetch where %s, and says so", async (_title, reason, prevent) => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const said: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      await prevent(page);
      await open(page);
      expect(await modeOf(page)).toBe("fetch");
      expect(said.join()).toContain("the preview replaces this page's fetch");
      expect(said.join()).toContain(reason);
      await switchOff(page);
    });
  });

  test("a build without `--mode preview` has nothing of it", async () => {
    const texts = async (folder: string) => {
      const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
      return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")));
    };
    const traces = [/notifications-contract-worker/, /startPreview/, /indexedDB/, /demo-key.*x-decision/s, /Tidepool/];
    const count = (files: string[]) => traces.map((trace) => files.filter((text) => trace.test(text)).length);
    expect(count(await texts(preview.folder)).filter((number) => number > 0).length).toBeGreaterThan(2);
    expect(count(await texts(site.folder))).toEqual(traces.map(() => 0));
  });
});

const openStream = `new Promise((resolve) => { new EventSource("/events").onmessage = resolve; }).then(() => {})`;

/** Calls a method of the page's preview. */
function call(page: Page, method: string, argument?: object): Promise<unknown> {
  return page.evaluate(({ method, argument }) => (globalThis as unknown as Previewed).preview[method]?.(argument), {
    method,
    argument,
  });
}

interface Previewed {
  preview: { mode: string } & Record<string, (argument: unknown) => unknown>;
}

/** As the browser does with an idle one. */
async function stopWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
}
