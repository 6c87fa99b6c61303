// The system's Chromium. It is not in node_modules: where it is missing, the browser tests are skipped with a message.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const chromiumPath = process.env.CHROMIUM ?? PATHS.find((path) => existsSync(path));

export const hasChromium = chromiumPath !== undefined;
if (!hasChromium) {
  const message = "No Chromium: browser tests are skipped. Install it, or set CHROMIUM to its path.";
  if (process.env.CI) throw new Error(message); // there, skipped tests would look like passed ones
  process.stderr.write(`${message}\n`);
}

const QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

let shared: Promise<Browser> | undefined;

/** One for all files of a worker, closed with its process. A file closes its pages. */
export function launchChromium(): Promise<Browser> {
  const args = [...QUIET, "--disable-component-update", "--disable-sync"];
  shared ??= chromium.launch({ executablePath: chromiumPath ?? "", args });
  return shared;
}

export async function closePages(browser: Browser | undefined): Promise<void> {
  for (const context of browser?.contexts() ?? []) await context.close();
}

export interface View {
  colorScheme: "light" | "dark";
  width: number;
}

/** Each scheme and each width once: a scheme changes colours alone, a width the layout. */
export const VIEWS: View[] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
];

/** A page, and the addresses of all its requests. */
export async function openPage(
  browser: Browser,
  { colorScheme, width }: View,
): Promise<{ page: Page; urls: string[] }> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  const urls: string[] = [];
  page.on("request", (request) => void urls.push(request.url()));
  return { page, urls };
}

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/**
 * Opens what is folded, of the many reasons in the docs the first few, and expects a page that everybody can use: axe finds nothing,
 * it fits, no head breaks a word, and where it is narrow, a finger hits what can be pressed.
 */
export async function expectUsable(page: Page, what = page.url()): Promise<void> {
  await page.evaluate(`for (const folded of document.querySelectorAll("details:not(.basis)")) folded.open = true;
    for (const reason of [...document.querySelectorAll("details.basis")].slice(0, 3)) reason.open = true;`);
  expect(await isTooWide(page), `${what}: too wide`).toBe(false);
  expect(await findBrokenWords(page), what).toEqual([]);
  expect(await findSmallTargets(page), what).toEqual([]);
  expect(await findAxeViolations(page), what).toEqual([]);
}

/** One line each. It runs outside of the page's own Content-Security-Policy. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  const { readFile } = await import("node:fs/promises");
  await page.evaluate(await readFile(axePath, "utf8"));
  return page.evaluate(async () => {
    type Axe = {
      run(
        options: object,
      ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
    };
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
  });
}

/** Whether the page is wider than its window, so that it has to be scrolled sideways. */
function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
}

/** What is pressed and measures less than 24 px on a narrow page: WCAG 2.2, 2.5.8, which exempts links in text. */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`innerWidth > 400 ? [] : [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((target) => target.checkVisibility() && getComputedStyle(target).display !== "inline" && !target.matches(".skip"))
    .map((target) => [target, (target.closest("label, .rows tr") ?? target).getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 24)
    .map(([target, { width, height }]) => target.outerHTML.slice(0, 80) + " " + width + " x " + height)`);
}

/** The words in heads of tables that are broken over two lines. */
function findBrokenWords(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("th, dt")].flatMap((head) => {
    const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/[\\w.]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if ([...range.getClientRects()].filter(({ width }) => width > 0).length > 1) broken.push(word);
      }
    }
    return broken;
  })`);
}
