// What holds for every page of a server: it is accessible, fits, loads nothing, and asks little of a reader: few
// controls, a small script, and a search that leads to every place. console.full.test.ts has the console's screens.
import { afterAll, describe, expect, test } from "vitest";
import { startServer } from "../../src/start-server.js";
import { isWeekly } from "../support/sizes.js";
import { expectFitting, findAxeViolations, hasChromium, openPage, VIEWS } from "./chromium.js";
import { expectText } from "./console-page.js";

const server = await startServer();
afterAll(() => server.close());

/** What has a role of its own: button, link, text box, combo box, check box, switch; and summaries. */
const CONTROLS = "a[href], button, summary, select, textarea, input:not([type=radio], [type=hidden])";
const COUNT = `[...document.querySelectorAll("${CONTROLS}")]
  .filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 1).length`;

const [WIDE, NARROW_DARK] = VIEWS;

describe.skipIf(!hasChromium)("a page", () => {
  test.each([
    ["/", WIDE, 15],
    ["/", NARROW_DARK, 15],
    ["/no-such-page", WIDE, 15],
    ["/docs", WIDE, 150],
    ["/docs", NARROW_DARK, 150],
    ["/_control", WIDE, 125],
    ["/docs/quickstart", NARROW_DARK, 100],
    ["/docs/operations", WIDE, 100],
    ["/docs/front-end", WIDE, 100],
  ])("%s is accessible, fits and loads nothing, %o, and has at most %i controls", async (path, view, most) => {
    const { page, urls, messages } = await openPage(view);
    await page.goto(server.url + path);
    const count = await page.evaluate(COUNT);
    expect(count, "with all folds closed").toBeGreaterThan(3);
    expect(count).toBeLessThanOrEqual(most);
    await expectFitting(page, path);
    const isTried = view !== WIDE || ["/", "/docs/operations"].includes(path) || isWeekly; // others have the same parts
    if (isTried) expect(await findAxeViolations(page)).toEqual([]);
    expect(urls.filter((url) => !url.startsWith(`${server.url}/_control/`))).toEqual([server.url + path]);
    expect(messages.filter((message) => !message.includes("responded with a status"))).toEqual([]);
  });

  test.each([
    ["requests", 15, ""],
    ["preferences", 26, "[role=switch]"],
    ["feed", 20, "tbody tr"],
    ["faults", 21, ""],
    ["environment", 20, ""],
  ])("/console#%s has at most %i controls", async (name, most, loaded) => {
    const { page } = await openPage();
    await page.goto(`${server.url}/console#${name}`);
    await page.locator(`#${name} ${loaded}`).first().waitFor();
    await expect.poll(() => page.evaluate(COUNT), { message: "once it is loaded" }).toBeLessThanOrEqual(most);
  });

  test("has two radii, and six sizes of text beside the title's", async () => {
    const html = await (await fetch(`${server.url}/console`, { headers: { accept: "text/html" } })).text();
    const valuesOf = (property: string) =>
      new Set([...html.matchAll(new RegExp(`[ ;{]${property}: ([^;]+);`, "g"))].map(([, value]) => value));
    expect([...valuesOf("border-radius")].filter((radius) => radius !== "0").toSorted()).toEqual(["1rem", "6px"]);
    expect([...valuesOf("font-size")].filter((size) => size?.startsWith("var(")).length).toBeLessThanOrEqual(6);
  });

  test.each(["/", "/docs", "/_control", "/console#feed", "/docs/front-end", "/no-such-page"])(
    "%s has at most 120 kB of script, and its search leads to a place",
    async (path) => {
      const html = await (await fetch(server.url + path, { headers: { accept: "text/html" } })).text();
      const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = ""]) => script);
      expect(scripts.length, "none is loaded").toBe(html.split("<script>").length - 1);
      expect(Buffer.byteLength(scripts.join("")) || Number.NaN).toBeLessThanOrEqual(120_000);
      const { page } = await openPage();
      await page.goto(server.url + path);
      await page.keyboard.press("Control+k");
      const dialog = page.getByRole("dialog", { name: "Search" });
      await dialog.getByRole("combobox").fill("addFault");
      await expectText(dialog.getByRole("option").first(), /^POST Add a fault addFault$/);
      await dialog.getByRole("combobox").fill("idempotency-key header");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.url}/docs#updatePreferences-header-idempotency-key`);
    },
  );
});
