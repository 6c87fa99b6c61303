// Opens the console and finds its parts as a user does.
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { type OpenedPage, openPage, type View } from "./chromium.js";

type ViewName = "Environment" | "Preferences" | "Feed" | "Requests" | "Faults";

export interface ConsolePage extends OpenedPage {
  open(name: ViewName): Promise<Locator>;
  /** The listed notifications. */
  feed: Locator;
  /** The logged requests. */
  log: Locator;
}

/** Opens the console, at its feed unless the hash says otherwise. An exception in the page fails the test. */
export async function openConsole(
  server: { url: string },
  { query = "", hash = "#feed", view }: { query?: string; hash?: string; view?: View | undefined } = {},
): Promise<ConsolePage> {
  const opened = await openPage(view);
  const { page } = opened;
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(`${server.url}/console${query}${hash}`);
  return {
    ...opened,
    async open(name) {
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name }).click();
      return page.locator(`#${name.toLowerCase()}`);
    },
    feed: page.getByRole("grid", { name: "Notifications" }).locator("tbody tr:not(.day)"),
    log: page.getByRole("grid", { name: "Requests" }).locator("tbody tr:not(.day)"),
  };
}

/** Selects an environment by typing its name. */
export async function openEnvironment(page: Page, name: string): Promise<void> {
  await page.locator("#environment-name").click();
  await page.getByRole("combobox", { name: "Environment" }).fill(name);
  await page.keyboard.press("Enter");
}

/** Waits until a place has the text. */
export async function expectText(place: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => place.textContent()).toMatch(text);
}

export async function expectCount(place: Locator, count: number): Promise<void> {
  await expect.poll(() => place.count()).toBe(count);
}
