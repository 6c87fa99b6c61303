// A recording as a seed: the reference server, with secrets planted in its records, behind the proxy; then another server on what
// was recorded.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import demo from "../../data/seeds/demo.json" with { type: "json" };
import { loadContract } from "../../src/contract/contract.js";
import { createRecorder, writeSeed } from "../../src/proxy/recorder.js";
import { type RunningServer, startServer } from "../../src/server.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { watch } from "./proxied.js";

const NOW = "2026-11-02T09:00:00.000Z";
const API_KEY = "recorded-secret-key-4711";
const folder = await createTemporaryFolder(afterAll);
const contract = await loadContract();

/** Personal data in places where only free text is. */
const PLANTED = {
  payload: {
    note: "Inés Moreau <ines.moreau@example.com> called from +44 7700 900142",
    order: 447700900142,
    "ines-moreau": 1,
  },
  raw: JSON.stringify({ to: "ines.moreau@example.com", error: "Mailbox of Inés is full" }),
  text: "To ines-moreau: 550 mailbox full",
};

async function writeSource(): Promise<string> {
  const seed = structuredClone(demo) as typeof demo & { notifications: object[] };
  for (const [index, notification] of seed.notifications.entries()) {
    if (index % 3 === 0) Object.assign(notification, { payload: { ...notification.payload, ...PLANTED.payload } });
    const [detail] = notification.jobs?.[0]?.executionDetails ?? [];
    if (detail)
      Object.assign(detail, { raw: index % 2 === 0 ? PLANTED.raw : PLANTED.text, detail: "Sent to ines-moreau" });
  }
  const path = join(folder, "source.json");
  await writeFile(path, JSON.stringify(seed));
  return path;
}

type Page = { data: Record<string, unknown>[]; hasMore: boolean };

async function list(
  { url, apiKey }: { url: string; apiKey: string },
  query: Record<string, string | string[]>,
): Promise<Page> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
  );
  const response = await fetch(`${url}/v1/notifications?${search}`, { headers: { authorization: `ApiKey ${apiKey}` } });
  const body = (await response.json()) as Page;
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body;
}

async function update({ url, apiKey }: { url: string; apiKey: string }, subscriberId: string, body: object) {
  const headers = { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" };
  const path = `${url}/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
  const response = await fetch(path, { method: "PATCH", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return response.json();
}

const TIME = /^\d{4}-\d\d-\d\dT/;

/** Learns what each text of a value became; fails where the values differ in anything else, or a text became two. */
function learn(mapping: Map<string, string>, before: unknown, after: unknown, path = ""): void {
  if (typeof before === "string" && typeof after === "string") {
    if (TIME.test(before)) assert.equal(after, before, path);
    const key = path.endsWith("subscriberId") ? `id ${before}` : before; // one person's id is their name
    assert.equal(mapping.get(key) ?? after, after, `${path}: ${before}`);
    mapping.set(key, after);
  } else if (typeof before === "object" && before !== null && after !== null) {
    const [was, is] = [Object.entries(before), Object.entries(after as object)];
    assert.equal(is.length, was.length, path);
    for (const [index, [name, value]] of was.entries()) learn(mapping, value, is[index]?.[1], `${path}.${name}`);
  } else if (typeof before !== "number" || before < 1e6) assert.deepEqual(after, before, path);
}

const sorted = ({ data, ...page }: Page) => ({
  ...page,
  data: data.map((record) => Object.fromEntries(Object.entries(record).sort())),
});

describe("a recording", () => {
  let [text, said] = ["", ""];
  let recorded: Page[];
  let [shown, mapped]: unknown[] = [];
  let server: RunningServer;
  let mapping: Map<string, string>;
  const queries: Record<string, string | string[]>[] = [
    { limit: "50" },
    { limit: "50", page: "1" },
    { limit: "50", page: "2" },
    { subscriberIds: "ines-moreau" },
    { subscriberIds: ["ines-moreau", "tomas-novak"], channels: "email", limit: "5" },
    { emails: "ines.moreau@example.com", page: "1", limit: "3" },
    { search: "tomas-novak" },
    { channels: ["in_app", "push"], limit: "20" },
    { templates: demo.workflows[0]?._id ?? "" },
    { transactionId: demo.notifications[3]?.transactionId ?? "" },
    { after: "2026-10-20T00:00:00Z", before: "2026-10-25T00:00:00Z" },
    { topicKey: demo.notifications.flatMap(({ topics }) => topics).find((topic) => topic)?.topicKey ?? "" },
    { subscriberIds: "nobody" },
  ];

  beforeAll(async () => {
    const source = await startServer({ seed: await writeSource(), now: NOW, apiKey: API_KEY });
    const recorder = createRecorder({ contract });
    const proxy = await watch({ upstream: source.url, contract, recorder });
    const front = { url: proxy.url, apiKey: API_KEY };
    recorded = [];
    for (const query of queries) recorded.push(await list(front, query));
    await update(front, "ines-moreau", { channels: { sms: false } });
    await update(front, "tomas-novak", { channels: { email: true }, workflowId: "comment-mention" });
    shown = await update(front, "ines-moreau", { channels: { push: false }, workflowId: "comment-mention" });
    await fetch(`${proxy.url}/v1/notifications`, {
      headers: { authorization: `ApiKey ${API_KEY}`, prefer: "code=200" },
    });
    await proxy.close();
    expect(proxy.entries).toEqual([]);
    await source.close();
    const path = join(folder, "seed.json");
    const seed = recorder.toSeed();
    if (!seed) throw new Error("nothing was recorded");
    writeSeed(path, seed, contract);
    text = await readFile(path, "utf8");
    said = recorder.toText("seed.json");

    server = await startServer({ seed: path, now: seed.asOf });
    mapping = new Map();
    for (const [index, query] of queries.slice(0, 3).entries())
      learn(mapping, sorted(recorded[index] as Page), sorted(await list(server, query)));
    mapped = await update(server, mapping.get("id ines-moreau") ?? "", { channels: {} });
    return server.close;
  });

  test("says what it holds", () => {
    expect(said).toBe(
      "Recorded in seed.json: 150 notifications, 25 subscribers, preferences of 2.\nNot recorded: 1 requested by Prefer (responses).\n",
    );
  });

  test.each(queries.map((query) => [JSON.stringify(query), query] as const))(
    "lists the same for %s",
    async (_title, query) => {
      const personal = ["subscriberIds", "emails", "search", "transactionId", "topicKey"];
      const translated = Object.entries(query).map(([name, values]) => [
        name,
        [values]
          .flat()
          .map((value) =>
            personal.includes(name) ? (mapping.get(`id ${value}`) ?? mapping.get(value) ?? value) : value,
          ),
      ]);
      const before = recorded[queries.indexOf(query)] as Page;
      learn(mapping, sorted(before), sorted(await list(server, Object.fromEntries(translated))));
      if (query.subscriberIds !== "nobody") expect(before.data.length).toBeGreaterThan(0);
    },
  );

  test("shows the same preferences", () => {
    expect(mapped).toEqual(shown);
  });

  test("gives different people different pseudonyms, and a person one wherever it stands", () => {
    for (const kind of ["subscriberId", "email", "phone", "_id"] as const) {
      const values = new Set(
        demo.subscribers.flatMap((subscriber) => (subscriber as Record<string, string>)[kind] ?? []),
      );
      expect(
        new Set([...values].map((value) => mapping.get(kind === "subscriberId" ? `id ${value}` : value))).size,
        kind,
      ).toBe(values.size);
    }
    const [first, last] = [mapping.get("Inés"), mapping.get("Moreau")];
    expect(mapping.get(PLANTED.payload.note)).toMatch(
      new RegExp(`^${first} ${last} <${mapping.get("ines.moreau@example.com")}> \\w+ \\w+ \\+999\\d+$`),
    );
    expect(mapping.get(PLANTED.text)).toContain(` ${mapping.get("id ines-moreau")}: `);
    expect(JSON.parse(mapping.get(PLANTED.raw) ?? "")).toEqual({
      to: mapping.get("ines.moreau@example.com"),
      error: expect.stringContaining(` ${first} `),
    });
  });

  test("has nothing personal in its file, and no key", () => {
    const people = demo.subscribers as Record<string, string>[];
    const values = people.flatMap(({ _id, subscriberId, email, phone, firstName, lastName }) => [
      _id,
      subscriberId,
      email,
      phone,
      firstName,
      lastName,
    ]);
    const payloads = demo.notifications
      .flatMap(({ payload }) => Object.values(payload ?? {}))
      .filter((value): value is string => typeof value === "string" && value.includes(" ")); // "design" is in a topic's key, too
    const words = new Set(
      [...values, ...payloads, API_KEY, "447700900142", "900142", "mailbox"].filter((value) => value !== undefined),
    );
    expect(words.size).toBeGreaterThan(150);
    const found = [...words].filter((word) =>
      new RegExp(`(?<![\\p{L}\\d])${word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")}(?![\\p{L}\\d])`, "iu").test(text),
    );
    expect(found).toEqual([]);
  });
});

test("with the same key, another recording has the same pseudonyms; what is kept stays", async () => {
  const source = await startServer({ now: NOW, apiKey: API_KEY });
  const record = async (...keep: string[]) => {
    const recorder = createRecorder({ contract, key: "a key for this test", keep });
    const proxy = await watch({ upstream: source.url, contract, recorder });
    await list({ url: proxy.url, apiKey: API_KEY }, { limit: "3" });
    await proxy.close();
    return recorder.toSeed()?.subscribers ?? [];
  };
  const [first, second, kept] = [await record(), await record(), await record("email")];
  await source.close();
  expect(second).toEqual(first);
  for (const { email } of first) expect(email).toMatch(/^[0-9a-f]{12}@example\.com$/);
  for (const { email } of kept) expect(email).toMatch(/^[a-z.+-]+@example\.(com|org)$/);
  expect(kept.length).toBeGreaterThan(0);
});
