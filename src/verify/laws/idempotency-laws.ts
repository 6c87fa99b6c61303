// Laws of idempotency keys: one effect and one response. Document §4, decisions D-57 to D-62.
import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame, expectStatus, NotApplicable } from "../expectation.js";
import { type Updates, updateOf } from "../preferences.js";
import type { TestContext } from "../test-context.js";
import type { TestResponse } from "../test-response.js";

export function createIdempotencyLaws(): Case[] {
  return toKeyCases(LAWS);
}

function toKeyCases(laws: Law[]): Case[] {
  return toCases("updatePreferences › idempotency-key", laws, { needs: ["idempotent"], changes: true });
}

const DAY_MS = 86_400_000;
const MARGIN_MS = 600_000; // the clock runs on while requests are under way

const ROUNDS = 4; // a target that cannot be delayed may happen to handle one request after the other

const OFF = { channels: { email: false } };
const ON = { channels: { email: true } };

const LAWS: Law[] = [
  law(
    "the same request again › the first response, marked as a replay, and no second effect",
    ["§4", "D-61"],
    async (context) => {
      const { first, replay } = useKey(context);
      const { send, read } = updateOf(context);
      const original = await first(OFF);
      await send(ON);
      const again = await replay(OFF);
      expectSame("body", original.body, again.body, again.request);
      if (!context.target.can.includes("stateful")) return;
      expectSame("global.channels.email after the replay", true, (await read()).global.channels.email);
    },
  ),
  law("without a key › no idempotency headers", ["D-61"], async (context) => {
    expectHeaders(await updateOf(context).send({ channels: {} }), undefined, undefined);
  }),
  law("the same key with another body › 422", ["D-59"], async (context) => {
    const { first, replay, send } = useKey(context);
    const body = { channels: { email: true, sms: true } };
    await first(body);
    const swapped = { channels: { sms: true, email: true } };
    for (const other of [OFF, ON, swapped, { ...body, workflowId: context.target.workflow }])
      expectReused(await send(other));
    await replay(body);
  }),
  law("the same key on another path › 422", ["D-59"], async (context) => {
    const { first, send } = useKey(context);
    await first({ channels: {} });
    expectReused(await send({ channels: {} }, { path: { subscriberId: context.target.otherSubscriber } }));
  }),
  law("white space in the body does not count", ["D-59"], async (context) => {
    const { first, replay } = useKey(context);
    await first(OFF);
    await replay(undefined, { rawBody: JSON.stringify(OFF, null, 2) });
  }),
  {
    ...law("a rejection by the operation is recorded too", ["D-61"], async (context) => {
      const { criticalWorkflow } = context.target;
      const critical = criticalWorkflow === undefined ? [] : [[criticalWorkflow, 400] as const];
      for (const [workflowId, status] of [["no-such-workflow-7f3a9c", 404] as const, ...critical]) {
        const { key, send } = useKey(context);
        const first = expectStatus(await send({ channels: {}, workflowId }), status);
        const again = expectStatus(await send({ channels: {}, workflowId }), status);
        expectHeaders(again, key, "true");
        expectSame("body", first.body, again.body, again.request);
      }
    }),
    needs: ["stateful"],
  },
  law("what never reached the operation is not recorded", ["D-61"], async (context) => {
    const { send, first } = useKey(context);
    expectStatus(await send({ channels: { email: 1 } }), 422);
    expectStatus(await send(OFF, { headers: { authorization: null } }), 401);
    expectStatus(await send(undefined, { rawBody: "{" }), 400);
    await first(OFF);
  }),
  law("an empty key means none", ["D-62"], async (context) => {
    const { send } = useKey(context, "");
    for (const body of [OFF, ON, OFF]) expectHeaders(expectStatus(await send(body), 200), undefined, undefined);
  }),
  law("keys are compared in full, as they stand", ["D-58", "D-61"], async (context) => {
    for (const [one, other] of toSimilarKeys()) {
      context.restart();
      await useKey(context, one).first(OFF);
      await useKey(context, other).first(ON);
    }
  }),
  law("a repeated header is one key, joined with a comma", ["D-62"], async (context) => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    expectStatus(await useKey(context, `${one}\n${other}`).send(OFF), 200);
    for (const key of [one, other]) await useKey(context, key).first(ON);
    await useKey(context, `${one}, ${other}`).replay(OFF);
  }),
  law("any text that a header can hold is a key", ["§4", "D-62"], async (context) => {
    const names = `constructor __proto__ toString ' " %00 % * a,b {} \\\\ null 0`.split(" ");
    for (const key of names) expectStatus(await useKey(context, key).send({ channels: {} }), 200, 422);
  }),
  law(
    "concurrent requests with one key › one effect; the others get its response or 409",
    ["D-57"],
    async (context) => {
      const canDelay = context.target.can.includes("prefer");
      const more = canDelay ? { headers: { prefer: "delay=500" } } : {};
      for (let round = 0; round < (canDelay ? 1 : ROUNDS); round += 1) {
        const { send } = useKey(context);
        const responses = await Promise.all(Array.from({ length: 6 }, () => send(OFF, more)));
        for (const response of responses) expectStatus(response, 200, 409);
        const [{ request } = {}] = responses;
        const done = responses.filter(({ status }) => status === 200);
        if (canDelay) expectSame("whether any is rejected while another is delayed", true, done.length < 6, request);
        const originals = done.filter(({ headers }) => headers["idempotency-replay"] === undefined);
        expectSame("responses that are not replays", 1, originals.length, request);
        for (const { body, request } of done) expectSame("body", originals[0]?.body, body, request);
      }
    },
  ),
  law("after 24 hours the key can be used again", ["§8", "D-60"], async (context) => {
    if (!context.createEnvironment) throw new NotApplicable("needs a target with a clock that can be moved");
    const { apiKey, advanceClock } = await context.createEnvironment();
    const { first, replay } = useKey(context);
    const own = { headers: { authorization: `ApiKey ${apiKey}` } };
    await first(OFF, own);
    await advanceClock(DAY_MS - MARGIN_MS);
    await replay(OFF, own);
    await advanceClock(MARGIN_MS);
    await first(OFF, own);
    await replay(OFF, own);
  }),
];

const firsts = new WeakMap<TestContext["target"], { key: string; at: number; original: TestResponse }>();
const LEAST_AGE_MS = 1200;

/** The two ends of a run: a key is used before all other cases, and again after them. */
export function createFirstKeyLaws(): [first: Case[], last: Case[]] {
  const toLaw = (title: string, run: Law["run"]) => toKeyCases([law(title, ["D-60", "D-61"], run)]);
  return [
    toLaw("the first of the run", async (context) => void (await useFirst(context))),
    toLaw("the first of the run, at its end › is replayed still", async (context) => {
      const { key, at, original } = firsts.get(context.target) ?? (await useFirst(context));
      await new Promise((resolve) => setTimeout(resolve, at + LEAST_AGE_MS - Date.now()));
      await Promise.all(Array.from({ length: 100 }, () => useKey(context).first({ channels: {} })));
      const again = await useKey(context, key).replay({ channels: {} });
      expectSame("body", original.body, again.body, again.request);
    }),
  ];
}

async function useFirst(context: TestContext) {
  const { key, first } = useKey(context);
  const entry = { key, original: await first({ channels: {} }), at: Date.now() };
  firsts.set(context.target, entry);
  return entry;
}

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

/** Requests with one key. A fresh one by default: another run with the same seed must not get recorded responses. */
function useKey(context: TestContext, key: string = crypto.randomUUID()) {
  const send = (body: unknown, more: Parameters<Updates["send"]>[1] = {}) =>
    updateOf(context).send(body, { ...more, headers: { ...more.headers, "idempotency-key": key } });
  const succeed =
    (replay: "true" | undefined): typeof send =>
    async (body, more) =>
      expectHeaders(expectStatus(await send(body, more), 200), key, replay);
  return { key, send, first: succeed(undefined), replay: succeed("true") };
}

function expectHeaders(response: TestResponse, key: string | undefined, replay: "true" | undefined): TestResponse {
  const { headers, request } = response;
  expectSame("header.idempotency-key", key, headers["idempotency-key"], request);
  expectSame("header.idempotency-replay", replay, headers["idempotency-replay"], request);
  return response;
}

function expectReused(response: TestResponse): void {
  expectStatus(response, 422);
  const { errors } = response.body as { errors: Record<string, unknown> };
  expectSame("body.errors", ["header.idempotency-key"], Object.keys(errors), response.request);
}
