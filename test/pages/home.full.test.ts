// The home page in a real browser; what it says to whom is in test/server/http/public-pages.test.ts.
import { afterAll, describe, expect, test } from "vitest";
import { startServer } from "../../src/server/server.js";
import { runToEnd } from "../support/command.js";
import { expectUsable, hasChromium, openPage, VIEWS } from "./chromium.js";

const server = await startServer({ checkResponses: true });
afterAll(() => server.close());

describe.skipIf(!hasChromium)("/", () => {
  test("links to pages that exist, and its curl lines run as they are", async () => {
    const { page, urls } = await openPage();
    await page.goto(server.url);
    for (const link of await page.locator("main a").all()) {
      expect((await fetch(new URL((await link.getAttribute("href")) ?? "", server.url))).status).toBe(200);
    }
    const lines = await page.locator("pre").allTextContents();
    expect(lines).toHaveLength(3);
    expect(lines[0], "one kind of quotes").not.toContain('"');
    for (const line of lines) {
      const printStatus = line.replace("curl ", "curl -sS -o /dev/null -w '%{http_code}' ");
      expect((await runToEnd("bash", ["-c", printStatus])).output, line).toBe("200");
    }
    expect(urls.filter((url) => !url.startsWith(server.url))).toEqual([]);
  });

  test("an error that is opened in its place links to where the docs explain it", async () => {
    const { page } = await openPage();
    await page.goto(`${server.url}/v1/notifications`);
    const { ctx } = JSON.parse(await page.locator("pre").innerText());
    expect(ctx).toEqual({ clause: "§5.2", docs: `${server.url}/docs#clause-5.2` });
    await page.goto(ctx.docs);
    await page.locator("#clause-5\\.2").waitFor({ state: "visible" });
  });

  test.each(VIEWS)("is accessible and fits, $colorScheme at $width", async (view) => {
    const { page } = await openPage(view);
    await page.goto(server.url);
    await expectUsable(page);
  });
});
