// How much each page asks a reader to look at: its controls, and its script.
import { afterAll, describe, expect, test } from "vitest";
import { startServer } from "../../src/start-server.js";
import { hasChromium, openPage } from "./chromium.js";

const server = await startServer();
afterAll(() => server.close());

/** What has a role of its own: button, link, text box, combo box, check box, switch; and summaries. */
const CONTROLS = "a[href], button, summary, select, textarea, input:not([type=radio], [type=hidden])";
const COUNT = `[...document.querySelectorAll("${CONTROLS}")]
  .filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 1).length`;

/** What a view of the console has once it is loaded. */
const LOADED: Readonly<Record<string, string>> = { "#preferences": "[role=switch]", "#feed": "tbody tr" };

describe.skipIf(!hasChromium)("a page", () => {
  test.each([
    ["/", 15],
    ["/docs", 150],
    ["/docs/front-end", 100],
    ["/_control", 125],
    ["/console#requests", 15],
    ["/console#preferences", 26],
    ["/console#feed", 20],
    ["/console#faults", 21],
    ["/console#environment", 20],
  ])("%s has at most %i controls, with all folds closed", async (path, most) => {
    const { page } = await openPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(server.url + path);
    const { hash } = new URL(page.url());
    if (hash !== "")
      await page
        .locator(`${hash} ${LOADED[hash] ?? ""}`)
        .first()
        .waitFor();
    const count = await page.evaluate(COUNT);
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThanOrEqual(most);
  });

  test("has two radii, and six sizes of text beside the title's", async () => {
    const html = await (await fetch(`${server.url}/console`, { headers: { accept: "text/html" } })).text();
    const valuesOf = (property: string) =>
      new Set([...html.matchAll(new RegExp(`[ ;{]${property}: ([^;]+);`, "g"))].map(([, value]) => value));
    expect([...valuesOf("border-radius")].filter((radius) => radius !== "0").toSorted()).toEqual(["1rem", "6px"]);
    expect([...valuesOf("font-size")].filter((size) => size?.startsWith("var(")).length).toBeLessThanOrEqual(6);
  });

  test.each(["/", "/docs", "/_control", "/console", "/docs/front-end"])(
    "%s has at most 120 kB of script",
    async (path) => {
      const html = await (await fetch(server.url + path, { headers: { accept: "text/html" } })).text();
      const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = ""]) => script);
      expect(scripts.length, "none is loaded").toBe(html.split("<script>").length - 1);
      expect(Buffer.byteLength(scripts.join("")) || Number.NaN).toBeLessThanOrEqual(120_000);
    },
  );
});
