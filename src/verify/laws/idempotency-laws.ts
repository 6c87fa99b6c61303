// Laws of idempotency keys: one effect and one response. Document §4, decisions D-57 to D-62.
import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame, expectStatus, NotApplicable } from "../expectation.js";
import { type Updates, updateOf } from "../preferences.js";
import type { TestContext } from "../test-context.js";
import type { TestResponse } from "../test-response.js";

export function createIdempotencyLaws(): Case[] {
  return toCases("updatePreferences › idempotency-key", LAWS, { needs: ["idempotent"], changes: true });
}

const DAY_MS = 86_400_000;
const MARGIN_MS = 600_000; // the clock runs on while requests are under way

const OFF = { channels: { email: false } };
const ON = { channels: { email: true } };

const LAWS: Law[] = [
  law(
    "the same request again › the first response, marked as a replay, and no second effect",
    ["§4", "D-61"],
    async (context) => {
      const { update, read, sendAs } = begin(context);
      const first = await sendAs(OFF);
      expectStatus(first, 200);
      expectHeaders(first, { "idempotency-key": sendAs.key, "idempotency-replay": undefined });
      await update.send(ON);
      const again = await sendAs(OFF);
      expectHeaders(again, { "idempotency-key": sendAs.key, "idempotency-replay": "true" });
      expectSame("body", first.body, again.body, again.request);
      if (!context.target.can.includes("stateful")) return;
      expectSame("global.channels.email after the replay", true, (await read()).global.channels.email);
    },
  ),
  law("without a key › no idempotency headers", ["D-61"], async (context) => {
    const response = await updateOf(context).send({ channels: {} });
    expectHeaders(response, { "idempotency-key": undefined, "idempotency-replay": undefined });
  }),
  law("the same key with another body › 422", ["D-59"], async (context) => {
    const { sendAs } = begin(context);
    const body = { channels: { email: true, sms: true } };
    expectStatus(await sendAs(body), 200);
    for (const other of [
      OFF,
      ON,
      { channels: { sms: true, email: true } },
      { ...body, workflowId: context.target.workflow },
    ]) {
      expectReused(await sendAs(other));
    }
    expectHeaders(await sendAs(body), { "idempotency-replay": "true" });
  }),
  law("the same key on another path › 422", ["D-59"], async (context) => {
    const { sendAs } = begin(context);
    expectStatus(await sendAs({ channels: {} }), 200);
    expectReused(await sendAs({ channels: {} }, { path: { subscriberId: context.target.otherSubscriber } }));
  }),
  law("white space in the body does not count", ["D-59"], async (context) => {
    const { sendAs } = begin(context);
    expectStatus(await sendAs(OFF), 200);
    const response = await sendAs(undefined, { rawBody: JSON.stringify(OFF, null, 2) });
    expectStatus(response, 200);
    expectHeaders(response, { "idempotency-replay": "true" });
  }),
  {
    ...law("a rejection by the operation is recorded too", ["D-61"], async (context) => {
      const { criticalWorkflow } = context.target;
      const critical = criticalWorkflow === undefined ? [] : [[criticalWorkflow, 400] as const];
      for (const [workflowId, status] of [["no-such-workflow-7f3a9c", 404] as const, ...critical]) {
        const { sendAs } = begin(context);
        const first = await sendAs({ channels: {}, workflowId });
        expectStatus(first, status);
        const again = await sendAs({ channels: {}, workflowId });
        expectStatus(again, status);
        expectHeaders(again, { "idempotency-key": sendAs.key, "idempotency-replay": "true" });
        expectSame("body", first.body, again.body, again.request);
      }
    }),
    needs: ["stateful"],
  },
  law("what never reached the operation is not recorded", ["D-61"], async (context) => {
    const { sendAs } = begin(context);
    expectStatus(await sendAs({ channels: { email: 1 } }), 422);
    expectStatus(await sendAs(OFF, { headers: { authorization: null } }), 401);
    expectStatus(await sendAs(undefined, { rawBody: "{" }), 400);
    const response = await sendAs(OFF);
    expectStatus(response, 200);
    expectHeaders(response, { "idempotency-replay": undefined });
  }),
  law("an empty key means none", ["D-62"], async (context) => {
    const { send } = updateOf(context);
    for (const body of [OFF, ON, OFF]) {
      const response = await send(body, { headers: { "idempotency-key": "" } });
      expectStatus(response, 200);
      expectHeaders(response, { "idempotency-key": undefined, "idempotency-replay": undefined });
    }
  }),
  law("keys are compared in full, as they stand", ["D-58", "D-61"], async (context) => {
    const { send } = updateOf(context);
    for (const [one, other] of toSimilarKeys()) {
      context.restart();
      for (const [key, body] of [
        [one, OFF],
        [other, ON],
      ] as const) {
        const response = await send(body, { headers: { "idempotency-key": key } });
        expectStatus(response, 200);
        expectHeaders(response, { "idempotency-key": key, "idempotency-replay": undefined });
      }
    }
  }),
  law("a repeated header is one key, joined with a comma", ["D-62"], async (context) => {
    const { send } = updateOf(context);
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const as = (key: string, body: unknown) => send(body, { headers: { "idempotency-key": key } });
    expectStatus(await as(`${one}\n${other}`, OFF), 200);
    for (const key of [one, other]) {
      const response = await as(key, ON);
      expectStatus(response, 200);
      expectHeaders(response, { "idempotency-replay": undefined });
    }
    expectHeaders(await as(`${one}, ${other}`, OFF), { "idempotency-replay": "true" });
  }),
  law("any text that a header can hold is a key", ["§4", "D-62"], async (context) => {
    const { send } = updateOf(context);
    const names = `constructor __proto__ toString ' " %00 % * a,b {} \\\\ null 0`.split(" ");
    for (const key of names)
      expectStatus(await send({ channels: {} }, { headers: { "idempotency-key": key } }), 200, 422);
  }),
  law(
    "concurrent requests with one key › one effect; the others get its response or 409",
    ["D-57"],
    async (context) => {
      const { sendAs } = begin(context);
      const canDelay = context.target.can.includes("prefer");
      const more = canDelay ? { headers: { prefer: "delay=500" } } : {};
      const responses = await Promise.all(Array.from({ length: 6 }, () => sendAs(OFF, more)));
      for (const response of responses) expectStatus(response, 200, 409);
      if (canDelay) {
        const isRejected = responses.some(({ status }) => status === 409);
        expectSame("whether any is rejected while another is delayed", true, isRejected, responses[0]?.request);
      }
      const done = responses.filter(({ status }) => status === 200);
      const originals = done.filter(({ headers }) => headers["idempotency-replay"] === undefined);
      expectSame("responses that are not replays", 1, originals.length, responses[0]?.request);
      for (const { body, request } of done) expectSame("body", originals[0]?.body, body, request);
    },
  ),
  law("after 24 hours the key can be used again", ["§8", "D-60"], async (context) => {
    if (!context.createEnvironment) throw new NotApplicable("needs a target with a clock that can be moved");
    const { apiKey, advanceClock } = await context.createEnvironment();
    const { sendAs } = begin(context);
    const replayed = async () => {
      const response = await sendAs(OFF, { headers: { authorization: `ApiKey ${apiKey}` } });
      expectStatus(response, 200);
      return response;
    };
    expectHeaders(await replayed(), { "idempotency-replay": undefined });
    await advanceClock(DAY_MS - MARGIN_MS);
    expectHeaders(await replayed(), { "idempotency-replay": "true" });
    await advanceClock(MARGIN_MS);
    expectHeaders(await replayed(), { "idempotency-replay": undefined });
    expectHeaders(await replayed(), { "idempotency-replay": "true" });
  }),
];

/** Pairs of keys that a server takes for one when it folds, cuts or cleans them. */
function toSimilarKeys(): [string, string][] {
  const forms: ((unique: string) => [string, string])[] = [
    (key) => [key, key.toUpperCase()],
    (key) => [`${key}1`, key],
    (key) => [`${key.padEnd(254, "x")}1`, `${key.padEnd(254, "x")}2`],
    (key) => [`${key}.a`, `${key}_a`],
    (key) => [`${key}a b`, `${key}ab`],
    (key) => [`${key}%41`, `${key}A`],
    (key) => [`${key}-07`, `${key}-7`],
    (key) => [`"${key}"`, key],
  ];
  return forms.map((toPair) => toPair(`k-${crypto.randomUUID()}`));
}

interface SendAs {
  (body: unknown, more?: Parameters<Updates["send"]>[1]): Promise<TestResponse>;
  key: string;
}

/** Sends with one fresh key: another run with the same seed must not get recorded responses. */
function begin(context: TestContext) {
  const update = updateOf(context);
  const key = crypto.randomUUID();
  const send: Omit<SendAs, "key"> = (body: unknown, more: Parameters<Updates["send"]>[1] = {}) =>
    update.send(body, { ...more, headers: { ...more.headers, "idempotency-key": key } });
  return { update, read: update.read, sendAs: Object.assign(send, { key }) as SendAs };
}

function expectHeaders({ headers, request }: TestResponse, wanted: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(wanted)) expectSame(`header.${name}`, value, headers[name], request);
}

function expectReused(response: TestResponse): void {
  expectStatus(response, 422);
  const { errors } = response.body as { errors: Record<string, unknown> };
  expectSame("body.errors", ["header.idempotency-key"], Object.keys(errors), response.request);
}
