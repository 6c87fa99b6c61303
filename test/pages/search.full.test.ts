// The search that all pages of a server share.
import { afterAll, describe, expect, test } from "vitest";
import { startServer } from "../../src/start-server.js";
import { expectUsable, hasChromium, openPage } from "./chromium.js";
import { expectText } from "./console-page.js";

const server = await startServer();
afterAll(() => server.close());

async function openSearch(path: string) {
  const { page } = await openPage();
  await page.goto(server.url + path);
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const options = dialog.getByRole("option");
  await options.first().waitFor();
  return { page, options, field: dialog.getByRole("combobox"), note: dialog.getByRole("status") };
}

describe.skipIf(!hasChromium)("the search", () => {
  test("finds the places of both APIs", async () => {
    const { page, options, field, note } = await openSearch("/");
    await expectUsable(page);
    for (const [words, first] of [
      ["limit", /^query limit listNotifications$/],
      ["page size", /^pageSize NotificationPage$/],
      ["429", /^429 /],
      ["d-47", /^D-47 /],
      ["retry safely", /^Retry safely Front-end$/],
      ["d-29", /^D-29 May page and limit/],
      ["§4.2", /^§4\.2 /],
      ["retry-after", /^Retry-After$/],
      ["addFault", /^POST Add a fault addFault$/],
      ["console fault", /^Console: faults$/],
    ] as const) {
      await field.fill(words);
      await expectText(options.first(), first);
    }
    expect(await options.first().locator("b").allTextContents()).toEqual(["Console", "faults"]);
    await field.fill("xylophone");
    await expectText(note, "Nothing has all these words");
  });

  test("opens the subscribers, environments and actions of the console", async () => {
    const { page, options, field } = await openSearch("/console#feed");
    await field.fill("default");
    await expectText(options.first(), /^default 150 notifications · used just now$/);
    await field.fill("inés");
    await expectText(options.first(), /^Inés Moreau ines-moreau/);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.url}/console?subscriber=ines-moreau#preferences`);
    await expectText(page.locator("#preferences"), /Inés Moreau/);
    await page.keyboard.press("Control+k");
    await field.fill("freeze");
    await page.keyboard.press("Enter");
    await expectText(page.locator("#environment .now"), "frozen");
  });

  test("says what it does not search while the server does not respond", async () => {
    const { page } = await openPage();
    await page.goto(server.url);
    await page.route("**/_control", (route) => route.abort());
    await page.getByRole("button", { name: "Search" }).click();
    await expectText(page.getByRole("option").filter({ hasText: "Control plane not" }), /the server does not respond/);
  });
});
