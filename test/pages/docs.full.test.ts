// The docs page in a real browser.
import { afterAll, describe, expect, test } from "vitest";
import { startServer } from "../../src/server/server.js";
import { runToEnd } from "../support/command.js";
import { expectUsable, hasChromium, openPage, VIEWS, type View } from "./chromium.js";
import { expectText } from "./console-page.js";

const server = await startServer();
afterAll(() => server.close());

async function openDocs(hash = "", view?: View) {
  const { page, ...seen } = await openPage(view);
  await page.goto(`${server.url}/docs${hash}`);
  const navigation = page.getByRole("navigation", { name: "Contents" });
  return { page, ...seen, navigation, search: page.getByRole("searchbox", { name: "Search" }) };
}

describe.skipIf(!hasChromium)("/docs", () => {
  test("its requests run as they are, as curl and in TypeScript", async () => {
    const { page } = await openDocs();
    const codeOf = (name: string) => page.getByRole("group", { name, exact: true }).textContent();
    for (const operation of ["updatePreferences", "listNotifications"]) {
      const curl = (await codeOf(`${operation} as curl`)) ?? "";
      const { output } = await runToEnd("bash", ["-c", curl.replace("curl ", "curl -sS ")]);
      expect(output, curl).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(await codeOf("updatePreferences in TypeScript")).toMatch(
      /client\.updatePreferences\('\S+', \{ channels: \{ email: false \} \}\);$/,
    );
    expect(await codeOf("listNotifications in TypeScript")).toMatch(/client\.listNotifications\(\);$/);
  });

  test("a search finds parameters, members and decisions, and a link or Enter opens what it leads to", async () => {
    const { page, navigation, search } = await openDocs("#decision-D-29");
    await page.getByText("they are integers in decimal digits").waitFor({ state: "visible" });
    await page.keyboard.press("/");
    await page.keyboard.type("execution DETAILS");
    await navigation.getByRole("link", { name: "executionDetails NotificationJob" }).click();
    expect(new URL(page.url()).hash).toBe("#schema-NotificationJob-executionDetails");
    await page.locator("#schema-NotificationJob-executionDetails").waitFor({ state: "visible" });
    await search.fill("limit");
    await search.press("Enter");
    await page.waitForURL(/#listNotifications-query-limit$/); // the name itself, before descriptions
    await search.press("Escape");
    expect(await navigation.getByRole("link", { name: "executionDetails" }).count()).toBe(0);
  });

  test("on a narrow screen, the search works by keyboard, and the contents open", async () => {
    const { page, navigation, search } = await openDocs("", { colorScheme: "light", width: 390 });
    for (const [words, name] of [
      ["rate limit", /^429 .*List notifications$/],
      ["RateLimit-Reset", /^RateLimit-Reset Headers/],
      ["4.2", /^§4\.2 /],
    ] as const) {
      await search.fill(words);
      const link = navigation.getByRole("link", { name }).first();
      await link.waitFor();
      for (let presses = 0; presses < 40 && (await link.and(page.locator(":focus")).count()) === 0; presses += 1) {
        await page.keyboard.press("Tab");
      }
      const target = await link.getAttribute("href");
      await page.keyboard.press("Enter");
      await page.waitForURL(({ hash }) => hash === target); // the address follows by an event
      const bar = await navigation.boundingBox();
      const shown = await page.locator(`[id="${target?.slice(1)}"]`).boundingBox();
      expect(shown?.y, "not under the sticky search").toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0) - 1);
    }
    await search.fill("");
    await page.getByRole("heading", { level: 1 }).click();
    const link = navigation.getByRole("link", { name: "Decisions" });
    const button = page.getByRole("button", { name: "Contents" });
    expect([await link.isVisible(), await button.getAttribute("aria-expanded")]).toEqual([false, "false"]);
    await button.click();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await link.click();
    expect([new URL(page.url()).hash, await link.isVisible()]).toEqual(["#decisions", false]);
  });

  test("beside an operation is the example response that is picked", async () => {
    const { page } = await openDocs();
    const samples = page.getByRole("complementary", { name: "Examples of listNotifications" });
    const picker = samples.getByLabel("Example response of listNotifications").and(page.locator("select"));
    const [first] = (await picker.locator("option").allTextContents()).filter((text) => text.startsWith("422 "));
    await picker.selectOption({ label: first ?? "" });
    const shown = samples.locator("[data-samples] pre").filter({ visible: true });
    expect(JSON.parse((await shown.textContent()) ?? "")).toMatchObject({ statusCode: 422 });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await samples.locator("[data-samples]").getByRole("button", { name: "Copy" }).click();
    await samples.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await shown.textContent());
  });

  test("why? shows the decision's question and answer, and each § leads to its clause", async () => {
    const { page } = await openDocs("#listNotifications-query-limit");
    const limit = page.locator("#listNotifications-query-limit");
    await limit.getByText("why?").click();
    await expectText(limit, /D-29 .*decimal digits/);
    await limit.getByRole("link", { name: "§4.2" }).first().click();
    await page.locator("[id='clause-4.2']", { hasText: "from 1 to 50" }).waitFor();
    const missing: string[] = await page.evaluate(
      `[...document.querySelectorAll('a[href^="#"]')].map((one) => one.hash.slice(1)).filter((id) => !document.getElementById(id))`,
    );
    expect(missing).toEqual([]);
  });

  test("a response opens as a tree, level by level; the page as it is opened is small", async () => {
    const { page } = await openDocs();
    expect(await page.locator("*").count()).toBeLessThan(4_800);
    const response = page.locator("details", { has: page.locator("#listNotifications-response-200") });
    await response.locator("#listNotifications-response-200").click();
    for (const name of ["data", "jobs", "executionDetails"])
      await response.getByText(`Members of ${name}`, { exact: true }).click();
    await expectText(response, /ExecutionDetail.*providerId/s);
    const ids: string[] = await page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)");
    expect(ids.length, "ids are unique").toBe(new Set(ids).size);
    await page.locator("#listNotifications-response-200").click();
    await page.locator("#listNotifications-response-200").click();
    expect(await response.getByText("Members of data").count(), "shown once").toBe(1);
  });

  test.each(VIEWS)("is accessible, fits and loads nothing, $colorScheme at $width", async (view) => {
    const { page, urls, messages } = await openDocs("", view);
    await expectUsable(page);
    expect(urls).toEqual([`${server.url}/docs`]);
    expect(messages).toEqual([]);
  });
});
