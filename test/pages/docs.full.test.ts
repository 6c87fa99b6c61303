// The docs, the guides and the list of the control plane in a real browser.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/browser/client/control.js";
import { startServer } from "../../src/start-server.js";
import { runToEnd } from "../support/command.js";
import { hasChromium, openPage, type View } from "./chromium.js";
import { expectCount, expectText } from "./console-page.js";

const server = await startServer();
afterAll(() => server.close());

async function openDocs(path = "/docs", view?: View) {
  const { page, messages } = await openPage(view);
  await page.goto(server.url + path);
  const samplesOf = (operation: string) => page.getByRole("complementary", { name: `Examples of ${operation}` });
  return { page, messages, samplesOf, navigation: page.getByRole("navigation", { name: "Contents" }) };
}

const idsOf = "[...document.querySelectorAll('[id]')].map(({ id }) => id)";
const targetsOf = `[...document.querySelectorAll("a[href^='#']")].map(({ hash }) => decodeURIComponent(hash.slice(1)))`;

describe.skipIf(!hasChromium)("/docs", () => {
  test("its requests run as they are, as curl and in TypeScript; the language is remembered", async () => {
    const { page } = await openDocs();
    const codeOf = async (name: string) => (await page.locator(`pre[aria-label="${name}"]`).textContent()) ?? "";
    for (const [name, status] of [
      ["updatePreferences", 200],
      ["listNotifications", 200],
      ["Errors", 422],
    ] as const) {
      const curl = await codeOf(`${name} as curl`);
      expect((await runToEnd("bash", ["-c", curl.replace("curl ", "curl -sS ")])).output).toMatch(
        `HTTP/1.1 ${status} `,
      );
      const client = await codeOf(`${name} in TypeScript`);
      const { output } = await runToEnd("node", ["--input-type=module", "-e", client]);
      expect(output, name).toMatch(status === 422 ? /^422 .*query\.limit/s : /\[/);
    }
    await page.getByRole("group", { name: "updatePreferences as code" }).getByLabel("TypeScript").check();
    await page.reload();
    expect(await page.getByRole("group", { name: "listNotifications in TypeScript" }).isVisible()).toBe(true);
  });

  test("an edited request is sent by keyboard: Edit puts the focus into its text", async () => {
    const { page, samplesOf, messages } = await openDocs();
    const samples = samplesOf("listNotifications");
    await samples.getByRole("button", { name: "Edit" }).press("Enter");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.type("&limit=51");
    await page.keyboard.press("Control+Enter");
    await expectText(samples.getByRole("status"), /^422 Unprocessable Entity in \d+ ms$/);
    const live = samples.getByRole("group", { name: "Live response" });
    await expectText(live, '"must be at most 50"');
    expect(await live.getByRole("link", { name: "§4.2" }).first().getAttribute("href")).toBe("#clause-4.2");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("nothing");
    await page.keyboard.press("Control+Enter");
    await expectText(samples.getByRole("status"), "Begin with a method and a path, then headers.");
    await page.keyboard.press("Escape");
    expect(await samples.getByRole("textbox").isVisible()).toBe(false);
    const update = samplesOf("updatePreferences");
    await update.getByRole("button", { name: "Edit" }).click();
    const text = update.getByRole("textbox");
    await text.fill((await text.inputValue()).replace('"email"', '"emial"'));
    await expectText(page.locator('pre[aria-label="updatePreferences as curl"]'), /"emial": false/);
    await update.getByRole("button", { name: "Send" }).click();
    await expectText(update.getByRole("group", { name: "Live response" }), "Did you mean email?");
    const failed = messages.filter((message) => !message.includes("responded with a status of"));
    expect(failed, "the policy allows it").toEqual([]);
  });

  test("beside an operation is the example that is picked, with its request; Send shows the response", async () => {
    const { page, samplesOf } = await openDocs();
    const samples = samplesOf("listNotifications");
    const picker = samples.getByRole("combobox");
    await picker.selectOption({ label: await picker.locator("[label='429'] option").first().innerText() });
    await expectText(samples.locator("[data-samples] .status"), /^429$/);
    await expectText(samples.getByRole("group", { name: "listNotifications as curl" }), /'prefer: code=429, example=/);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await samples.getByRole("button", { name: "Copy: response" }).click();
    await samples.getByRole("button", { name: "Copied" }).waitFor();
    expect(JSON.parse(await page.evaluate("navigator.clipboard.readText()"))).toMatchObject({ statusCode: 429 });
    await picker.selectOption({ index: 0 });
    await createControl({ baseUrl: server.url }).addFault("default", { status: 503, count: 1 });
    await samples.getByRole("button", { name: "Send" }).press("Enter");
    await expectText(samples.getByRole("status"), /^503 Service Unavailable in \d+ ms, injected by a fault$/);
    await picker.selectOption({ index: 1 });
    await expectCount(samples.getByRole("group", { name: "Live response" }), 0);
    const own = await startServer();
    const known = page.waitForResponse((response) => response.url().endsWith("/ready"));
    await page.goto(`${own.url}/docs`);
    await known;
    await own.close();
    await samples.getByRole("button", { name: "Send" }).click();
    await expectText(samples.locator("[data-samples] pre"), new RegExp(`serve --port ${own.port} --ephemeral$`));
    const secret = await startServer({ apiKey: "a-key-of-its-own" });
    onTestFinished(() => secret.close());
    expect(await (await fetch(`${secret.url}/docs`)).text(), "no key to send").not.toContain(`data-send="`);
  });

  test("why shows the clauses and decisions behind a rule, in its place; a link opens what is folded", async () => {
    const { page } = await openDocs("/docs#listNotifications-query-limit");
    const limit = page.locator("#listNotifications-query-limit");
    const why = limit.getByRole("link", { name: /^Why\? §4\.2, .*D-29/ });
    await why.press("Enter");
    await expectText(limit, /§4\.2.*lists notifications.*D-29.*decimal digits/s);
    await why.press("Enter");
    await expectCount(limit.getByText("decimal digits"), 0);
    await page.goto(`${server.url}/docs#decision-D-47`);
    const decision = page.locator("#decision-D-47");
    await decision.waitFor({ state: "visible" });
    const bar = (await page.locator(".top").boundingBox())?.height ?? 0;
    await expect
      .poll(async () => (await decision.boundingBox())?.y, { message: "not under the bar" })
      .toBeGreaterThan(bar);
    await page.goto(`${server.url}/docs#listNotifications`); // the name alone
    const operation = "document.querySelector('#operation-listNotifications').getBoundingClientRect()";
    await expect.poll(() => page.evaluate(`Math.abs(${operation}.top) < innerHeight`)).toBe(true);
    const ids: string[] = await page.evaluate(idsOf);
    expect(ids, "unique").toEqual([...new Set(ids)]);
    expect(((await page.evaluate(targetsOf)) as string[]).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("the guides have links that lead somewhere, a picture, this server's address, and a place in the contents", async () => {
    const { page, navigation } = await openDocs("/docs/quickstart");
    await expectText(page.locator("main pre").nth(1), server.url);
    expect(await page.evaluate("document.querySelector('img').naturalWidth")).toBeGreaterThan(500);
    const guides: string[] = await page.evaluate("[...document.querySelectorAll('.side a')].map(({ href }) => href)");
    const links = new Set(guides);
    for (const guide of guides.filter((href) => href.includes("/docs/"))) {
      await page.goto(guide);
      for (const link of (await page.evaluate(
        `[...document.querySelectorAll("main a[href^='/'], main a[href^='#']")].map(({ href }) => href)`,
      )) as string[])
        links.add(link);
    }
    for (const link of links) {
      const text = await (await fetch(link, { headers: { accept: "text/html" } })).text();
      const { hash } = new URL(link);
      if (hash !== "") expect(text, link).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
    }
    await page.goto(`${server.url}/docs/front-end`);
    await navigation.getByRole("link", { name: "Retry safely" }).click();
    await expectText(navigation.locator("[aria-current=location]"), "Retry safely");
  });

  test("on a narrow screen, the contents open and close, and code comes after what it is about", async () => {
    const { page, navigation } = await openDocs("/docs", { colorScheme: "light", width: 390 });
    const link = navigation.getByRole("link", { name: "Decisions" });
    const button = page.getByRole("button", { name: "Contents" });
    expect([await link.isVisible(), await button.getAttribute("aria-expanded")]).toEqual([false, "false"]);
    await button.click();
    await link.click();
    await expect.poll(async () => [new URL(page.url()).hash, await link.isVisible()]).toEqual(["#decisions", false]);
    const tops = await Promise.all(
      ["h2", ".description", ".samples", "h3"].map(async (part) => {
        return (await page.locator(`.columns ${part}`).first().boundingBox())?.y ?? 0;
      }),
    );
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  });

  test("/_control lists its operations by tag, each with an example that runs", async () => {
    const { page, navigation } = await openDocs("/_control");
    const contents = (await navigation.locator("section").allTextContents()).join("");
    expect(contents).toMatch(
      /environments\s*get listEnvironments.*records.*clock.*faults.*requests\s*get getReadiness/s,
    );
    expect(await page.getByRole("button", { name: "Send" }).count(), "no second application").toBe(0);
    const failed: string[] = [];
    for (const code of await page.locator('pre[aria-label$=" as curl"]').allTextContents()) {
      const { output } = await runToEnd("bash", ["-c", code.replace("curl ", "curl -sS -m 5 ")]);
      const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(output) ?? [];
      if (!/^20/.test(status)) failed.push(`${status} ${code.split("\n")[0]}`);
    }
    // the default environment cannot be deleted; a workflow, a record and a fault of these ids never were
    expect(failed.filter((line) => !/^(404|409|422) /.test(line))).toEqual([]);
    expect(failed.length, failed.join("\n")).toBeLessThanOrEqual(5);
    const codes = await page.locator('pre[aria-label$=" in TypeScript"]').allTextContents();
    expect(codes.length, "each has a method of the control client").toBe(
      await page.locator('pre[aria-label$=" as curl"]').count(),
    );
  });
});
