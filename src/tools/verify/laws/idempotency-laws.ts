// Laws of idempotency keys: one effect and one response. Document §4, decisions D-57 to D-62.
import { setTimeout as wait } from "node:timers/promises";
import { createCases, law, STORED } from "../case.js";
import { assume, expectSame, expectStatus, expectThat } from "../expectation.js";
import type { TestContext } from "../test-context.js";
import type { TestRequest, TestResponse } from "../test-request.js";
import { expectViolationAt } from "./error-laws.js";

const SUBJECT = {
  operation: "updatePreferences",
  topic: "idempotency-key",
  changes: true,
  assumes: STORED.assumes,
  about: { place: "header.idempotency-key" },
} as const;
const DAY_MS = 86_400_000;
const MARGIN_MS = 600_000; // the clock runs on while requests are under way
const ROUNDS = 4; // a target may happen to handle one request after the other
const BREAKS_MS = [0, 0, 0, 0, 0, 0, 0, 1, 2, 5]; // how long the target has a request before its client disconnects
const MAX_READS = 10;
const OTHER_KEYS = 200; // a cache of so many would have dropped the first
const AT_ONCE = 40;
const MAX_PROCESSING_MS = 10_000;
const LEAST_KEPT_MS = 3200;

const OFF = { channels: { email: false } };
const ON = { channels: { email: true } };
const NONE = { channels: {} };
const ODD_KEYS = `constructor __proto__ toString ' " %00 % * a,b {} \\\\ null 0`.split(" ");

/** A server may drop what follows one of them. */
const SEPARATORS = [",", ";", ":", " ", "/", "#"];

/** Pairs of keys that a server confuses if it folds, truncates or cleans them. */
const SIMILAR_KEYS: ((unique: string) => [string, string])[] = [
  (key) => [key, key.toUpperCase()],
  (key) => [`${key}1`, key],
  (key) => [`${key.padEnd(254, "x")}1`, `${key.padEnd(254, "x")}2`],
  (key) => [`${key}.a`, `${key}_a`],
  (key) => [`${key}a b`, `${key}ab`],
  (key) => [`${key}%41`, `${key}A`],
  (key) => [`${key}-07`, `${key}-7`],
  (key) => [`"${key}"`, key],
  (key) => [`${key}Aa`, `${key}BB`], // equal hash codes in Java
  ...SEPARATORS.map((separator) => (key: string): [string, string] => [`${key}${separator}a`, `${key}${separator}b`]),
];

export const IDEMPOTENCY_LAWS = createCases({ ...SUBJECT, needs: ["idempotent"] }, [
  law("the same request again › a replay, and no second effect", ["§4", "D-61.1"], async (context) => {
    const { key, first, replay } = useKey(context);
    const original = await first(OFF);
    context.run.recorded ??= { key, at: Date.now(), request: OFF, body: original.body };
    await context.update(ON);
    const again = await replay(OFF);
    expectSame("body", original.body, again.body);
    if (!context.can("stateful")) return;
    expectSame("body.global.channels.email", true, (await context.read()).global.channels.email);
  }),
  law("without a key › no idempotency headers", ["D-61.1"], async ({ update }) => {
    expectHeaders(await update(), undefined, undefined);
  }),
  law("the same key with another body › 422", ["D-59.1", "D-59.2"], async (context) => {
    const { first, replay, expectReused } = useKey(context);
    const body = { channels: { email: true, sms: true } };
    await first(body);
    const swapped = { channels: { sms: true, email: true } };
    const oneValue = { channels: { email: true, sms: false } };
    const bodies = [OFF, ON, swapped, oneValue, { ...body, workflowId: context.target.workflow }];
    for (const other of bodies) await expectReused(other);
    await replay(body);
  }),
  law("a rejected reuse has no effect", ["D-59.1"], async (context) => {
    context.require("stateful");
    const { first, expectReused } = useKey(context);
    await first(ON);
    const before = await context.read();
    await expectReused(OFF);
    await expectReused({ ...OFF, workflowId: context.target.workflow });
    expectSame("body", before, await context.read());
  }),
  law("two headers › are one key, joined with a comma", ["D-62.3"], async (context) => {
    const [key, otherKey] = [crypto.randomUUID(), crypto.randomUUID()];
    const response = expectStatus(await useKey(context, `${key}\n${otherKey}`).send(OFF), 200);
    const header = response.headers["idempotency-key"];
    const shown = header === undefined ? undefined : String(header);
    const isJoined = shown?.replaceAll(/ *, */g, ",") === `${key},${otherKey}`;
    if (!isJoined) expectSame("header.idempotency-key", `${key}, ${otherKey}`, shown, response.request);
    await useKey(context, `${key}, ${otherKey}`).replay(OFF, {}, shown);
    for (const single of [key, otherKey]) await useKey(context, single).first(ON);
  }),
  law("the same key on another path › 422", ["D-59.2"], async (context) => {
    const { first, expectReused } = useKey(context);
    await first(NONE);
    await expectReused(NONE, { path: { subscriberId: context.target.otherSubscriber } });
  }),
  law("white space in the body does not count", ["D-59.2"], async (context) => {
    const { first, replay } = useKey(context);
    await first(OFF);
    await replay(undefined, { rawBody: JSON.stringify(OFF, null, 2) });
  }),
  law("a rejection by the operation is recorded too", ["D-61.2"], async (context) => {
    context.require("stateful");
    const { criticalWorkflow } = context.target;
    const rejections = { "no-such-workflow-7f3a9c": 404, ...(criticalWorkflow ? { [criticalWorkflow]: 400 } : {}) };
    for (const [workflowId, status] of Object.entries(rejections)) {
      const { key, send } = useKey(context);
      const first = expectStatus(await send({ ...NONE, workflowId }), status);
      const again = expectStatus(await send({ ...NONE, workflowId }), status);
      expectHeaders(again, key, "true");
      expectSame("body", first.body, again.body);
    }
  }),
  law("what never reached the operation is not recorded", ["D-61.3"], async (context) => {
    const { send, first } = useKey(context);
    expectStatus(await send({ channels: { email: 1 } }), 422);
    expectStatus(await send(OFF, { headers: { authorization: null } }), 401);
    expectStatus(await send(undefined, { rawBody: "{" }), 400);
    await first(OFF);
  }),
  law("an empty key means none", ["D-62.2"], async (context) => {
    const { send } = useKey(context, "");
    for (const body of [OFF, ON, OFF]) expectHeaders(expectStatus(await send(body), 200), undefined, undefined);
  }),
  law("keys are compared in full, as they stand", ["D-58.1", "D-62.1"], async (context) => {
    for (const toPair of SIMILAR_KEYS) {
      context.restart();
      const [key, otherKey] = toPair(`k-${crypto.randomUUID()}`);
      await useKey(context, key).first(OFF);
      await useKey(context, otherKey).first(ON);
    }
  }),
  law("any text that a header can hold is a key", ["§4", "D-62.1"], async (context) => {
    for (const key of ODD_KEYS) expectStatus(await useKey(context, key).send(NONE), 200, 422);
  }),
  law("concurrent requests with one key › one effect", ["D-57.1", "D-57.2", "D-57.3"], async (context) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { send } = useKey(context);
      const betweenMs = round % 2; // also while the first one is being stored
      const repeats = Array.from({ length: 6 }, (_, index) => wait(index * betweenMs).then(() => send(OFF)));
      const responses = await Promise.all(repeats);
      for (const response of responses) expectStatus(response, 200, 409);
      const done = responses.filter(({ status }) => status === 200);
      const originals = done.filter(({ headers }) => headers["idempotency-replay"] === undefined);
      expectOneOriginal(originals.length);
      for (const { body } of done) expectSame("body", originals[0]?.body, body);
    }
  }),
  law("another body while a request with the key is in progress › 409", ["D-57.1"], async (context) => {
    let lateRepeats = 0;
    const simultaneous: TestResponse[] = [];
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const { send } = useKey(context);
      const bodies = [OFF, ON, ON, OFF];
      const responses = await Promise.all(bodies.map((body) => send(body)));
      for (const response of responses) expectStatus(response, 200, 409, 422);
      const executed = responses.filter(({ status, headers }) => status === 200 && !headers["idempotency-replay"]);
      expectOneOriginal(executed.length);
      const [first, , , last] = responses;
      if (first?.status !== 200 || last?.status !== 409) continue; // the last one shows that the first was in progress
      lateRepeats += 1;
      simultaneous.push(...responses.slice(1, 3));
    }
    const shown = simultaneous.find(({ status }) => status === 409) ?? simultaneous[0];
    if (shown && lateRepeats >= ROUNDS) expectStatus(shown, 409);
  }),
  law("a client breaks off, then repeats its request › one effect", ["D-57.2", "D-57.3", "D-61.1"], async (context) => {
    context.require("stateful");
    for (const afterMs of BREAKS_MS) {
      context.restart();
      const { key, send } = useKey(context);
      expectStatus(await context.update(ON), 200);
      await context.breakOff(OFF, { "idempotency-key": key }, afterMs);
      const isDone = await hasEffect(context);
      const response = await untilDone(() => send(OFF));
      if (isDone) expectHeaders(response, key, "true"); // else the target may have dropped the request
    }
  }),
  law(
    `after ${OTHER_KEYS} other keys › is replayed still, on a new connection too`,
    ["D-60.1", "D-61.1"],
    async (context) => {
      const { first, replay } = useKey(context);
      const original = await first(NONE);
      const keys = Array.from({ length: OTHER_KEYS }, () => useKey(context));
      for (let sent = 0; sent < OTHER_KEYS; sent += AT_ONCE)
        await Promise.all(keys.slice(sent, sent + AT_ONCE).map((other) => other.first(NONE)));
      for (const isNewConnection of [false, true])
        expectSame("body", original.body, (await replay(NONE, { isNewConnection })).body);
      await Promise.all(keys.slice(-10).map((other) => other.replay(NONE)));
    },
  ),
  law("after 24 hours the key can be used again", ["§8", "D-60.1"], async (context) => {
    assume(context.temporary !== undefined, "needs a target with a clock that can be moved");
    const { apiKey, advanceClock } = await context.temporary.create();
    const { first, replay } = useKey(context);
    const withKey = { headers: { authorization: `ApiKey ${apiKey}` } };
    await first(OFF, withKey);
    await advanceClock(DAY_MS - MARGIN_MS);
    await replay(OFF, withKey);
    await advanceClock(MARGIN_MS);
    await first(OFF, withKey);
    await replay(OFF, withKey);
  }),
]);

/** Runs last. */
export const KEPT_LAWS = createCases({ ...SUBJECT, needs: ["idempotent"] }, [
  law("at the end of the run › the first key is replayed still", ["D-60.1", "D-61.1"], async (context) => {
    const { recorded } = context.run;
    assume(recorded !== undefined, "no case before it has sent a key");
    await wait(recorded.at + LEAST_KEPT_MS - Date.now()); // a short run leaves no time to forget a key
    const { replay } = useKey(context, recorded.key);
    expectSame("body", recorded.body, (await replay(recorded.request, { isNewConnection: true })).body);
  }),
]);

/** Sends updates with one key, by default a fresh one: a run with the same seed must not get recorded responses. */
function useKey(context: TestContext, key = `Key-${crypto.randomUUID()}`) {
  const { update } = context;
  const send = (body: unknown, more: TestRequest = {}) =>
    update(body, { ...more, headers: { ...more.headers, "idempotency-key": key } });
  const first: typeof send = async (body, more) =>
    expectHeaders(expectStatus(await send(body, more), 200), key, undefined);
  const replay = async (body: unknown, more?: TestRequest, shown = key) =>
    expectHeaders(expectStatus(await send(body, more), 200), shown, "true");
  const expectReused = async (body: unknown, more?: TestRequest) => {
    const request = { operation: SUBJECT.operation, body, ...more, headers: { "idempotency-key": key } };
    await expectViolationAt(context, request, SUBJECT.about.place);
  };
  return { key, send, first, replay, expectReused };
}

function expectOneOriginal(count: number): void {
  const sentence = `${count} responses with one key are not replays.`;
  expectThat(count === 1, { what: "header.idempotency-replay", expected: "in all but one", actual: count, sentence });
}

/** True if an update to `OFF` shows soon. */
async function hasEffect({ read }: TestContext): Promise<boolean> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    if ((await read()).global.channels.email === false) return true;
    await wait(reads);
  }
  return false;
}

/** Repeats a request while another one with its key is being processed. */
async function untilDone(send: () => Promise<TestResponse>): Promise<TestResponse> {
  const lastAt = Date.now() + MAX_PROCESSING_MS;
  for (let waitMs = 1; ; waitMs *= 2) {
    const response = await send();
    if (response.status !== 409 || Date.now() > lastAt) return expectStatus(response, 200);
    await wait(waitMs);
  }
}

function expectHeaders(response: TestResponse, key: string | undefined, replay: "true" | undefined): TestResponse {
  const { headers, request } = response;
  expectSame("header.idempotency-key", key, headers["idempotency-key"], request);
  expectSame("header.idempotency-replay", replay, headers["idempotency-replay"], request);
  return response;
}
