// Pages in the system's Chromium, which is not in node_modules. Without it, browser tests are skipped with a message.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

// The first has no windows, and takes half of the processor time.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
export const chromiumPath = process.env.CHROMIUM ?? NAMES.map((name) => `/usr/bin/${name}`).find(existsSync);

export const hasChromium = chromiumPath !== undefined;
if (!hasChromium) {
  const message = "No Chromium: browser tests are skipped. Install it, or set CHROMIUM to its path.";
  if (process.env.CI) throw new Error(message); // there, skipped tests would look like passed ones
  process.stderr.write(`${message}\n`);
}

/** Shared by all files of a worker, and closed with its process. */
let browser: Promise<Browser> | undefined;

export interface View {
  colorScheme: "light" | "dark";
  width: number;
}

const WIDE: View = { colorScheme: "light", width: 1280 };

/**
 * Each scheme and each width: a scheme changes only colours, a width only the layout. Forced colours have the elements
 * and the layout of the first, and the system's contrast: axe finds the same there.
 */
export const VIEWS: View[] = [WIDE, { colorScheme: "dark", width: 390 }];

export interface OpenedPage {
  page: Page;
  /** The addresses of its requests, without data URLs. */
  urls: readonly string[];
  /** What it writes to the console, as `warning: …`. */
  messages: string[];
}

/** Opens a page in a context of its own, which is closed after the test. */
export async function openPage({ width, ...view } = WIDE): Promise<OpenedPage> {
  browser ??= chromium.launch({
    executablePath: chromiumPath ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
  const context = await (await browser).newContext({ ...view, viewport: { width, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const urls: string[] = [];
  page.on("request", (request) => void (request.url().startsWith("data:") || urls.push(request.url())));
  const messages: string[] = [];
  page.on("console", (message) => void messages.push(`${message.type()}: ${message.text()}`));
  return { page, urls, messages };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Expects that the page fits, as below, and that axe finds nothing. */
export async function expectUsable(page: Page, name = page.url()): Promise<void> {
  await expectFitting(page, name);
  expect(await findAxeViolations(page), name).toEqual([]);
}

/**
 * Opens everything that folds (of the many reasons in the docs only the first few), and expects that the page fits, that
 * no table heading breaks within a word, and that on a narrow page targets are large enough for a finger.
 */
export async function expectFitting(page: Page, name: string): Promise<void> {
  await page.evaluate(`for (const folded of document.querySelectorAll("details:not(.basis)")) folded.open = true;
    for (const reason of [...document.querySelectorAll("details.basis")].slice(0, 3)) reason.open = true;`);
  const fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
  expect(await page.evaluate(fits), `${name} fits`).toBe(true);
  expect(await findBrokenWords(page), name).toEqual([]);
  expect(await findSmallTargets(page), name).toEqual([]);
}

/** Each violation in a line. Runs outside of the page's Content-Security-Policy. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(`(async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => id + ": " + node.html.slice(0, 160) + " " + node.failureSummary));
  })()`);
}

/** Targets of less than 24 px on a narrow page: WCAG 2.2, 2.5.8, which exempts links in text. */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`innerWidth > 400 ? [] : [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((target) => target.checkVisibility() && getComputedStyle(target).display !== "inline" && !target.matches(".skip"))
    .map((target) => [target, (target.closest("label, .rows tr") ?? target).getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 24)
    .map(([target, { width, height }]) => target.outerHTML.slice(0, 80) + " " + width + " x " + height)`);
}

/** Words in headings of tables that are broken over two lines, but for those that no line has room for. */
function findBrokenWords(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("th, dt")].flatMap((head) => {
    const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (texts.nextNode()) {
      if (getComputedStyle(texts.currentNode.parentElement).whiteSpace === "nowrap") continue;
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/[\\w.]+/g)) {
        if (word.length > 40) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if ([...range.getClientRects()].filter(({ width }) => width > 0).length > 1) broken.push(word);
      }
    }
    return broken;
  })`);
}
