// Laws of the API key: where it is read, how strictly, its precedence, and the isolation of environments. Document §5.
import type { Contract } from "../../../contract/contract.js";
import type { Notification, Preferences } from "../../../contract/contract-types.js";
import { findKeys, isOpen } from "../../../core/request/authenticate.js";
import { KNOWN_OPERATIONS, knownNameOf } from "../../model/operations.js";
import { formatSlugEnd, setAll } from "../../model/preferences.js";
import { type Case, createCases, law, STORED } from "../case.js";
import { basicOf, type Capability, NEAR_KEYS, nearKeysOf } from "../declared-target.js";
import { assume, expectIds, expectSame, expectStatus, idsOf, NotApplicable } from "../expectation.js";
import { createFilters, expectFiltered } from "../filter-model.js";
import { PAGE_SIZE, type TestContext } from "../test-context.js";
import { operationOf, type TestRequest, toSpec, validRequest, validStatusesOf } from "../test-request.js";
import { LARGE, TEXT_TYPE, UNDECODABLE } from "./error-laws.js";
import { expectSequence } from "./preference-laws.js";

const WRONG_KEY = crypto.randomUUID(); // random, so that it resembles no key that reports redact
const NAMES = ["constructor", "__proto__", "toString", "*", "%", "undefined", "null", "' OR '1'='1"];

/** @throws NotApplicable for a key that is too short to change. */
function nearKey(key: string, title: string): string {
  const [, text] = nearKeysOf(key).find(([name]) => name === title) ?? [];
  assume(text !== undefined, "the key is too short, or has no letters");
  return text;
}

type Row = [title: string, cites: string[], toRequest: (key: string) => TestRequest, ...needs: Capability[]];

const withHeader = (authorization: string | null, more: TestRequest = {}): TestRequest => ({
  ...more,
  headers: { ...more.headers, authorization },
});
const without = (more: TestRequest) => withHeader(null, more);
const withKey = (key: string) => withHeader(`ApiKey ${key}`);

/** None has a valid key where the contract reads it, which comes before any other error of the request. */
const ROWS: readonly Row[] = [
  ["missing", ["§4", "§5.1", "D-45.2"], () => without({})],
  ["empty", ["§5.2"], () => withHeader("")],
  ["the scheme alone", ["§5.2"], () => withHeader("ApiKey")],
  ["the key alone", ["§5.2"], (key) => withHeader(key)],
  ["Bearer", ["§5.2", "D-45.1"], (key) => withHeader(`Bearer ${key}`)],
  ["Basic", ["§5.2"], (key) => withHeader(`Basic ${basicOf(key)}`)],
  ["apikey in lower case", ["§5.2", "D-45.1"], (key) => withHeader(`apikey ${key}`)],
  ["without a blank", ["§5.2"], (key) => withHeader(`ApiKey${key}`)],
  ["unknown", ["§5.1", "D-45.2", "D-45.3"], () => withKey(WRONG_KEY), "checks-key"],
  ["the key and more", ["§5.1"], (key) => withKey(`${key}x`), "checks-key"],
  ["the key and another word", ["§5.2", "D-45.1"], (key) => withKey(`${key} x`), "checks-key"],
  ...NAMES.map((text): Row => [`${text} as the key`, ["§5.1"], () => withKey(text), "checks-key"]),
  ["in x-api-key", ["§5.3"], (key) => without({ headers: { "x-api-key": key } })],
  ["in a cookie", ["§5.3"], (key) => without({ headers: { cookie: `authorization=ApiKey ${key}` } })],
  ["the valid key in the query", ["§5.3"], (key) => without({ query: { authorization: `ApiKey ${key}` } })],
  ...["api_key", "apiKey", "apikey", "key", "access_token", "token", "x-api-key"].map(
    (name): Row => [`the valid key in the query as ${name}`, ["§5.3"], (key) => without({ query: { [name]: key } })],
  ),
  ...["apikey", "api-key", "x-authorization"].map(
    (name): Row => [`in the header ${name}`, ["§5.3"], (key) => without({ headers: { [name]: `ApiKey ${key}` } })],
  ),
  ["after a tab", ["§5.2", "D-45.1"], (key) => withHeader(`ApiKey\t${key}`)],
  ["after a comma", ["§5.2", "D-45.1"], (key) => withHeader(`ApiKey, ${key}`)],
  ["after another scheme", ["§5.2", "D-45.1"], (key) => withHeader(`Bearer x, ApiKey ${key}`)],
  ["in quotes", ["§5.2", "D-45.1"], (key) => withKey(`"${key}"`), "checks-key"],
  ...Object.keys(NEAR_KEYS).map(
    (title): Row => [title, ["§5.1", "D-45.1"], (key) => withKey(nearKey(key, title)), "checks-key"],
  ),
  ["missing, before a path that cannot be decoded", ["D-47.1", "D-50.1"], () => without({ url: UNDECODABLE })],
  ["missing, before a query that cannot be decoded", ["D-47.1", "D-50.1"], () => without({ rawQuery: "x=%ZZ" })],
  ["missing, before a body that is too large", ["D-47.1"], () => without({ rawBody: LARGE })],
  ["missing, before an unknown path", ["D-47.1"], () => without({ url: "/v2/nothing-here" })],
  ["missing, before an invalid query", ["D-47"], () => without({ query: { limit: 0 } })],
  ["missing, before a body that is not JSON", ["D-47"], () => without({ rawBody: "{" })],
  ["missing, before a wrong media type", ["D-47"], () => without({ headers: TEXT_TYPE, rawBody: "x" })],
  ["missing, before a wrong method", ["D-47"], () => without({ method: "DELETE" })],
  ["missing, by HEAD", ["§5.1", "D-65.1"], () => without({ method: "HEAD" })],
];

/** One operation is asked for all spellings, the other for those that show whether it reads the key at all. */
const SAMPLES = ["missing", "unknown"];

/** No other case requests this URL, so that its first response is the 401. */
const FIRST_WITHOUT = { limit: 41 };

const OF_KEY = { topic: "key", about: { place: "header.authorization" } };

const AFTER_REJECTION = createCases({ operation: "listNotifications", ...OF_KEY }, [
  law("missing, then valid at the same URL", ["§5.1"], async ({ contract, list }) => {
    assume(!isOpen(operationOf(contract, "listNotifications")), "the operation needs no key");
    expectStatus(await list(FIRST_WITHOUT, without({})), 401);
    expectStatus(await list(FIRST_WITHOUT), 200);
  }),
]);

const REJECTIONS = KNOWN_OPERATIONS.flatMap((operation) =>
  createCases(
    { operation, ...OF_KEY },
    ROWS.filter(([title]) => operation === "listNotifications" || SAMPLES.includes(title)).map(
      ([title, cites, toRequest, ...needs]) => ({
        title,
        cites,
        needs,
        async run({ contract, target, send }) {
          const tested = operationOf(contract, operation);
          assume(!isOpen(tested), "the operation needs no key");
          const request = validRequest(contract, tested);
          const tried = toSpec({ ...request, ...toRequest(target.apiKey) }, contract, target);
          const isDeclared = findKeys(tested.security, tried).includes(target.apiKey ?? "");
          assume(!isDeclared, "the contract has the key there");
          expectStatus(await send({ ...request, ...toRequest(target.apiKey) }), 401);
        },
      }),
    ),
  ),
);

export const KEY_LAWS = [...REJECTIONS, ...AFTER_REJECTION];

/** Cases for operations that the document does not know, and for those that need no key. */
export function createKeyCases({ operations }: Contract): Case[] {
  const tested = operations.filter((operation) => isOpen(operation) || !knownNameOf(operation));
  return tested.map((operation): Case => {
    const isFree = isOpen(operation);
    const statuses = isFree ? validStatusesOf(operation) : [401];
    return {
      id: `${operation.id} › key › ${isFree ? "none is needed" : "missing"}`,
      cites: ["§5.1"],
      changes: operation.method !== "get",
      async run({ contract, send }) {
        assume(isFree || operation.responses.some(({ key }) => key === "401"), "the contract declares no 401 of it");
        expectStatus(await send(without(validRequest(contract, operation))), ...statuses);
      },
    };
  });
}

export const ISOLATION_LAWS = createCases({ topic: "keys", changes: true, assumes: STORED.assumes }, [
  // Compares ids: a server that mixes environments may give each record the key's own _environmentId.
  law("records of one key are in no list of another", ["§5.1", "D-11.1", "D-46.1", "D-46.2"], async (context) => {
    context.require("listing");
    for (const { foreign, local, key } of await createSides(context)) {
      const ids = new Set(foreign.map(({ _id }) => _id).filter((id) => id !== undefined));
      const environments = new Set(foreign.map(({ _environmentId }) => _environmentId));
      const shared = local.find(({ _environmentId }) => environments.has(_environmentId));
      expectSame("body.data.0._environmentId", undefined, shared?._environmentId);
      for (const query of [{}, ...createFilters(context, foreign, local)]) {
        const { data } = await context.page({ ...query, limit: PAGE_SIZE }, key);
        expectIds("records of another key's environment", {
          expected: [],
          actual: idsOf(data.filter(({ _id = "" }) => ids.has(_id))),
        });
      }
    }
  }),
  law("filters with the second key › return what the reference model returns", ["§4.2", "D-46.1"], async (context) => {
    context.require("listing");
    const second = context.withKey(await withForeignKey(context));
    const [{ records }, ofSecond] = [await context.snapshot(), await second.snapshot()];
    for (const query of [
      ...createFilters(context, ofSecond.records),
      ...createFilters(context, records, ofSecond.records),
    ])
      await expectFiltered(second, query);
    for (const limit of [1, 7]) {
      const { data, hasMore } = await second.page({ ...ofSecond.base, limit });
      expectSame("body.data", idsOf(ofSecond.records.slice(0, limit)), idsOf(data));
      expectSame("body.hasMore", ofSecond.records.length > limit, hasMore);
    }
  }),
  law("updates with the second key › are stored, on the level that they name", ["§4.1", "D-46.1"], async (context) => {
    context.require("stateful");
    const second = context.withKey(withOtherKey(context));
    const subscriberId = await findSubscriberOf(second);
    const start = await second.read(subscriberId);
    const [workflow] = start.workflows;
    const channels = setAll(start.global.channels, false);
    const ofWorkflow = workflow ? [{ channels: setAll(channels, true), workflowId: workflow.workflow.identifier }] : [];
    await expectSequence(second, [{ channels }, ...ofWorkflow, { channels: { email: true } }], subscriberId);
  }),
  // A server may cache responses by their URL, so both keys request one, in both orders.
  law("one URL with two keys, also at once › each gets its own records", ["§5.1", "D-46.2"], async (context) => {
    context.require("listing");
    const { records } = await context.snapshot();
    assume(!records.some(({ _id }) => _id === undefined), "records show no _id");
    const firstIds = new Set(idsOf(records));
    const other = await withForeignKey(context);
    const expectRecords = async (limit: number, key: TestRequest) => {
      const ids = idsOf((await context.page({ limit }, key)).data);
      const expected = key === other ? ids.filter((id) => !firstIds.has(id)) : idsOf(records.slice(0, limit));
      expectSame("body.data", expected, ids);
    };
    for (const [limit, order] of [
      [31, [{}, other, {}]],
      [37, [other, {}, other]],
    ] as const)
      for (const key of order) await expectRecords(limit, key);
    const atOnce = Array.from({ length: 12 }, (_, index) => expectRecords(1 + index, index % 2 === 0 ? {} : other));
    await Promise.all(atOnce);
  }),
  law("workflows of one key do not exist for another", ["§5.1", "D-46.2"], async (context) => {
    context.require("listing", "stateful");
    for (const { foreign, local, key } of await createSides(context)) {
      const known = new Set(local.map(({ _templateId }) => _templateId));
      for (const id of new Set(foreign.map(({ _templateId }) => _templateId)))
        if (id !== undefined && !known.has(id))
          for (const workflowId of [id, `name${formatSlugEnd(id)}`])
            expectStatus(await context.update({ channels: {}, workflowId }, key), 404);
    }
  }),
  law("subscribers of one key are not those of another", ["§5.1", "D-46.2"], async (context) => {
    context.require("listing", "stateful");
    const toIds = (records: readonly Notification[]) =>
      records.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []);
    for (const { foreign, local, key, foreignKey } of await createSides(context)) {
      const known = new Set(toIds(local));
      for (const subscriberId of [...new Set(toIds(foreign))].filter((id) => !known.has(id)).slice(0, 3)) {
        const send = (withKey: TestRequest, channels = {}) =>
          context.update({ channels }, { ...withKey, path: { subscriberId } });
        const before = expectStatus(await send(key), 200, 404);
        if (before.status === 404) continue;
        const { global } = expectStatus(await send(foreignKey), 200).body as Preferences; // it conforms
        expectStatus(await send(foreignKey, { email: !global.channels.email }), 200);
        expectSame(`preferences of ${subscriberId} with another key`, before.body, (await send(key)).body);
      }
    }
  }),
  law("an update with one key is not visible with another", ["§5.1", "D-46.2"], async (context) => {
    context.require("stateful");
    const { update, read } = context;
    const readOther = async () => {
      const { status, body } = await update({ channels: {} }, withOtherKey(context));
      return status === 200 ? body : status;
    };
    const before = await readOther();
    const { email } = (await read()).global.channels;
    for (const value of [!email, email === true, !email]) await update({ channels: { email: value } });
    expectSame("preferences with the other key", before, await readOther());
  }),
  law("an idempotency key belongs to one API key", ["D-58.1"], async (context) => {
    context.require("idempotent", "stateful");
    const key = { "idempotency-key": crypto.randomUUID() };
    const other = withOtherKey(context, key);
    expectStatus(await context.update({ channels: {} }, { headers: key }), 200);
    const { headers } = expectStatus(await context.update({ channels: { email: true } }, other), 200, 404);
    expectSame("header.idempotency-replay", undefined, headers["idempotency-replay"]);
    for (let round = 0; round < 3; round++) {
      const shared = { "idempotency-key": crypto.randomUUID() };
      const sides = [{ headers: shared }, withOtherKey(context, shared)];
      const responses = await Promise.all(sides.map((side) => context.update({ channels: {} }, side)));
      for (const response of responses) expectStatus(response, 200, 404);
    }
  }),
]);

/** In both directions: the records of one key, and the other key. */
async function createSides(context: TestContext) {
  const { records } = await context.snapshot();
  const other = await withForeignKey(context);
  const { data } = await context.page({ limit: PAGE_SIZE }, other);
  return [
    { foreign: records, local: data, key: other, foreignKey: {} },
    { foreign: data, local: records, key: {}, foreignKey: other },
  ];
}

/** A subscriber of a key's environment. */
async function findSubscriberOf({ target, can, snapshot, update }: TestContext): Promise<string> {
  const records = can("listing") ? (await snapshot()).records : [];
  const listed = records.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []);
  for (const subscriberId of new Set([target.subscriber, ...listed.slice(0, 1)]))
    if ((await update({ channels: {} }, { path: { subscriberId } })).status === 200) return subscriberId;
  throw new NotApplicable("no subscriber of the second key is known");
}

/** A key of an environment with other data: two of the same seed have the same ids. */
async function withForeignKey(context: TestContext): Promise<TestRequest> {
  if (context.temporary) return withKey((await context.temporary.create("empty")).apiKey);
  const other = withOtherKey(context);
  assume(!context.can("demo-seed"), "both environments have the ids of the demo seed");
  return other;
}

function withOtherKey({ target }: TestContext, headers: TestRequest["headers"] = {}): TestRequest {
  assume(target.otherApiKey !== undefined, "needs NC_OTHER_API_KEY (`keys.otherApiKey`)", "keys.otherApiKey");
  return { headers: { ...headers, authorization: `ApiKey ${target.otherApiKey}` } };
}
