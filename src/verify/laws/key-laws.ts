// The API key: where it is read, how strictly, what comes before what, and what another key sees. Document §5.
import type { Ask } from "../ask.js";
import { type Case, toCases } from "../case.js";
import { expectSame, expectStatus, Mismatch, NotApplicable } from "../check.js";
import { openNotificationList } from "../notification-list.js";
import { updateOf } from "../preferences.js";
import { swapCase } from "../redact.js";
import type { Capability } from "../target.js";
import type { World } from "../world.js";

const SECRET = "not-a-key-7f3a9c";

type Row = [title: string, cites: string[], ask: (world: World) => Omit<Ask, "operation">, needs?: Capability[]];

/** Each without a key where the contract wants it; whatever else is wrong with the request is not looked at. */
const ROWS: readonly Row[] = [
  ["missing", ["§4", "§5.1"], () => ({ headers: { authorization: null } })],
  ["empty", ["§5.2"], () => ({ headers: { authorization: "" } })],
  ["the scheme alone", ["§5.2"], () => ({ headers: { authorization: "ApiKey" } })],
  ["the key alone", ["§5.2"], ({ target }) => ({ headers: { authorization: target.apiKey } })],
  ["Bearer", ["§5.2", "D-45"], ({ target }) => ({ headers: { authorization: `Bearer ${target.apiKey}` } })],
  ["Basic", ["§5.2"], ({ target }) => ({ headers: { authorization: `Basic ${btoa(`x:${target.apiKey}`)}` } })],
  [
    "apikey in lower case",
    ["§5.2", "D-45"],
    ({ target }) => ({ headers: { authorization: `apikey ${target.apiKey}` } }),
  ],
  ["without a blank", ["§5.2"], ({ target }) => ({ headers: { authorization: `ApiKey${target.apiKey}` } })],
  ["unknown", ["§5.1", "D-45"], () => ({ headers: { authorization: `ApiKey ${SECRET}` } }), ["checks-key"]],
  [
    "the key and more",
    ["§5.1"],
    ({ target }) => ({ headers: { authorization: `ApiKey ${target.apiKey}x` } }),
    ["checks-key"],
  ],
  [
    "the key in capitals",
    ["§5.1"],
    ({ target }) => ({ headers: { authorization: `ApiKey ${toAlmost(target.apiKey)}` } }),
    ["checks-key"],
  ],
  ["in x-api-key", ["§5.3"], ({ target }) => ({ headers: { authorization: null, "x-api-key": target.apiKey } })],
  [
    "in a cookie",
    ["§5.3"],
    ({ target }) => ({ headers: { authorization: null, cookie: `authorization=ApiKey ${target.apiKey}` } }),
  ],
  ...["authorization", "apiKey", "api_key"].map(
    (name): Row => [
      `in the query as ${name}`,
      ["§5.3"],
      () => ({ headers: { authorization: null }, query: { [name]: SECRET } }),
    ],
  ),
  [
    "in the query, the true one",
    ["§5.3"],
    ({ target }) => ({
      headers: { authorization: null },
      rawQuery: `authorization=ApiKey%20${encodeURIComponent(target.apiKey)}`,
    }),
  ],
  ["missing, before a bad query", ["D-47"], () => ({ headers: { authorization: null }, query: { limit: 0 } })],
  ["missing, before a body that is not JSON", ["D-47"], () => ({ headers: { authorization: null }, rawBody: "{" })],
  [
    "missing, before a wrong media type",
    ["D-47"],
    () => ({ headers: { authorization: null, "content-type": "text/plain" }, rawBody: "x" }),
  ],
  ["missing, before a wrong method", ["D-47"], () => ({ headers: { authorization: null }, method: "DELETE" })],
];

export function createKeyLaws(): Case[] {
  const keys = (["updatePreferences", "listNotifications"] as const).flatMap((id) =>
    ROWS.map(
      ([title, cites, ask, needs = []]): Case => ({
        id: `${id} › key › ${title}`,
        cites,
        needs,
        covers: { operation: id, place: "header.authorization", keyword: "security", status: 401 },
        async run(world) {
          const operation = world.operation(id);
          const own = operation.hasBody ? { body: { channels: {} } } : {};
          const answer = await world.send({ operation, ...own, ...ask(world) });
          if (answer.text.includes(SECRET) && !answer.request.path.includes(SECRET)) {
            throw new Mismatch("body", "nothing of what was sent", "the key that was sent", answer.request, ["D-45"]);
          }
          expectStatus(answer, 401);
        },
      }),
    ),
  );
  return [...keys, ...toCases("keys", WORLDS, { changes: true })];
}

const WORLDS = [
  {
    title: "without one, a path that is not there says nothing",
    cites: ["D-47"],
    run: async (world: World) =>
      expectStatus(
        await world.send({
          operation: world.operation("listNotifications"),
          url: "/v1/nothing-here",
          headers: { authorization: null },
        }),
        401,
      ),
  },
  {
    title: "another key sees another list",
    cites: ["§5.1", "D-46"],
    needs: ["listing" as const],
    async run(world: World) {
      const headers = toOtherKey(world);
      const { records } = await world.snapshot();
      const { data, answer } = await openNotificationList(world).page({ limit: 50 }, headers);
      const own = new Set(records.map(({ _environmentId }) => _environmentId));
      const strange = data.filter(({ _environmentId }) => own.has(_environmentId)).map(({ _id }) => _id);
      expectSame("records of the first key's environment", [], strange, answer.request);
    },
  },
  {
    title: "an update under one is not seen under another",
    cites: ["§5.1", "D-46"],
    needs: ["stateful" as const],
    async run(world: World) {
      const headers = toOtherKey(world);
      const { send, read } = updateOf(world);
      const other = async () =>
        (await send({ channels: {} }, { headers })).text.replaceAll(/"(timestamp|errorId)":"[^"]*"/g, "");
      const before = await other();
      const { global } = await read();
      for (const email of [!global.channels.email, global.channels.email === true]) await send({ channels: { email } });
      await send({ channels: { email: !global.channels.email } });
      expectSame("preferences under the other key", before, await other());
    },
  },
  {
    title: "an idempotency key counts for one of them",
    cites: ["D-58"],
    needs: ["idempotent" as const, "stateful" as const],
    async run(world: World) {
      const key = { "idempotency-key": crypto.randomUUID() };
      const headers = { ...toOtherKey(world), ...key };
      const { send } = updateOf(world);
      expectStatus(await send({ channels: {} }, { headers: key }), 200);
      const answer = await send({ channels: { email: true } }, { headers });
      expectStatus(answer, 200, 404);
      expectSame("header.idempotency-replay", undefined, answer.headers["idempotency-replay"], answer.request);
    },
  },
];

function toOtherKey({ target }: World): Record<string, string> {
  if (target.otherApiKey === undefined) throw new NotApplicable("--other-api-key is not given");
  return { authorization: `ApiKey ${target.otherApiKey}` };
}

/** Another key, however it is compared carelessly. */
function toAlmost(key: string): string {
  const swapped = swapCase(key);
  return swapped === key ? `${key}-` : swapped;
}
