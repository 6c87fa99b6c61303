// The docs page in a real browser.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createControl } from "../../src/browser/client/control.js";
import { startServer } from "../../src/proposals/start-server.js";
import { runToEnd } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { expectUsable, findAxeViolations, hasChromium, openPage, VIEWS, type View } from "./chromium.js";
import { expectCount, expectText } from "./console-page.js";

const server = await startServer();
afterAll(() => server.close());

/** That run the code of each language, with their options. */
const PROGRAMS = [
  ["in TypeScript", "node", "--input-type=module", "-e"],
  ["as curl", "bash", "-c"],
] as const;

async function openDocs(hash = "", view?: View) {
  const { page, ...seen } = await openPage(view);
  await page.goto(`${server.url}/docs${hash}`);
  const navigation = page.getByRole("navigation", { name: "Contents" });
  return { page, ...seen, navigation, search: page.getByRole("combobox", { name: "Search" }) };
}

describe.skipIf(!hasChromium)("/docs", () => {
  test("its requests run as they are, as curl and in TypeScript", async () => {
    const { page } = await openDocs();
    const codeOf = (name: string) => page.locator(`pre[aria-label="${name}"]`).textContent();
    for (const operation of ["updatePreferences", "listNotifications"]) {
      const curl = (await codeOf(`${operation} as curl`)) ?? "";
      const { output } = await runToEnd("bash", ["-c", curl.replace("curl ", "curl -sS ")]);
      expect(output, curl).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(await codeOf("updatePreferences in TypeScript")).toMatch(
      /client\.updatePreferences\(\s+"\S+",\s+\{ channels: \{ email: false \} \},\s+\);\nif \(result\.ok\) /,
    );
    expect(await codeOf("listNotifications in TypeScript")).toMatch(
      /client\.listNotifications\(.*channels: \["in_app"\]/s,
    );
    for (const [name, output] of [
      ["updatePreferences", /channels: \{/],
      ["Errors", /^422 .*query\.limit/s],
    ] as const) {
      const client = `${await codeOf(`${name} in TypeScript`)}`;
      expect((await runToEnd("node", ["--input-type=module", "-e", client])).output, name).toMatch(output);
    }
    await page.getByLabel("TypeScript", { exact: true }).first().check();
    await page.getByRole("link", { name: "install the client" }).first().click();
    await page.getByText("npm ci && npm pack").waitFor({ state: "visible" });
  });

  test("its guides run as they are: to the last page, each violation of a 422, again without a response and after a 503", async () => {
    const { page } = await openDocs();
    const run = async (name: string, edit = (code: string) => code) => {
      const code = (await page.locator(`pre[aria-label="${name}"]`).textContent()) ?? "";
      const [program = "", ...options] =
        PROGRAMS.find(([language]) => name.endsWith(language.slice(3)))?.slice(1) ?? [];
      return (await runToEnd(program, [...options, edit(code)])).output.trim();
    };
    expect(await run("TypeScript"), "of the client").toBe("false");
    const control = createControl({ baseUrl: server.url });
    const count = (await control.listEnvironments()).find(({ name }) => name === "default")?.notifications;
    for (const [language, program, option = ""] of PROGRAMS) {
      const needed = new Map([["bash", "jq --version && openssl version"]]).get(program);
      if (needed && (await runToEnd(program, [option, needed])).code !== 0) continue; // not on this machine
      const listed = await run(`Page through a list ${language}`);
      expect(program === "bash" ? listed.split("\n").length : Number(listed), language).toBe(count);
      const name = `Retry and handle failures ${language}`;
      const rejected = await run(name, (code) => code.replace(/\bsms\b/, "fax"));
      expect(rejected, language).toMatch(/body\.channels\.fax.*is unknown/s);
      for (const fault of [{ disconnect: true }, { status: 503 }] as const)
        await control.addFault("default", { operation: "updatePreferences", count: 1, ...fault });
      expect(await run(name), language).toMatch(/sms\W+false/i);
      const { requests } = await control.listRequests({ limit: 3 });
      const statuses = requests.map(({ status }) => status);
      expect(statuses, language).toEqual([undefined, 503, 200]);
      const keys = requests.map(({ headers }) => headers["idempotency-key"]);
      expect(new Set(keys), "made once").toEqual(new Set([expect.stringMatching(/^[\da-f-]{32,}$/)]));
    }
  });

  test("shows the address of a request in one line", async () => {
    const { page } = await openDocs();
    const lines = await page.evaluate<number[]>(
      `[...document.querySelectorAll('pre[aria-label="updatePreferences as curl"] .s')]
        .map((part) => new Set([...part.getClientRects()].map(({ top }) => top)).size)`,
    );
    expect(lines.length).toBeGreaterThan(2);
    expect(new Set(lines)).toEqual(new Set([1]));
    const endpoint = await page.locator(".endpoint").first().boundingBox();
    expect(endpoint?.height).toBeLessThan(45);
  });

  test("a search finds parameters, members and decisions, by keyboard and at any width", async () => {
    const { page, search } = await openDocs("#decision-D-29", { colorScheme: "light", width: 390 });
    await page.getByText("they are integers in decimal digits").waitFor({ state: "visible" });
    const PLACES = [
      ["/", "executionDetails", "#schema-NotificationJob-executionDetails"],
      ["Control+k", "limit", "#listNotifications-query-limit"], // the name itself, before descriptions
      ["/", "429", /^#\w+-response-429$/],
      ["/", "RateLimit-Reset", /^#header-RateLimit-Reset/],
      ["/", "§4.2", "#clause-4.2"],
    ] as const;
    for (const [key, words, hash] of PLACES) {
      await page.keyboard.press(key);
      await search.fill(words);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => (typeof hash === "string" ? url.hash === hash : hash.test(url.hash)));
      const place = page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`);
      await place.waitFor({ state: "visible" });
      const bar = await page.getByRole("navigation", { name: "Contents" }).boundingBox();
      const top = (await place.boundingBox())?.y;
      expect(top, "not under the sticky bar").toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0) - 1);
    }
  });

  test("on a narrow screen, the contents open and close", async () => {
    const { page, navigation } = await openDocs("", { colorScheme: "light", width: 390 });
    const [code, responses] = ["[data-tab=curl]", "h3"].map((place) =>
      page.locator(place).filter({ visible: true }).first(),
    );
    const [sample, request] = await Promise.all([code?.boundingBox(), responses?.boundingBox()]);
    expect(sample?.y, "the sample is before the request").toBeLessThan(request?.y ?? 0);
    const link = navigation.getByRole("link", { name: "Decisions" });
    const button = page.getByRole("button", { name: "Contents" });
    expect([await link.isVisible(), await button.getAttribute("aria-expanded")]).toEqual([false, "false"]);
    await button.click();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await link.click();
    await expect.poll(async () => [new URL(page.url()).hash, await link.isVisible()]).toEqual(["#decisions", false]);
  });

  test("the side bar marks the part that is read; citations in texts are links; lists are filtered and opened", async () => {
    const { page, navigation } = await openDocs("#decisions");
    await expect.poll(() => navigation.locator("[aria-current=location]").textContent()).toBe("Decisions");
    const decisions = page.locator("section", { has: page.locator("#decisions") });
    await decisions.getByLabel("Find a decision", { exact: true }).fill("empty query");
    await expectText(decisions.getByRole("status"), /^\d+ of \d+$/);
    await expectText(decisions.getByRole("heading", { level: 3 }).filter({ visible: true }).first(), /\d+ of \d+$/);
    await decisions.getByLabel("Find a decision", { exact: true }).fill("");
    const schemas = page.locator("section", { has: page.locator("#schemas") });
    await schemas.getByRole("searchbox").fill("NotificationJob");
    await schemas.locator("#schema-NotificationJob").click();
    await schemas.getByText("Members of executionDetails").waitFor(); // a part within an item stays
    const topics = decisions.getByRole("heading", { level: 3 }).filter({ visible: true });
    expect((await topics.allTextContents()).slice(0, 3).join()).toMatch(
      /^updatePreferences \d+,listNotifications \d+,\w/,
    );
    await decisions.getByLabel("listNotifications", { exact: true }).check();
    expect(await topics.allTextContents()).toEqual([expect.stringMatching(/^listNotifications \d+$/)]);
    await decisions.getByLabel("All", { exact: true }).check();
    await decisions.getByRole("button", { name: "Expand all" }).click();
    expect(await decisions.locator("details:not([open])").count()).toBe(0);
    await decisions
      .getByRole("link", { name: /^D-\d+$/ })
      .first()
      .click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#decision-D-\d+$/);
    await page.goto(page.url().replace(/#.*/, "#listNotifications")); // the name alone
    const operation = "document.querySelector('#operation-listNotifications').getBoundingClientRect()";
    await expect.poll(() => page.evaluate(`Math.abs(${operation}.top) < innerHeight`)).toBe(true);
  });

  test("the control plane has a page of the same kind, which lists its operations by tag and method", async () => {
    const { page, navigation } = await openDocs();
    await navigation.getByRole("link", { name: "Control plane" }).click();
    await expectText(page.locator(".version"), "control API 1.");
    const contents = navigation.locator("section");
    expect((await contents.allTextContents()).join("")).toMatch(
      /^environments\s*get listEnvironments.*records.*clock.*faults.*requests\s*get getReadiness.*Reference/s,
    );
    expect(await page.locator("main h2").first().textContent(), "the order of the contents").toMatch(/^List all env/);
    const sample = page.getByRole("group", { name: "Example response of listEnvironments" });
    expect(JSON.parse((await sample.textContent()) ?? "")).toMatchObject({
      environments: [{ name: expect.any(String) }],
    });
    expect(await page.locator("#getReadiness-parameters").count(), "no heading without a request").toBe(0);
    await expectText(page.locator("section", { has: page.locator("#operation-getReadiness") }), /ControlKey <key>/);
    await page.locator('[data-send][aria-label="Send: listEnvironments"]').press("Enter");
    await expectText(page.getByRole("complementary", { name: "Examples of listEnvironments" }), /200 OK in \d+ ms/);
    const own = await startServer();
    onTestFinished(() => own.close());
    await page.goto(`${own.url}/_control#operation-addFault`);
    const faults = page.getByRole("complementary", { name: "Examples of addFault" });
    await faults.getByRole("button", { name: "Edit" }).click();
    await faults.getByLabel("Body").fill('{ "status": 503, "count": 7 }');
    await faults.getByRole("button", { name: "Send" }).click();
    await expectText(faults.getByRole("status"), /^201 Created in/);
    expect(await createControl({ baseUrl: own.url }).listFaults("default")).toMatchObject([{ status: 503, count: 7 }]);
    const clear = page.getByRole("complementary", { name: "Examples of clearFaults" });
    for (const [answer, status] of [
      ["Cancel", /^to this server$/],
      ["Send", /^204 No Content in/],
    ] as const) {
      await clear.getByRole("button", { name: "Send" }).click();
      const name = "clearFaults loses data of the environment default. Send it?";
      const question = page.getByRole("dialog", { name });
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Cancel");
      await question.getByRole("button", { name: answer, exact: true }).click();
      await expectText(clear.getByRole("status"), status);
    }
    expect(await createControl({ baseUrl: own.url }).listFaults("default"), "sent once").toEqual([]);
    const clock = page.locator("section", { has: page.locator("#operation-advanceClock") });
    await expectText(clock, /at most 3153600000000 \(100 years\)/);
    const last = navigation.getByRole("link", { name: "clearRequests" });
    await page.goto(`${own.url}/_control#operation-clearRequests`);
    await expectText(navigation.locator("[aria-current=location]"), /clearRequests/);
    const [shown, link] = [await navigation.boundingBox(), await last.boundingBox()];
    expect(link?.y, "the contents scroll to it").toBeLessThan((shown?.y ?? 0) + (shown?.height ?? 0) - 20);
    await navigation.getByRole("link", { name: "deleteEnvironment" }).click();
    await expectText(navigation.locator("[aria-current=location]"), /delete deleteEnvironment/);
    expect(await navigation.getByRole("link", { name: "Request", exact: true }).filter({ visible: true }).count()).toBe(
      1,
    );
  });

  test("the members of a body stand in the request; the control plane's examples run in their order", async () => {
    const { page } = await openDocs();
    await page.getByText("PreferencesUpdate").first().waitFor();
    const request = page.locator("section", { has: page.locator("#operation-updatePreferences") });
    await request.locator(".member", { hasText: "workflowId" }).first().waitFor();
    await request.getByText("in_app", { exact: true }).first().waitFor(); // the members of a small object
    const own = await startServer();
    onTestFinished(() => own.close());
    await page.goto(`${own.url}/_control`);
    const statuses: string[] = [];
    for (const code of await page.locator('.samples pre[aria-label$=" as curl"]').allTextContents()) {
      const { output } = await runToEnd("bash", ["-c", code.replace("curl ", "curl -sS -m 5 ")]);
      const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(output) ?? [];
      if (!["200", "201", "204"].includes(status)) statuses.push(`${status} ${code.split("\n")[0]}`);
    }
    const errors: string[] = [];
    const codes = await page.locator(".samples [data-tab=TypeScript] pre").allTextContents();
    const AsyncFunction = (async () => {}).constructor as new (
      ...names: string[]
    ) => (...values: unknown[]) => Promise<void>;
    const printed: unknown[] = [];
    for (const code of codes) {
      const run = new AsyncFunction("createControl", "console", code.replace(/^import .*/, ""));
      await run(createControl, { log: (value: unknown) => printed.push(value) }).catch((error) =>
        errors.push(`${error.status} ${error.message} ${/control\.\w+/.exec(code)}`),
      );
    }
    expect(printed.length, "what it got").toBeGreaterThan(12);
    expect(printed).not.toContain(undefined);
    expect(codes.length, "each has a method of the control client").toBe(27);
    expect(errors.filter((error) => !/^(40[49]|422 There is no subscriber) /.test(error))).toEqual([]);
    expect(errors.length, "as above, and worker-1 exists").toBeLessThanOrEqual(6);
    // the default environment cannot be deleted; a workflow, a record and a fault of these ids are removed or never
    // were
    expect(statuses.length, statuses.join("\n")).toBeLessThanOrEqual(5);
    expect(statuses.join("\n")).not.toMatch(/^(400|5\d\d|$)/m);
  });

  test("the language of the code is remembered, and holds for every operation", async () => {
    const { page } = await openDocs();
    await page.getByRole("group", { name: "updatePreferences as code" }).getByLabel("TypeScript").check();
    await page.reload();
    expect(await page.getByRole("group", { name: "listNotifications in TypeScript" }).isVisible()).toBe(true);
    expect(await page.getByRole("group", { name: "listNotifications as curl" }).isVisible()).toBe(false);
  });

  test("beside an operation is the example response that is picked, or that a task shows", async () => {
    const { page } = await openDocs("#updatePreferences-header-idempotency-key");
    const update = page.getByRole("complementary", { name: "Examples of updatePreferences" });
    for (const status of [/^200 OK in \d+ ms(?!,)/, /^200 OK in \d+ ms, replayed/]) {
      await update.locator("[data-send]:not([aria-disabled])").click();
      await expectText(update.getByRole("status"), status);
    }
    await update.getByText(/^\d+ headers: x-request-id, idempotency-key, idempotency-replay$/).click();
    const updated = update.getByRole("group", { name: "Live response" });
    expect((await updated.boundingBox())?.height, "room for the body").toBeGreaterThan(150);
    await updated.getByRole("button", { name: /^Show \d+ more$/ }).click();
    expect(await updated.getByRole("button").count(), "a list within a list stays as it is").toBe(0);
    await page.getByRole("link", { name: "Filter by channels and dates" }).click();
    const list = page.getByRole("complementary", { name: "Examples of listNotifications" });
    const filtered = /notifications\?channels=email&channels=in_app&after=(\S+)&before=(\S+)'/;
    const curl = list.getByRole("group", { name: "listNotifications as curl" });
    await expectText(curl, filtered);
    await expectText(list.locator("[data-samples]"), /No response yet.*Send the request to see the response\.$/s);
    const [, after = "", before = ""] = filtered.exec((await curl.textContent()) ?? "") ?? [];
    await list.locator("[data-send]:not([aria-disabled])").click();
    await expectText(list.getByRole("status"), /^200 OK/);
    const found = JSON.parse((await list.getByRole("group", { name: "Live response" }).textContent()) ?? "");
    expect(found.data[0].createdAt > after && found.data[0].createdAt < before).toBe(true);
    await list.getByRole("button", { name: "Edit" }).click();
    await list.getByLabel("Add a parameter").selectOption({ label: "topicKey" });
    const example = (await page.locator("#listNotifications-query-topicKey p code").allTextContents()).at(-1);
    expect(await list.getByLabel("topicKey query").getAttribute("placeholder")).toBe(example);
    await page.getByRole("link", { name: "Retry an update safely" }).click();
    await page.getByRole("link", { name: "Try it: send one key twice" }).click();
    await expectText(update.getByRole("group", { name: "updatePreferences as curl" }), /-H 'idempotency-key: \S{36}'/);
    for (const task of await page
      .getByRole("list", { name: "How to" })
      .locator("[data-example]:not([data-fill])")
      .all()) {
      await task.click();
      const shown = page.locator(`option[data-name="${await task.getAttribute("data-example")}"]:checked`);
      await expectCount(shown, 1);
    }
    const heads = page.getByRole("complementary", { name: "Examples of errors" }).locator("[data-samples] .panel-bar");
    expect((await heads.boundingBox())?.y, "the head of the example of the last task").toBeLessThan(400);
    const body = page.locator("section", { has: page.locator("#errors") });
    await body.getByText("What is wrong with the value.").waitFor(); // its members, and theirs
    expect(await body.locator(".basis[open]").count(), "no reasons").toBe(0);
    expect(await body.locator(".description").textContent()).toMatch(
      /here invalidRequest.*here query\.chanels, query\.limit/s,
    );
    const options = await body.locator("optgroup[label='429'] option").allTextContents();
    expect(options.length, "one for both operations").toBe(1);
    const remedies = body.locator("h4");
    expect(await remedies.allTextContents()).toEqual([
      "Correct the request",
      "Send it again after Retry-After seconds",
      "Report it",
    ]);
    const row = body.locator("dl.clauses > div", { has: page.getByText("422", { exact: true }) });
    await expectText(row, /send a new key\..*Correct each place that errors lists$/s);
    expect(await row.getByRole("link", { name: "Correct each place" }).getAttribute("href")).toBe("#errors");
    const policy = page.locator("#header-RateLimit-Policy");
    expect(await policy.textContent(), "what its parts are").toMatch(/w is the window in seconds/);
    const listed = page.locator("details:has(> #listNotifications-response-429) a[href='#header-RateLimit-Reset']");
    expect(await listed.getAttribute("title")).toMatch(/^Seconds, .* not a point in time\.$/);
    const retried = body.locator("h4:nth-of-type(2) + dl");
    expect(await retried.locator("dt").allTextContents(), "as the contract declares the header").toEqual([
      "409",
      "429",
      "503",
    ]);
    await page.goto(`${server.url}/docs#listNotifications-response-503`);
    const samples = page.getByRole("complementary", { name: "Examples of listNotifications" });
    const picker = samples.getByLabel("Example response of listNotifications").and(page.locator("select"));
    const select = async (status: number) =>
      picker.selectOption({ label: (await picker.locator(`[label="${status}"] option`).first().textContent()) ?? "" });
    const chip = samples.locator("[data-samples] .status");
    await expectText(chip, /^503$/);
    const bar = await page.locator(".top").boundingBox();
    expect((await samples.boundingBox())?.y, "at the end, the head is not under the bar").toBeGreaterThanOrEqual(
      bar?.height ?? 0,
    );
    await expectText(page.locator("#listNotifications-response-503 + *"), /^Headers: .*Retry-After/);
    await page.locator("#listNotifications-response-503 ~ * .member", { hasText: "ctx" }).first().waitFor();
    await select(422);
    await expectText(chip, /^422$/);
    expect(await picker.getAttribute("title")).toBe(await picker.locator("option:checked").textContent());
    const shown = samples.locator("[data-samples] pre").filter({ visible: true });
    expect(JSON.parse((await shown.textContent()) ?? "")).toMatchObject({ statusCode: 422 });
    expect(await shown.getByRole("link", { name: "D-28" }).first().getAttribute("href")).toBe("#decision-D-28");
    await page.locator("#listNotifications-response-402").click();
    await expect.poll(async () => JSON.parse((await shown.textContent()) ?? "").statusCode).toBe(402);
    await expectText(chip, /^402$/);
    await select(429);
    await expectText(
      samples.getByRole("group", { name: "listNotifications as curl" }),
      / -H 'prefer: code=429, example=/,
    );
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await samples.locator("[data-samples]").getByRole("button", { name: "Copy" }).click();
    await samples.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await shown.textContent());
    await page.getByRole("button", { name: "Copy: path" }).last().click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe("/v1/notifications");
  });

  test("Send shows what this server responds to the request of the selected example, by keyboard", async () => {
    const { page, messages } = await openDocs();
    for (const operation of ["updatePreferences", "listNotifications"]) {
      const samples = page.getByRole("complementary", { name: `Examples of ${operation}` });
      const [picker, send, status] = [
        samples.locator("[data-examples]"),
        samples.locator("[data-send]"),
        samples.getByRole("status"),
      ];
      await expectText(status, "to this server, with its key demo-key");
      const panel = samples.locator("[data-samples]");
      for (const label of await picker.locator("option:first-child").allTextContents()) {
        await picker.selectOption({ label });
        const code = await panel.locator(".status").textContent();
        const findTop = async () => ((await panel.boundingBox())?.y ?? 0) - ((await samples.boundingBox())?.y ?? 0);
        const top = await findTop();
        await send.press("Enter");
        await expectText(status, new RegExp(`^${code} [A-Z][A-Za-z- ]+ in \\d+ ms$`));
        expect(await findTop(), `the response to ${label} moves`).toBe(top);
      }
      await picker.selectOption({ index: 0 });
      const example = await samples.getByLabel(`Example response of ${operation}`).last().textContent();
      await send.press("Enter");
      const live = samples.getByRole("group", { name: `Live response of ${operation}` });
      await live.waitFor();
      expect(await live.textContent()).not.toBe(example);
      await expect.poll(() => picker.locator("option:checked").textContent()).toMatch(/^Live response, \d+ ms$/);
      await picker.selectOption({ index: 1 });
      expect(await samples.getByLabel(`Example response of ${operation}`).last().textContent()).toBe(example);
    }
    const samples = page.getByRole("complementary", { name: "Examples of listNotifications" });
    await createControl({ baseUrl: server.url }).addFault("default", { status: 503, count: 1 });
    await samples.locator("[data-send]").press("Enter");
    await expectText(samples.getByRole("status"), /^503 Service Unavailable in \d+ ms, injected by a fault$/);
    await samples.locator("[data-examples]").selectOption({ index: 1 });
    expect(await samples.locator("[data-examples] option").allTextContents(), "an example again").not.toContainEqual(
      /^Live/,
    );
    expect(JSON.parse((await samples.locator("[data-samples] pre").textContent()) ?? "")).toHaveProperty("data");
    expect(
      messages.filter((message) => !message.includes("responded with a status of")),
      "the policy allows it",
    ).toEqual([]);
    const folder = await createTemporaryFolder();
    await writeFile(join(folder, "docs.html"), await (await fetch(`${server.url}/docs`)).text());
    await page.goto(pathToFileURL(join(folder, "docs.html")).href);
    expect(await page.locator("[data-send]").filter({ visible: true }).count(), "a file has no server").toBe(0);
    const own = await startServer();
    const known = page.waitForResponse((response) => response.url().endsWith("/ready"));
    await page.goto(`${own.url}/docs`);
    await known;
    await own.close();
    await samples.locator("[data-send]").click();
    await expectText(samples.locator("[data-samples] pre"), new RegExp(`serve --port ${own.port} --ephemeral$`));
    const secret = await startServer({ apiKey: "a-key-of-its-own" });
    onTestFinished(() => secret.close());
    expect(await (await fetch(`${secret.url}/docs`)).text(), "no key to send").not.toContain(`data-send="`);
  });

  test("a request is edited before it is sent: the code follows, the rejected field says why", async () => {
    const { page } = await openDocs("#operation-listNotifications");
    const samples = page.getByRole("complementary", { name: "Examples of listNotifications" });
    const status = samples.getByRole("status");
    await samples.getByRole("button", { name: "Edit" }).press("Enter");
    await samples.getByLabel("Add a parameter").selectOption({ label: "limit" });
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("limit");
    await page.keyboard.type("51");
    await samples.getByLabel("Add a parameter").selectOption({ label: "channels" });
    await samples.getByLabel("channels query").last().selectOption("sms");
    await samples.getByRole("button", { name: "Remove subscriberIds" }).click();
    await expectText(status, "Edited: send it to see the response");
    const CODES = {
      curl: /notifications\?channels=in_app&channels=sms&limit=51' \\\n {2}-H 'authorization: ApiKey demo-key'$/,
      TypeScript: /listNotifications\(\s+\{ channels: \["in_app", "sms"\], limit: 51 \},\s+\);\nif /,
    };
    for (const [language, code] of Object.entries(CODES)) {
      await samples.getByLabel(language, { exact: true }).check();
      await expectText(samples.locator("[data-tab] pre").filter({ visible: true }), code);
    }
    await samples.locator("[data-send]").press("Enter");
    await expectText(status, /^422 Unprocessable Entity in/);
    const limit = samples.getByLabel("limit query");
    expect(await limit.getAttribute("aria-invalid")).toBe("true");
    await expectText(samples.locator(`[id="${await limit.getAttribute("aria-describedby")}"]`), "must be at most 50");
    expect(await findAxeViolations(page)).toEqual([]);
    await limit.fill("2");
    expect(await limit.getAttribute("aria-invalid"), "until it is changed").toBe(null);
    await expectText(status, "Edited: send it to see the response");
    const stale = samples.locator(".stale").getByRole("group", { name: "Live response" });
    await expectText(stale, /must be at most 50/);
    expect(await findAxeViolations(page)).toEqual([]);
    await limit.press("Enter");
    await expectCount(stale, 0);
    await expectText(status, /^200 OK in \d+ ms/);
    const live = samples.getByRole("group", { name: "Live response" });
    const headers = { authorization: "ApiKey demo-key" };
    const sent = await (await fetch(`${server.url}/v1/notifications?limit=2`, { headers })).json();
    expect(await live.textContent(), "as it was sent").toBe(JSON.stringify(sent, null, 2));
    await samples.getByText(/^\d+ headers: x-request-id$/).click();
    const [own, others] = ["Headers of the contract", "Other headers"].map((name) =>
      samples.getByRole("group", { name }),
    );
    await expectText(own ?? live, /^x-request-id: \S+$/);
    await expectText(others ?? live, /content-type: application\/json/);
    const column = await samples.boundingBox();
    const bottom = (column?.y ?? 0) + (column?.height ?? 0);
    const findTop = async () => (await others?.boundingBox())?.y;
    await expect.poll(findTop, { message: "they are seen" }).toBeLessThan(bottom);
    await limit.fill("3");
    await expectCount(stale, 1);
    await page.locator("#listNotifications-response-401").click();
    await expectCount(stale, 0);
    await expect.poll(() => limit.count(), { message: "the request of the other example" }).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    const errors = page.getByRole("complementary", { name: "Examples of errors" });
    await errors.getByRole("button", { name: "Edit" }).press("Enter");
    const wrong = errors.getByLabel("limit query");
    await wrong.press("Enter");
    await expectText(errors.getByRole("status"), /^422 /);
    await expectCount(errors.locator("[aria-invalid]"), 3);
    const [row, label] = [errors.locator(".send"), wrong.locator("xpath=ancestor::label")];
    const [above, named] = [await row.boundingBox(), await label.boundingBox()];
    expect(named?.y, "below the row").toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
  });

  test("path, body and headers can be edited, and what is malformed is sent as it is", async () => {
    const { page } = await openDocs();
    await page.setViewportSize({ width: 1280, height: 800 });
    const samples = page.getByRole("complementary", { name: "Examples of updatePreferences" });
    const curl = samples.getByRole("group", { name: "updatePreferences as curl" });
    await samples.getByRole("button", { name: "Edit" }).click();
    await samples.getByLabel("subscriberId path").fill("a/b c");
    await samples.getByLabel("Body").fill('{ "channels": { "emial": false, "sms": 1 } }');
    await expectText(
      curl,
      /subscribers\/a%2Fb%20c\/preferences' .*--data-raw '\{"channels":\{"emial":false,"sms":1\}\}'$/s,
    );
    await samples.locator("[data-send]").click();
    await expectText(
      samples.locator("form"),
      /body\.channels\.emial: is unknown\. Did you mean email\?\nbody\.channels\.sms: must be/,
    );
    await samples.locator("[data-send]:not([aria-disabled])").waitFor();
    expect(await samples.getByRole("button", { name: "Rename emial to email" }).count()).toBe(1);
    const shown = samples.getByRole("group", { name: "Live response" });
    const message = shown.locator(".s", { hasText: /^"is unknown. Did you mean email/ });
    const [text, pre] = [await message.boundingBox(), await shown.boundingBox()];
    const bottom = Math.min((pre?.y ?? 0) + (pre?.height ?? 0), 800);
    expect((text?.y ?? 0) + (text?.height ?? 0), "the errors are seen").toBeLessThan(bottom);
    const [body, errors] = [samples.getByLabel("Body"), samples.locator(".field-error")];
    for (const [width, height] of [
      [1440, 900],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate("document.querySelector('.samples:has(.edit:not([hidden]))').scrollTo(0, 9999)");
      const [row, column] = [await samples.locator(".send").boundingBox(), await samples.boundingBox()];
      expect(row?.y, "Send and the status stay").toBeCloseTo(column?.y ?? 0, 0);
      await samples.getByLabel("subscriberId path").press("Tab");
      const focused = "document.activeElement.getBoundingClientRect().top";
      expect(await page.evaluate<number>(focused), "below the row").toBeGreaterThan((row?.y ?? 0) + (row?.height ?? 0));
    }
    await samples.getByRole("button", { name: "Rename emial to email" }).click();
    expect(await errors.allTextContents(), "the others stay").toEqual(["body.channels.sms: must be a boolean"]);
    await body.press("End");
    await page.keyboard.type(" ");
    expect(await errors.count(), "a value that is as it was sent").toBe(1);
    await body.fill('{ "channels": { "email": false, "sms": true } }');
    expect(await errors.count(), "another value").toBe(0);
    await body.fill('{"channels":{"email":false ');
    await body.press("Control+Enter");
    await expectText(samples.getByRole("status"), /^400 Bad Request in/);
    await expectText(errors, /not valid JSON: .* at position 27/);
    expect(await page.evaluate("document.activeElement.selectionStart"), "where it ends too early").toBe(26);
    expect(await body.getAttribute("aria-invalid")).toBe("true");
    await body.fill("{");
    await samples.getByLabel("authorization header").fill("");
    await expectText(curl, /^(?!.*authorization).*--data-raw '\{'$/s);
    await samples.getByLabel("Body").press("Control+Enter");
    await expectText(samples.getByRole("status"), /^401 Unauthorized in/);
    expect(await samples.getByRole("button", { name: "Rename emial to email" }).count(), "of the one before").toBe(0);
    const panel = samples.locator("[data-samples]");
    const [box, last] = [await panel.boundingBox(), await panel.locator("> :last-child").boundingBox()];
    const rest = (box?.y ?? 0) + (box?.height ?? 0) - (last?.y ?? 0) - (last?.height ?? 0);
    expect(rest, "as high as its text").toBeLessThan(8);
    await samples.getByLabel("TypeScript", { exact: true }).check();
    await expectText(samples.locator("[data-tab=TypeScript] pre"), "The typed client does not send such a request.");
  });

  test("why? shows the decision's question and answer, and each § leads to its clause", async () => {
    const { page } = await openDocs("#listNotifications-query-limit");
    const limit = page.locator("#listNotifications-query-limit");
    const [name, why] = [limit.locator("code").first(), limit.getByLabel(/^Why\? §4\.2, .*D-29/)];
    const [{ y = 0 } = {}, margin] = [await name.boundingBox(), await why.boundingBox()].map((box) => box ?? undefined);
    expect(Math.abs((margin?.y ?? 0) - y), "in the margin of the name").toBeLessThan(12);
    const { x = 0, width = 0 } = (await limit.boundingBox()) ?? {};
    expect(x + width - (margin?.x ?? 0) - (margin?.width ?? 0), "at the end of the row").toBeLessThan(8);
    await why.press("Enter");
    await expectText(limit, /§4\.2\s+Numbers: page .*D-29 .*decimal digits/s);
    const link = limit.getByRole("link", { name: "limit", exact: true });
    expect(await link.getAttribute("href"), "to send to others").toBe("#listNotifications-query-limit");
    const box = await link.boundingBox();
    await link.hover();
    expect(await link.boundingBox(), "its mark moves nothing").toEqual(box);
    await expectText(page.locator("#listNotifications-query-templates .soft code"), "^[0-9a-fA-F]{24}$");
    await page.getByLabel(/^Why\? §4, D-60, D-61, D-59, D-57, D-62, D-58$/).waitFor();
    const [text, reason] = [limit.getByText("Page size."), limit.locator(".why")];
    const [explained, below] = [await text.boundingBox(), await reason.boundingBox()];
    expect(below?.y, "below what it explains").toBeGreaterThanOrEqual((explained?.y ?? 0) + (explained?.height ?? 0));
    await why.press("Enter");
    await limit.hover();
    await why.click();
    await limit.getByRole("link", { name: "§4.2" }).first().click();
    await page.locator("[id='clause-4.2']", { hasText: "from 1 to 50" }).waitFor();
    const missing: string[] = await page.evaluate(
      `[...document.querySelectorAll('a[href^="#"]')].map((one) => one.hash.slice(1)).filter((id) => !document.getElementById(id))`,
    );
    expect(missing).toEqual([]);
  });

  test("a response opens as a tree, level by level; the page as it is opened is small", async () => {
    const { page } = await openDocs();
    expect(await page.locator("*").count()).toBeLessThan(6_800);
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
    expect(new URL(page.url()).hash, "to send to others").toBe("#listNotifications-response-200");
  });

  test.each(VIEWS)("is accessible, fits and loads nothing, $colorScheme at $width", async (view) => {
    const { page, urls, messages } = await openDocs("", view);
    await expectUsable(page);
    const ready = `${server.url}/_control/ready`; // for what to start again, should the server stop
    expect(urls).toEqual([`${server.url}/docs`, ready]);
    expect(messages).toEqual([]);
  });

  test("so is that of the control plane, which has the same styles, where it is narrow and dark", async () => {
    const { page } = await openDocs("", { colorScheme: "dark", width: 390 });
    const cut = `[...document.querySelectorAll(".samples [data-tab=curl] pre")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((pre) => pre.textContent)`;
    expect(await page.evaluate(cut), "an address breaks at its parts").toEqual([]);
    const starts: number[] = await page.evaluate(
      `[...document.querySelectorAll(".samples .s")].filter((text) => text.getClientRects().length > 1)
        .map((text) => Math.min(...[...text.getClientRects()].slice(1).map(({ left }) => left)) - text.closest("pre").getBoundingClientRect().left)`,
    );
    expect(Math.min(...starts), "what is left of a line is indented").toBeGreaterThan(40);
    await page.goto(`${server.url}/_control`);
    await expectUsable(page);
  });
});
