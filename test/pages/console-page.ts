// Opens the console and finds its parts as a user does.
import type { Browser, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { RunningServer } from "../../src/server/server.js";
import { openPage, type View } from "./chromium.js";

const WIDE: View = { colorScheme: "light", width: 1280 };

type ViewName = "Environment" | "Preferences" | "Feed" | "Requests" | "Faults";

export interface ConsolePage {
  page: Page;
  /** The addresses of all requests. */
  urls: readonly string[];
  /** The errors in the browser's console. */
  errors: readonly string[];
  /** Shows a view. */
  open(name: ViewName): Promise<Locator>;
  /** The listed notifications. */
  feed: Locator;
  /** The logged requests. */
  log: Locator;
}

/** Opens the console and waits until it shows what there is. Errors of the page fail the test. */
export async function openConsole(
  browser: Browser,
  server: Pick<RunningServer, "url">,
  { query = "", view = WIDE }: { query?: string; view?: View } = {},
): Promise<ConsolePage> {
  const { page, urls } = await openPage(browser, view);
  const errors: string[] = [];
  onTestFinished(() => page.context().close());
  page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(`${server.url}/console${query}#feed`);
  return {
    page,
    urls,
    errors,
    async open(name) {
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name }).click();
      return page.locator(`#${name.toLowerCase()}`);
    },
    feed: page.getByRole("table", { name: "Notifications" }).locator("tbody tr"),
    log: page.getByRole("table", { name: "Requests, latest first" }).locator("tbody tr"),
  };
}

/** Waits until a place has the text. */
export async function expectText(place: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => place.textContent(), { timeout: 10_000 }).toMatch(text);
}

export async function expectCount(place: Locator, count: number): Promise<void> {
  await expect.poll(() => place.count(), { timeout: 10_000 }).toBe(count);
}
