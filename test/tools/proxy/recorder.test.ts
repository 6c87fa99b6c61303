// A recording as a seed: the reference server behind the proxy; then another server on what was recorded. And what a recording never holds
// is in recorder-privacy.test.ts.
import assert from "node:assert/strict";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import demo from "../../../data/seeds/demo.json" with { type: "json" };
import { loadContract } from "../../../src/contract/contract.js";
import type { Seed } from "../../../src/core/domain/state.js";
import { type RunningServer, startServer } from "../../../src/server/server.js";
import { createRecorder, type Recorder, writeSeed } from "../../../src/tools/proxy/recorder.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { watch } from "./proxied.js";

const NOW = "2026-11-02T09:00:00.000Z";
const CRITICAL = "password-reset";
const API_KEY = "recorded-secret-key-4711";
const folder = await createTemporaryFolder(afterAll);
const contract = await loadContract();

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

async function update(
  { url, apiKey }: { url: string; apiKey: string },
  subscriberId: string,
  body: object,
  status = 200,
) {
  const headers = { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" };
  const path = `${url}/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
  const response = await fetch(path, { method: "PATCH", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(status);
  return response.json();
}

const EMPTIED = ["filters", "variables"]; // lists that the contract requires

/** Learns what each text of a record became; fails where a value differs in anything else, or a text became two. */
function learn(mapping: Map<string, string>, before: unknown, after: unknown, path = ""): void {
  if (typeof before === "string" && typeof after === "string") {
    const key = path.endsWith("subscriberId") ? `id ${before}` : before; // one person's id is their name
    assert.equal(mapping.get(key) ?? after, after, `${path}: ${before}`);
    mapping.set(key, after);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    assert.equal(after.length, EMPTIED.some((name) => path.endsWith(name)) ? 0 : before.length, path);
    for (const [index, item] of after.entries()) learn(mapping, before[index], item, path);
  } else if (typeof before === "object" && typeof after === "object" && before !== null) {
    for (const [name, value] of Object.entries(after ?? {}))
      learn(mapping, (before as Record<string, unknown>)[name], value, `${path}.${name}`);
  } else assert.deepEqual(after, before, path);
}

function toSeedOf(recorder: Recorder): Seed {
  const seed = recorder.toSeed();
  if (!seed) throw new Error("nothing was recorded");
  return seed;
}

describe("a recording", () => {
  let said = "";
  let recorded: Page[];
  let [shown, mapped]: unknown[] = [];
  let server: RunningServer;
  let mapping: Map<string, string>;
  let seed: Seed;
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
    const source = await startServer({ now: NOW, apiKey: API_KEY });
    const recorder = createRecorder({ contract });
    const proxy = await watch({ upstream: source.url, contract, recorder });
    const front = { url: proxy.url, apiKey: API_KEY };
    recorded = [];
    for (const query of queries) recorded.push(await list(front, query));
    await update(front, "ines-moreau", { channels: { sms: false } });
    await update(front, "tomas-novak", { channels: { email: true }, workflowId: "comment-mention" });
    shown = await update(front, "ines-moreau", { channels: { push: false }, workflowId: "comment-mention" });
    await update(front, "ines-moreau", { channels: {}, workflowId: CRITICAL }, 400);
    await fetch(`${proxy.url}/v1/notifications`, {
      headers: { authorization: `ApiKey ${API_KEY}`, prefer: "code=200" },
    });
    await proxy.close();
    expect(proxy.entries).toEqual([]);
    await source.close();
    const path = join(folder, "seed.json");
    seed = toSeedOf(recorder);
    writeSeed(path, seed, contract);
    said = recorder.toText("seed.json");

    server = await startServer({ seed: path, now: seed.asOf });
    mapping = new Map();
    for (const [index, query] of queries.slice(0, 3).entries())
      learn(mapping, recorded[index], await list(server, query));
    mapped = await update(server, mapping.get("id ines-moreau") ?? "", { channels: {} });
    return server.close;
  });

  test("says what it holds", () => {
    expect(said).toBe(
      "Recorded in seed.json: 150 notifications, 25 subscribers, preferences of 2.\nNot recorded: 1 responses requested by Prefer.\n",
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
      learn(mapping, before, await list(server, Object.fromEntries(translated)));
      if (query.subscriberIds !== "nobody") expect(before.data.length).toBeGreaterThan(0);
    },
  );

  test("shows the same preferences", () => {
    expect(mapped).toEqual(shown);
  });

  test("rejects an update of the workflow that was critical, and of no other", async () => {
    const subscriberId = mapping.get("id ines-moreau") ?? "";
    await update(server, subscriberId, { channels: {}, workflowId: CRITICAL }, 400);
    const unlisted = seed.workflows.filter(({ active }) => !active).map(({ identifier }) => identifier);
    expect(unlisted.length).toBeGreaterThan(0);
    for (const workflowId of unlisted) await update(server, subscriberId, { channels: {}, workflowId });
  });

  test("gives different people different pseudonyms", () => {
    for (const kind of ["subscriberId", "email", "_id"] as const) {
      const people = demo.subscribers as Record<string, string>[];
      const values = new Set(people.flatMap((subscriber) => subscriber[kind] ?? []));
      const toKey = (value: string) => (kind === "subscriberId" ? `id ${value}` : value);
      expect(new Set([...values].map((value) => mapping.get(toKey(value)))).size, kind).toBe(values.size);
    }
  });

  test("keeps the order of ids, and their time", () => {
    const ids = recorded
      .slice(0, 3)
      .flatMap(({ data }) => data.map(({ _id }) => String(_id)))
      .sort();
    const pseudonyms = ids.map((id) => mapping.get(id) ?? "");
    expect(pseudonyms).toEqual(pseudonyms.toSorted());
    expect(pseudonyms.map((id) => id.slice(0, 8))).toEqual(ids.map((id) => id.slice(0, 8)));
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
