// What a front-end sends: a feed with pages, filters and a search box, a preference center, retries, and the mistakes
// of developers. Values come from earlier responses, as they do in a client.

// biome-ignore lint/suspicious/noExplicitAny: a wrong upstream sends bodies of all shapes
type Json = any;

export interface Client {
  /** The parsed body. */
  send(path: string, init?: RequestInit): Promise<Json>;
  /** Some time passes, by the upstream's clock. */
  wait(milliseconds: number): void;
}

const SUBSCRIBER = "ada";
const WORKFLOW = "zebra-welcome";
const NO_LISTED_WORKFLOWS = [
  ...["password", "newsletter", "no-such", "Welcome aboard", "Zebra-Welcome", `old_wf_${"0".repeat(10)}7f3a9c`],
];

export async function useFrontEnd({ send, wait }: Client): Promise<void> {
  const list = (query: string) => send(`/v1/notifications?${query}`);
  const update = (body: unknown, headers: Record<string, string> = {}, id = SUBSCRIBER) =>
    send(`/v2/subscribers/${encodeURIComponent(id)}/preferences`, {
      method: "PATCH",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
  const key = (value: string) => ({ "idempotency-key": value });

  await readFeed(list);
  await filterFeed(list);
  for (const query of WRONG_QUERIES) await list(query);
  for (const [path, init] of WRONG_REQUESTS) await send(path, init);

  // The preference center: each listed workflow is switched, then all channels at once.
  const { workflows = [] } = await update({ channels: {} });
  await update({ channels: { email: false } });
  await update({ channels: { email: true, push: false } });
  for (const entry of workflows)
    for (const name of Object.keys(entry?.channels ?? {}))
      await update({ channels: { [name]: false }, workflowId: entry.workflow?.identifier });
  await update({ channels: { email: true }, workflowId: workflows[0]?.workflow?.slug });
  await update({ channels: { push: false } });
  await Promise.all(CHANNELS.map((name) => update({ channels: { [name]: false } })));
  await update({ channels: { email: true } }, {}, "team/Zoë 1%");
  for (const workflowId of NO_LISTED_WORKFLOWS) await update({ channels: { email: true }, workflowId });
  await update({ channels: {} }, {}, "nobody");
  for (const body of WRONG_BODIES) await update(body);
  await update({ channels: {} }, { "content-type": "text/plain" });
  await update({ channels: {} }, { "content-type": "application/merge-patch+json" });

  // Retries: after a lost response, a double click, and keys that are used for something else by mistake.
  const change = { channels: { email: false, push: true } };
  for (const body of [change, change, { channels: { push: true, email: false } }, { channels: { email: true } }])
    await update(body, key("k-1"));
  await update(change, key("k-1"), "grace-42");
  await update({ ...change, workflowId: WORKFLOW }, key("k-1"));
  await Promise.all([update({ channels: { sms: true } }, key("k-2")), update({ channels: { sms: true } }, key("k-2"))]);
  for (const name of ["k-3", "k-4", "k-5"]) await update({ channels: { sms: true } }, key(name));
  for (const _again of [1, 2]) await update({ channels: {}, workflowId: "no-such" }, key("k-6"));
  wait(1500);
  await update(change, key("k-1"));

  await readFeed(list);
}

type List = (query: string) => Promise<Json>;

/** Page by page to the end, in two sizes. */
async function readFeed(list: List): Promise<void> {
  for (const limit of [10, 50]) {
    for (let page = 0; page < 9; page++) {
      const { hasMore } = await list(`limit=${limit}&page=${page}`);
      if (!hasMore) break;
    }
  }
  await list("");
}

async function filterFeed(list: List): Promise<void> {
  const { data = [] } = await list("");
  const [newest = {}, , , older = {}] = data;
  const records = data.filter((record: Json) => record?.subscriber);
  const topic = data.find((record: Json) => record?.topics?.[0])?.topics[0].topicKey;
  const at = encodeURIComponent;
  const local = (text: string, hours: number, offset: string) =>
    at(new Date(Date.parse(text) + hours * 3_600_000).toISOString().replace("Z", offset));
  const time = String(older.createdAt ?? new Date().toISOString());
  const queries = [
    ...["channels=email", "channels=push&channels=chat", "channels=sms", "channels=email&page=1&limit=5"],
    ...[`subscriberIds=${SUBSCRIBER}`, "subscriberIds=nobody&page=2", "subscriberIds=team%2FZo%C3%AB%201%25"],
    ...["emails=Ada.Lovelace%40example.com", "emails=ada.lovelace%40example.com"],
    ...records.map((record: Json) => `emails=${at(record.subscriber.email ?? "x")}`),
    ...records.map((record: Json) => `transactionId=${at(record.transactionId)}`),
    ...["txn_1", "txn_3"].map((id) => `transactionId=${id}`),
    `templates=${newest._templateId ?? "6".repeat(24)}`,
    `topicKey=${at(topic ?? "project:x")}`,
    ...[`after=${at(String(newest.createdAt ?? time))}`, `after=${at(time)}`, `before=${at(time)}`],
    ...[
      `after=${local(time, 5.5, "+05:30")}`,
      `after=${local(time, -8, "-08:00")}`,
      `before=${local(time, 5.5, "+05:30")}`,
    ],
    ...[`before=${local(time, -8, "-08:00")}`, `before=${at(new Date(Date.now() + 86_400_000).toISOString())}`],
    `after=${at(new Date(Date.parse(time) - 20 * 3_600_000).toISOString())}&before=${at(time)}&channels=email`,
    // A form with fields that are empty
    ...FIELDS.map((name) => `${name}=`),
    FIELDS.map((name) => `${name}=`).join("&"),
    `emails=&emails=${at("Ada.Lovelace@example.com")}`,
    `subscriberIds=&subscriberIds=${SUBSCRIBER}`,
    // A search box, while somebody types
    ...SEARCHED.map((text) => `search=${at(text)}`),
  ];
  for (const query of queries) await list(query);
}

const SEARCHED = [
  ...["a", "ad", "ada", "ada ", " ada", "ADA", "Ada", "grac", "g+hopper", "zoe_k", "lin@corp", "LIN@CORP", "no-mail"],
  ...["EXAMPLE.ORG", "example.org", "chen.lin", "😀", "nobody"],
];
const CHANNELS = ["email", "sms", "in_app", "chat", "push"];
const FIELDS = "channels templates emails subscriberIds search transactionId topicKey after before page".split(" ");
const NOW = "2026-06-30T00:00:00Z";

const WRONG_QUERIES = [
  ...["limit=51", "limit=0", "limit=", "limit=ten", "limit=10.5", "limit=10px", "limit=%205", "limit=1.0", "limit=NaN"],
  ...["page=-1", "page=undefined", "page=true", "page=1,000", "page=%D9%A2", "page=null"], // toLocaleString
  ...["limit=5&limit=6", "page=0&page=1", "search=a&search=b", "transactionId=a&transactionId=b"],
  ...["topicKey=a&topicKey=b", `after=${NOW}&after=${NOW}`, `before=${NOW}&before=${NOW}`],
  ...["chanels=email", "channels[]=email", "channels%5B0%5D=email", "channels=fax", "templates=x", "subscriberId=ada"],
  ...["after=yesterday", "after=2026-06-31T00:00:00Z", "after=2026-01-01", "before=2026-06-30T24:00:00Z"],
  ...["after=1782777600000", "after=1990-01-01T00:00:00Z", `after=2026-07-01T00:00:00Z&before=${NOW}`],
];

const JSON_TYPE = { "content-type": "application/json" };
const PATCH = { method: "PATCH", body: '{"channels":{}}', headers: JSON_TYPE };
const WRONG_REQUESTS: [path: string, init?: RequestInit][] = [
  ["/v1/notifications", { method: "POST" }],
  ["/v1/notifications", { method: "HEAD" }],
  ["/v1/notifications/"],
  ["//v1/notifications"],
  ["/V1/Notifications"],
  [`/v2/subscribers/${SUBSCRIBER}/preferences/`, PATCH],
  [`/v2/subscribers/${SUBSCRIBER}/preferences`, { ...PATCH, method: "PUT" }],
  ["/v1/notifications?limit=5", { headers: { accept: "text/html" } }], // a link
  ["/v1/notifications", { headers: { authorization: "" } }],
  ["/v1/notifications", { headers: { authorization: "Bearer a-token-of-somebody" } }],
  ["/v1/notifications", { headers: { authorization: "ApiKey key-of-another-stage" } }],
];

const WRONG_BODIES = [
  ...[{ channels: { emial: true } }, { channels: { email: "yes" } }, { channels: { email: null } }],
  ...[{ channels: {}, workflowId: "" }, { channels: {}, workflowId: null }, {}, [], "{", ""],
];
