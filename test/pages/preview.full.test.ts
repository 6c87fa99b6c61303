// `startPreview` in Chromium, with MSW 2 and 3: a page, its worker and its storage.
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../support/command.js";
import { installMsw3 } from "../support/msw.js";
import { isWeekly } from "../support/sizes.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { hasChromium, openPage } from "./chromium.js";
import { type Site, serveFolder } from "./example-site.js";

const LIST = "https://api.example.com/v1/notifications?subscriberIds=ines-moreau";
const OTHER_WORKER =
  'addEventListener("install", () => skipWaiting()); addEventListener("activate", (event) => event.waitUntil(clients.claim()));';

const PAGE = `<!doctype html><title>A page</title>
<script type="module">import * as exports from "/preview.js"; Object.assign(globalThis, exports);</script>`;

const isRun = hasChromium && isWeekly; // MSW 2 runs each time
const msw3 = isRun ? await installMsw3(afterAll) : { reason: "once a week, where there is a Chromium" };
test.runIf(msw3.reason)("a preview with MSW 3", ({ skip }) => skip(msw3.reason));
const PARENTS = [["MSW 2", ROOT] as const, ...(msw3.folder ? [["MSW 3", msw3.folder] as const] : [])];

describe.skipIf(!hasChromium).each(PARENTS)("a preview with %s", (_name, parent) => {
  let site: Site;
  beforeAll(async () => {
    const folder = await createTemporaryFolder(afterAll);
    await writeSite(folder, parent);
    site = await serveFolder(folder);
  });

  /** In a context of its own, thus without worker and storage. */
  async function open(path = "/", prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const { page, messages } = await openPage();
    await prepare(page);
    await page.goto(`${site.url}${path}`);
    let loads = 0; // from now on
    page.on("load", () => void loads++);
    return { page, messages, loads: () => loads };
  }

  test("keeps its records over a reload, a hard one too, until it is reset or started with other options", async () => {
    const { page } = await open();
    expect(await start(page)).toBe("worker");
    expect(await readEmail(page)).toBe(true);
    await switchEmailOff(page);
    await page.reload();
    await start(page);
    expect(await readEmail(page)).toBe(false);

    const session = await page.context().newCDPSession(page);
    const loaded = page.waitForEvent("load");
    await session.send("Page.reload", { ignoreCache: true });
    await loaded;
    await expect.poll(() => start(page).catch(() => "MSW reloads the page")).toBe("worker");
    expect(await readEmail(page)).toBe(false);

    await start(page, { delayMs: 1 });
    expect(await readEmail(page)).toBe(true);
    await switchEmailOff(page);
    await page.evaluate("preview.reset()");
    expect(await readEmail(page)).toBe(true);
    await page.reload();
    await start(page, { delayMs: 1 });
    expect(await readEmail(page)).toBe(true);
  });

  test("has another handler after a further call", async () => {
    const { page } = await open();
    await start(page);
    expect(await count(page)).toBeGreaterThan(0);
    await start(page, { seed: "empty" });
    expect(await count(page)).toBe(0);
    await page.evaluate("preview.addFault({ status: 503 })");
    expect((await fetchIn(page, LIST)).head).toBe("503 application/json; charset=utf-8");
  });

  const PREVIEW = "200 application/json; charset=utf-8";
  const NETWORK = "200 text/plain";
  const RESPONSES: [baseUrl: string, url: string, response: string][] = [
    ["/api", "/api/v1/notifications", PREVIEW],
    ["/api/", "/api/v1/notifications", PREVIEW],
    ["/api", "/api/unknown", "404 application/json; charset=utf-8"],
    ["/api", "/api-other/v1/notifications", NETWORK],
    ["/api", "/other", NETWORK],
    ["/", "/v1/notifications", PREVIEW],
    ["/", "/other", NETWORK],
    ["https://api.example.com/v", "https://api.example.com/v/v1/notifications", PREVIEW],
  ];
  test.each([
    ["worker", undefined],
    ["fetch", withoutWorkers],
  ])("as a %s, responds to requests of its API alone", async (mode, prepare) => {
    const { page } = await open("/", prepare);
    for (const [baseUrl, url, response] of RESPONSES) {
      expect(await start(page, { baseUrl })).toBe(mode);
      expect((await fetchIn(page, url)).head, `${url} with ${baseUrl}`).toBe(response);
    }
  });

  test("leaves navigations to the network, below the API as well", async () => {
    const { page } = await open();
    await start(page, { baseUrl: "/api" });
    const frame = `new Promise((resolve) => {
      const frame = Object.assign(document.createElement("iframe"), { src: "/api/v1/notifications" });
      frame.onload = () => resolve(frame.contentDocument.body.textContent);
      document.body.append(frame);
    })`;
    expect(await page.evaluate(frame)).toBe("network");
  });

  test.each([
    ["Vite, and Storybook during development", "/", '"/mockServiceWorker.js"'],
    ["Vite with a base", "/app/some/route", '"/app/mockServiceWorker.js"'],
    ["Storybook's static folder", "/app/iframe.html?id=feed", 'new URL("mockServiceWorker.js", document.baseURI).href'],
  ])("finds its worker in %s", async (_title, path, workerUrl) => {
    const { page, loads } = await open(path);
    expect(await start(page, { workerUrl: await page.evaluate<string>(workerUrl) })).toBe("worker");
    await page.reload();
    expect(await start(page, { workerUrl: await page.evaluate<string>(workerUrl) })).toBe("worker");
    expect((await fetchIn(page, LIST)).head).toBe(PREVIEW);
    expect(loads()).toBe(1);
  });

  test.each([
    ["there may be no worker", "/mockServiceWorker.js", "which requires https or localhost", withoutWorkers],
    ["the worker's scope is elsewhere", "/app/mockServiceWorker.js", "/app/, the scope of its worker", undefined],
    ["the worker is missing", "/missing.js", "run `npx msw init public`", undefined],
    ["the worker is not of MSW", "/worker.js", "There is no worker of MSW at ", undefined],
  ])("replaces fetch where %s, and says so", async (_title, workerUrl, reason, prepare) => {
    const { page, messages, loads } = await open("/", prepare);
    for (const isOn of [true, false]) {
      expect(await start(page, { workerUrl })).toBe("fetch");
      expect(messages.at(-1)).toContain("info: notifications-contract: the preview replaces this page's fetch.");
      expect(messages.at(-1)).toContain(reason);
      expect(await readEmail(page), "records persist across a reload").toBe(isOn);
      await switchEmailOff(page);
      await page.reload();
    }
    expect(loads()).toBe(2);
  });

  test("rejects wrong options, and keeps nothing of them", async () => {
    const { page } = await open();
    for (const [options, message] of [
      [{ baseUrl: "http://" }, "startPreview: `baseUrl` must be a URL, got string."],
      [{ workerUrl: 1 }, "startPreview: `workerUrl` must be a URL, got 1."],
      [{ persist: true }, "startPreview: there is no option `persist`."],
      [{ seed: {} }, "startPreview: `seed` must be the value of a whole seed"],
      [{ faults: [{ preset: "unknown" }] }, "preset"],
    ] as const) {
      await expect(start(page, options)).rejects.toThrow(message);
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
    }
    expect(await start(page)).toBe("worker");
  });

  test("discards what is kept and cannot be opened, and says so once", async () => {
    const { page, messages } = await open();
    await start(page);
    const warnings = () => messages.filter((line) => line.startsWith("warning:"));
    for (const text of ["{", undefined]) {
      messages.length = 0;
      await page.evaluate(`{
        const key = "notifications-contract";
        sessionStorage[key] = ${JSON.stringify(text)} ?? JSON.stringify({ ...JSON.parse(sessionStorage[key]), seed: {} });
      }`);
      for (let visit = 0; visit < 2; visit += 1) {
        await page.reload();
        await start(page);
        expect(await count(page)).toBeGreaterThan(0);
        expect(warnings(), text).toHaveLength(1);
      }
    }
  });

  test.each([
    ["refused", 'Object.defineProperty(window, "sessionStorage", { get() { throw new Error("refused"); } })'],
    ["full", 'try { for (let i = 0; ; i++) sessionStorage["full" + i] = "x".repeat(10_000); } catch {}'],
  ])("works with a storage that is %s, and says so once", async (_title, script) => {
    const { page, messages } = await open("/", (page) => page.addInitScript(script));
    expect(await start(page)).toBe("worker");
    await switchEmailOff(page);
    await page.evaluate('preview.addNotifications({ subscriberId: "ines-moreau" })');
    expect(await readEmail(page)).toBe(false);
    const [warning, ...more] = messages.filter((line) => line.startsWith("warning:"));
    expect(warning).toContain("notifications-contract: the preview cannot keep its records over a reload.");
    expect(more).toEqual([]);
  });

  test.each(["worker", "fetch"])("takes the place of the server that adds the key, by %s", async (mode) => {
    const { page } = await open("/", mode === "fetch" ? withoutWorkers : undefined);
    const gateway = { basePath: "/api", isKeyless: true, subscriberAliases: { me: "ines-moreau" } };
    expect(await start(page, gateway)).toBe(mode);
    const status = await page.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      const update = { method: "PATCH", headers, body: '{"channels":{"email":false}}' };
      return (await fetch("/api/v2/subscribers/me/preferences", update)).status;
    });
    expect(status).toBe(200);
    expect((await fetchIn(page, "/api/v1/notifications?subscriberIds=me&limit=1")).json().data).toHaveLength(1);
  });
});

async function withoutWorkers(page: Page): Promise<void> {
  await page.addInitScript('Object.defineProperty(navigator, "serviceWorker", { value: undefined })');
}

/** Starts a preview in the page, with a seed by its name. */
function start(page: Page, options: object = {}): Promise<string> {
  return page.evaluate(`(async () => {
    const { seed = "demo", ...options } = ${JSON.stringify(options)};
    globalThis.preview = await startPreview({ ...options, seed: globalThis[seed] ?? seed });
    return preview.mode;
  })()`);
}

/** The response to a request of the page: its status with its media type, and its body. */
async function fetchIn(page: Page, url: string, init: RequestInit = {}) {
  const [head, text] = await page.evaluate(
    async ({ url, init }): Promise<[string, string]> => {
      const headers = { authorization: "ApiKey demo-key", "content-type": "application/json" };
      const response = await fetch(url, { ...init, headers });
      return [`${response.status} ${response.headers.get("content-type")}`, await response.text()];
    },
    { url, init },
  );
  return { head, json: () => JSON.parse(text) };
}

async function count(page: Page): Promise<number> {
  return (await fetchIn(page, LIST)).json().data.length;
}

const readEmail = (page: Page) => update(page, {});
const switchEmailOff = (page: Page) => update(page, { email: false });

/** The channel email after an update. */
async function update(page: Page, channels: object): Promise<boolean> {
  const url = "https://api.example.com/v2/subscribers/ines-moreau/preferences";
  const response = await fetchIn(page, url, { method: "PATCH", body: JSON.stringify({ channels }) });
  return response.json().global.channels.email;
}

/** Pages at `/` and below `/app/`, each with MSW's worker beside it, and the built package in one script. */
async function writeSite(folder: string, parentOfMsw: string): Promise<void> {
  const dist = join(ROOT, "dist");
  const entry = join(folder, "entry.js");
  const exports = `export * from "${dist}/browser/preview/preview.js"; export { default as demo } from "${dist}/seeds/demo.js";
    export { default as empty } from "${dist}/seeds/empty.js";`;
  await writeFile(entry, exports);
  const isMsw = (id: string) => id === "msw" || id === "msw/browser";
  const bundle = await rolldown({
    input: { preview: entry },
    platform: "browser",
    plugins: [
      {
        name: "msw",
        resolveId(id) {
          return isMsw(id) ? this.resolve(id, join(parentOfMsw, "from.js"), { skipSelf: true }) : undefined;
        },
      },
    ],
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].js" });
  await bundle.close();
  await mkdir(join(folder, "app/some"), { recursive: true });
  for (const path of ["index.html", "app/iframe.html", "app/some/route"]) await writeFile(join(folder, path), PAGE);
  for (const path of ["", "app"]) {
    const script = "mockServiceWorker.js";
    await copyFile(join(parentOfMsw, "node_modules/msw/lib", script), join(folder, path, script));
  }
  await writeFile(join(folder, "worker.js"), OTHER_WORKER);
}
