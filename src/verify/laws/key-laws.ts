// Laws of the API key: where it is read, how strictly, its precedence, and the isolation of environments. Document §5.

import { type Case, law, toCases } from "../case.js";
import { expectSame, expectStatus, NotApplicable } from "../expectation.js";
import { openNotificationList } from "../notification-list.js";
import { updateOf } from "../preferences.js";
import type { Capability } from "../target.js";
import type { TestContext } from "../test-context.js";
import type { TestRequest } from "../test-request.js";

const SECRET = "not-a-key-7f3a9c";

type ToRequest = (apiKey: string) => Omit<TestRequest, "operation">;
type Row = [title: string, cites: string[], toRequest: ToRequest, capability?: Capability];

const withHeader =
  (toValue: (apiKey: string) => string): ToRequest =>
  (apiKey) => ({ headers: { authorization: toValue(apiKey) } });
const withoutHeader =
  (request: Omit<TestRequest, "operation"> = {}): ToRequest =>
  () => ({ ...request, headers: { ...request.headers, authorization: null } });

/** None has a valid key where the contract requires it; other errors of the request do not matter. */
const ROWS: readonly Row[] = [
  ["missing", ["§4", "§5.1"], withoutHeader()],
  ["empty", ["§5.2"], withHeader(() => "")],
  ["the scheme alone", ["§5.2"], withHeader(() => "ApiKey")],
  ["the key alone", ["§5.2"], withHeader((key) => key)],
  ["Bearer", ["§5.2", "D-45"], withHeader((key) => `Bearer ${key}`)],
  ["Basic", ["§5.2"], withHeader((key) => `Basic ${btoa(`x:${key}`)}`)],
  ["apikey in lower case", ["§5.2", "D-45"], withHeader((key) => `apikey ${key}`)],
  ["without a blank", ["§5.2"], withHeader((key) => `ApiKey${key}`)],
  ["unknown", ["§5.1", "D-45"], withHeader(() => `ApiKey ${SECRET}`), "checks-key"],
  ["the key and more", ["§5.1"], withHeader((key) => `ApiKey ${key}x`), "checks-key"],
  ["the key without its end", ["§5.1"], withHeader((key) => `ApiKey ${key.slice(0, -1)}`), "checks-key"],
  ["half of the key", ["§5.1"], withHeader((key) => `ApiKey ${key.slice(0, key.length / 2)}`), "checks-key"],
  [
    "the key with another end",
    ["§5.1"],
    withHeader((key) => `ApiKey ${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`),
    "checks-key",
  ],
  [
    "the key, encoded",
    ["§5.1"],
    withHeader((key) => `ApiKey %${key.charCodeAt(0).toString(16)}${key.slice(1)}`),
    "checks-key",
  ],
  ...["constructor", "__proto__", "toString", "*", "%", "undefined", "null", "' OR '1'='1"].map(
    (text): Row => [`${text} as the key`, ["§5.1"], withHeader(() => `ApiKey ${text}`), "checks-key"],
  ),
  ["the key in another case", ["§5.1"], withHeader((key) => `ApiKey ${toOtherCase(key)}`), "checks-key"],
  ["in x-api-key", ["§5.3"], (key) => withoutHeader({ headers: { "x-api-key": key } })(key)],
  ["in a cookie", ["§5.3"], (key) => withoutHeader({ headers: { cookie: `authorization=ApiKey ${key}` } })(key)],
  ...["authorization", "apiKey", "api_key"].map(
    (name): Row => [`in the query as ${name}`, ["§5.3"], withoutHeader({ query: { [name]: SECRET } })],
  ),
  [
    "the valid key in the query",
    ["§5.3"],
    (key) => withoutHeader({ rawQuery: `authorization=ApiKey%20${encodeURIComponent(key)}` })(key),
  ],
  ["missing, before an invalid query", ["D-47"], withoutHeader({ query: { limit: 0 } })],
  ["missing, before a body that is not JSON", ["D-47"], withoutHeader({ rawBody: "{" })],
  [
    "missing, before a wrong media type",
    ["D-47"],
    withoutHeader({ headers: { "content-type": "text/plain" }, rawBody: "x" }),
  ],
  ["missing, before a wrong method", ["D-47"], withoutHeader({ method: "DELETE" })],
];

export function createKeyLaws(): Case[] {
  const keys = (["updatePreferences", "listNotifications"] as const).flatMap((id) =>
    ROWS.map(
      ([title, cites, toRequest, capability]): Case => ({
        id: `${id} › key › ${title}`,
        cites,
        needs: capability ? [capability] : [],
        covers: { operation: id, place: "header.authorization", keyword: "security", status: 401 },
        async run(context) {
          const operation = context.operation(id);
          const own = operation.hasBody ? { body: { channels: {} } } : {};
          expectStatus(await context.send({ operation, ...own, ...toRequest(context.target.apiKey) }), 401);
        },
      }),
    ),
  );
  return [...keys, ...toCases("keys", ISOLATION, { changes: true })];
}

const ISOLATION = [
  law("without a key, an unknown path is 401", ["D-47"], async (context: TestContext) =>
    expectStatus(
      await context.send({
        operation: context.operation("listNotifications"),
        url: "/v1/nothing-here",
        headers: { authorization: null },
      }),
      401,
    ),
  ),
  {
    ...law("another key lists other notifications", ["§5.1", "D-46"], async (context: TestContext) => {
      const headers = toOtherKey(context);
      const { records } = await context.snapshot();
      const { data, response } = await openNotificationList(context).page({ limit: 50 }, headers);
      const own = new Set(records.map(({ _environmentId }) => _environmentId));
      const leaked = data.filter(({ _environmentId }) => own.has(_environmentId)).map(({ _id }) => _id);
      expectSame("records of the first key's environment", [], leaked, response.request);
    }),
    needs: ["listing" as const],
  },
  {
    ...law("an update with one key is not visible with another", ["§5.1", "D-46"], async (context: TestContext) => {
      const headers = toOtherKey(context);
      const { send, read } = updateOf(context);
      const other = async () =>
        (await send({ channels: {} }, { headers })).text.replaceAll(/"(timestamp|errorId)":"[^"]*"/g, "");
      const before = await other();
      const { global } = await read();
      for (const email of [!global.channels.email, global.channels.email === true]) await send({ channels: { email } });
      await send({ channels: { email: !global.channels.email } });
      expectSame("preferences with the other key", before, await other());
    }),
    needs: ["stateful" as const],
  },
  {
    ...law("an idempotency key belongs to one API key", ["D-58"], async (context: TestContext) => {
      const key = { "idempotency-key": crypto.randomUUID() };
      const headers = { ...toOtherKey(context), ...key };
      const { send } = updateOf(context);
      expectStatus(await send({ channels: {} }, { headers: key }), 200);
      const response = expectStatus(await send({ channels: { email: true } }, { headers }), 200, 404);
      expectSame("header.idempotency-replay", undefined, response.headers["idempotency-replay"], response.request);
    }),
    needs: ["idempotent" as const, "stateful" as const],
  },
];

function toOtherKey({ target }: TestContext): Record<string, string> {
  if (target.otherApiKey === undefined) throw new NotApplicable("--other-api-key is not given");
  return { authorization: `ApiKey ${target.otherApiKey}` };
}

/** Another key, unless case is ignored. */
function toOtherCase(key: string): string {
  const swapped = key.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return swapped === key ? `${key}-` : swapped;
}
