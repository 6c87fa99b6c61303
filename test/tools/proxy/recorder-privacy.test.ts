// What a recording holds of a record: what the allow-list names, and nothing else. The records have each member that the contract has,
// with a text that nobody may find again wherever a text is free.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import type { SchemaObject } from "../../../src/contract/openapi-document.js";
import { type Operation, responseSchemaOf } from "../../../src/contract/operations.js";
import { flatten } from "../../../src/contract/schema-flatten.js";
import { ALLOWED } from "../../../src/tools/proxy/copy-allowed.js";
import { createRecorder, type RecorderOptions } from "../../../src/tools/proxy/recorder.js";
import { toProposal } from "../../server/proposals/proposals.js";
import { list, PAGE, proxied, responding } from "./proxied.js";

const contract = await loadContract();
const NAMES = ["listNotifications", "updatePreferences"] as const;
const schemaOf = (name: (typeof NAMES)[number]) =>
  responseSchemaOf(contract.document, contract.operations.find(({ id }) => id === name) as Operation);

/** What is left out of a recording, or generated where it is required. */
const NOT_COPIED = [
  ...["page", "pageSize", "hasMore", "data.payload", "data.controls", "data.to", "data.tags", "data.contextKeys"],
  ...["data.subscriber.firstName", "data.subscriber.lastName", "data.subscriber.phone"],
  ...["data.template.triggers.variables", "data.template.triggers.subscriberVariables"],
  ...[
    "data.jobs.overrides",
    "data.jobs.payload",
    "data.jobs.executionDetails.detail",
    "data.jobs.executionDetails.raw",
  ],
  ...["filters", "name", "replyCallback", "controlVariables", "metadata", "issues", "template", "variants"].map(
    (member) => `data.jobs.step.${member}`,
  ),
  ...["digestKey", "events", "timed.atTime", "timed.cronExpression", "timed.untilDate"].map(
    (member) => `data.jobs.digest.${member}`,
  ),
  ...["global.enabled", "workflows.enabled", "workflows.overrides"],
];

/** The members of a schema that are in neither list, and those that are in both. */
function findUndecided(schema: unknown, rules: unknown, path = ""): string[] {
  const { properties, items } = flatten(contract.document, schema);
  if (items) return findUndecided(items, rules, path);
  return Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const own = path === "" ? name : `${path}.${name}`;
    const rule = (rules as Record<string, unknown>)[name];
    if (NOT_COPIED.includes(own) || rule === undefined)
      return NOT_COPIED.includes(own) === (rule === undefined) ? [] : [own];
    return typeof rule === "object" ? findUndecided(member, rule, own) : [];
  });
}

test("each member of the contract is either copied or not", () => {
  expect(NAMES.flatMap((name) => findUndecided(schemaOf(name), ALLOWED[name]))).toEqual([]);
});

test("a member that the contract gets is in neither list", () => {
  const page = flatten(contract.document, schemaOf("listNotifications"));
  const changed = { ...page, properties: { ...page.properties, total: { type: "integer" } } };
  expect(findUndecided(changed, ALLOWED.listNotifications)).toEqual(["total"]);
});

let count = 0;
const ID = "66e1a0010c4b3d5e6f7082";
const nextId = () => ID + (16 + (count++ % 200)).toString(16);
const TIME = "2026-11-02T09:00:00.000Z";
/** Forms in which personal data are written. */
const FORMS = ["Inés %", "ine\u0301s.%", "auth0|%", "4477%", "mail %@example.com.", '{"to":"%"}', "%"];

/** A value with each member that a schema has; its free texts are secrets, and so are the names of its open members. */
function plant(schema: unknown, secrets: string[], depth = 0): unknown {
  const {
    type,
    enum: words,
    pattern,
    properties,
    items,
  } = flatten(contract.document, schema) as SchemaObject & {
    pattern?: string;
  };
  const secret = () => {
    const text = (FORMS[secrets.length % FORMS.length] ?? "").replace("%", `secret${secrets.length}x`);
    secrets.push(text);
    return text;
  };
  if (words) return (words as unknown[])[0];
  if (items) return depth > 7 ? [] : [plant(items, secrets, depth + 1)];
  if (properties) {
    const members = Object.entries(properties).map(([name, member]) => [name, plant(member, secrets, depth + 1)]);
    return Object.fromEntries(members);
  }
  if (type === "object")
    return { [secret()]: secret(), title: secret(), list: [{ [secret()]: secret(), id: 447700900142 }] };
  if (pattern?.includes("24")) return nextId();
  if (pattern) return TIME;
  return { boolean: true, integer: 1, number: 1 }[String(type)] ?? secret();
}

async function record(body: unknown, options: Partial<RecorderOptions> = {}, headers = {}) {
  const recorder = createRecorder({ contract, ...options });
  const { proxy } = await proxied(responding(body, 200, headers), { recorder });
  await (await list(proxy)).text();
  await proxy.close();
  return { seed: recorder.toSeed(), text: recorder.toText("seed.json"), entries: proxy.entries };
}

const secrets: string[] = [];
const NOTIFICATION = (plant(schemaOf("listNotifications"), secrets) as { data: [Record<string, object>] }).data[0];
const planted = { ...PAGE, data: [NOTIFICATION] };

const findIn = (value: unknown) =>
  secrets.filter((secret) => JSON.stringify(value).includes(JSON.stringify(secret).slice(1, -1)));

test("of all free texts, a recording has the workflow's names alone", async () => {
  const { seed, entries, text } = await record(planted);
  expect(entries.map(({ location, message }) => [location, message])).toEqual([]);
  expect(text).toContain("1 notifications, 1 subscribers");
  const { name, triggers } = NOTIFICATION.template as { name: string; triggers: [{ identifier: string }] };
  expect(secrets.length).toBeGreaterThan(60);
  expect(findIn(seed).sort()).toEqual([name, triggers[0].identifier].sort());
  expect(JSON.stringify(seed)).not.toContain("447700900142");
  const [stored] = seed?.notifications ?? [];
  expect(JSON.stringify([{ ...stored, _templateId: "" }, seed?.subscribers])).not.toContain(ID.slice(8)); // of ids, eight digits stay
});

test.each([
  ["payload.title", (record: typeof NOTIFICATION) => (record.payload as Record<string, string>).title],
  ["phone", (record: typeof NOTIFICATION) => (record.subscriber as Record<string, string>).phone],
])("--keep %s copies that member, and no other", async (keep, find) => {
  const { seed } = await record(planted, { keep: [keep] });
  const { name, triggers } = NOTIFICATION.template as { name: string; triggers: [{ identifier: string }] };
  const inJob = ((NOTIFICATION.jobs as unknown as { payload: { title: string } }[])[0] ?? { payload: { title: "" } })
    .payload;
  const kept = keep === "phone" ? [] : [inJob.title]; // a job has a payload, too
  expect(findIn(seed).sort()).toEqual([name, triggers[0].identifier, find(NOTIFICATION) ?? "", ...kept].sort());
});

test("a response header that is not declared does not spoil a record, and a member does", async () => {
  const { seed, entries } = await record(planted, {}, { "x-powered-by": "PHP" });
  expect(entries.map(({ location }) => location)).toEqual(["header.x-powered-by"]);
  expect(seed?.notifications).toHaveLength(1);
  const wrong = await record({ ...planted, total: 1 });
  expect(wrong.text).toBe(
    "Nothing was recorded, so seed.json was not written.\nNot recorded: 1 responses outside the contract.\n",
  );
});

test.each<
  [where: string, scheme: object, toRequest: (key: string) => [query: string, headers: Record<string, string>]]
>([
  ["a header", { type: "apiKey", in: "header", name: "X-Api-Key" }, (key) => ["", { "x-api-key": key }]],
  ["the query", { type: "apiKey", in: "query", name: "key" }, (key) => [`?key=${key}`, {}]],
  ["bearer", { type: "http", scheme: "bearer" }, (key) => ["", { authorization: `Bearer ${key}` }]],
])("a key in %s is that of the recording: what another key sees is left out", async (_where, scheme, toRequest) => {
  const proposal = toProposal({ edit: (document) => (document.components.securitySchemes = { apiKey: scheme }) });
  const recorder = createRecorder({ contract: proposal });
  const { proxy } = await proxied(responding(planted), { contract: proposal, recorder });
  for (const key of ["first-key-4711", "second-key-4711"]) {
    const [query, headers] = toRequest(key);
    await (await fetch(`${proxy.url}/v1/notifications${query}`, { headers })).text();
  }
  await proxy.close();
  expect(proxy.entries).toEqual([]);
  expect(recorder.toText("seed.json")).toContain("Not recorded: 1 responses of another API key");
  expect(recorder.toSeed()?.notifications).toHaveLength(1);
  expect(JSON.stringify(recorder.toSeed())).not.toContain("key-4711");
});

test("a record that cannot be stored is counted", async () => {
  const { createdAt: _createdAt, ...undated } = NOTIFICATION;
  const { text } = await record({ ...planted, data: [NOTIFICATION, { ...undated, _id: nextId() }] });
  expect(text).toContain("1 notifications");
  expect(text).toContain("Not recorded: 1 records without _id, createdAt or channels.");
});

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.parse(TIME) + hours * HOUR_MS).toISOString();

test.each<[title: string, shown: number, later: number, date: number, want: number]>([
  ["the time of the response", 0, -1, 5, 5 * HOUR_MS],
  ["after the newest record, where that is later", 0, -1, -5, 1],
  ["not after a record that only a list with `before` showed", 0, 2, 5, 2 * HOUR_MS],
  ["not in the future", 0, 9, 5, 5 * HOUR_MS],
])("asOf is %s", async (_title, shown, later, date, want) => {
  const recorder = createRecorder({ contract });
  const toPage = (hours: number) => ({
    ...PAGE,
    data: [{ ...NOTIFICATION, _id: nextId(), createdAt: inHours(hours) }],
  });
  const headers = { date: new Date(inHours(date)).toUTCString() };
  const { proxy } = await proxied(
    (request, response) =>
      responding(toPage(request.url?.includes("before") ? later : shown), 200, headers)(request, response),
    { recorder },
  );
  for (const query of [`?before=${inHours(24)}`, ""]) await (await list(proxy, query)).text();
  await proxy.close();
  expect(Date.parse(recorder.toSeed()?.asOf ?? "") - Date.parse(TIME)).toBe(want);
});
