// Idempotency keys: one effect and one answer. Document §4, decisions D-57 to D-62.
import { type Case, type Law, toCases } from "../case.js";
import { expectSame, expectStatus, NotApplicable } from "../check.js";
import { type Updates, updateOf } from "../preferences.js";
import type { Answer, World } from "../world.js";

export function createIdempotencyLaws(): Case[] {
  return toCases("updatePreferences › idempotency-key", LAWS, { needs: ["idempotent"], changes: true });
}

const DAY_MS = 86_400_000;
const MARGIN_MS = 600_000; // the clock runs on while requests are under way

const OFF = { channels: { email: false } };
const ON = { channels: { email: true } };

const LAWS: Law[] = [
  {
    title: "the same request again › the first answer, marked, and no second effect",
    cites: ["§4", "D-61"],
    async run(world) {
      const { update, read, sendAs } = begin(world);
      const first = await sendAs(OFF);
      expectStatus(first, 200);
      expectHeaders(first, { "idempotency-key": sendAs.key, "idempotency-replay": undefined });
      await update.send(ON);
      const again = await sendAs(OFF);
      expectHeaders(again, { "idempotency-key": sendAs.key, "idempotency-replay": "true" });
      expectSame("body", first.body, again.body, again.request);
      if (!world.target.can.includes("stateful")) return;
      expectSame("global.channels.email after the replay", true, (await read()).global.channels.email);
    },
  },
  {
    title: "without a key › no idempotency headers",
    cites: ["D-61"],
    async run(world) {
      const answer = await updateOf(world).send({ channels: {} });
      expectHeaders(answer, { "idempotency-key": undefined, "idempotency-replay": undefined });
    },
  },
  {
    title: "the same key with another body › 422",
    cites: ["D-59"],
    async run(world) {
      const { sendAs } = begin(world);
      const body = { channels: { email: true, sms: true } };
      expectStatus(await sendAs(body), 200);
      for (const other of [
        OFF,
        ON,
        { channels: { sms: true, email: true } },
        { ...body, workflowId: world.target.workflow },
      ]) {
        expectReused(await sendAs(other));
      }
      expectHeaders(await sendAs(body), { "idempotency-replay": "true" });
    },
  },
  {
    title: "the same key on another path › 422",
    cites: ["D-59"],
    async run(world) {
      const { sendAs } = begin(world);
      expectStatus(await sendAs({ channels: {} }), 200);
      expectReused(await sendAs({ channels: {} }, { path: { subscriberId: world.target.otherSubscriber } }));
    },
  },
  {
    title: "white space in the body does not count",
    cites: ["D-59"],
    async run(world) {
      const { sendAs } = begin(world);
      expectStatus(await sendAs(OFF), 200);
      const answer = await sendAs(undefined, { rawBody: JSON.stringify(OFF, null, 2) });
      expectStatus(answer, 200);
      expectHeaders(answer, { "idempotency-replay": "true" });
    },
  },
  {
    title: "a refusal by the operation is recorded too",
    cites: ["D-61"],
    needs: ["stateful"],
    async run(world) {
      const { criticalWorkflow } = world.target;
      const critical = criticalWorkflow === undefined ? [] : [[criticalWorkflow, 400] as const];
      for (const [workflowId, status] of [["no-such-workflow-7f3a9c", 404] as const, ...critical]) {
        const { sendAs } = begin(world);
        const first = await sendAs({ channels: {}, workflowId });
        expectStatus(first, status);
        const again = await sendAs({ channels: {}, workflowId });
        expectStatus(again, status);
        expectHeaders(again, { "idempotency-key": sendAs.key, "idempotency-replay": "true" });
        expectSame("body", first.body, again.body, again.request);
      }
    },
  },
  {
    title: "what never reached the operation is not recorded",
    cites: ["D-61"],
    async run(world) {
      const { sendAs } = begin(world);
      expectStatus(await sendAs({ channels: { email: 1 } }), 422);
      expectStatus(await sendAs(OFF, { headers: { authorization: null } }), 401);
      expectStatus(await sendAs(undefined, { rawBody: "{" }), 400);
      const answer = await sendAs(OFF);
      expectStatus(answer, 200);
      expectHeaders(answer, { "idempotency-replay": undefined });
    },
  },
  {
    title: "an empty key counts as none",
    cites: ["D-62"],
    async run(world) {
      const { send } = updateOf(world);
      for (const body of [OFF, ON, OFF]) {
        const answer = await send(body, { headers: { "idempotency-key": "" } });
        expectStatus(answer, 200);
        expectHeaders(answer, { "idempotency-key": undefined, "idempotency-replay": undefined });
      }
    },
  },
  {
    title: "several at once with one key › one effect; the others wait for its answer or are told to",
    cites: ["D-57"],
    async run(world) {
      const { sendAs } = begin(world);
      const answers = await Promise.all(Array.from({ length: 6 }, () => sendAs(OFF)));
      for (const answer of answers) expectStatus(answer, 200, 409);
      const done = answers.filter(({ status }) => status === 200);
      const originals = done.filter(({ headers }) => headers["idempotency-replay"] === undefined);
      expectSame("answers that are no replay", 1, originals.length, answers[0]?.request);
      for (const { body, request } of done) expectSame("body", originals[0]?.body, body, request);
    },
  },
  {
    title: "after 24 hours the key is free again",
    cites: ["§8", "D-60"],
    async run(world) {
      if (!world.createEnvironment) throw new NotApplicable("needs a target whose clock can be moved");
      const { apiKey, advanceClock } = await world.createEnvironment();
      const { sendAs } = begin(world);
      const replayed = async () => {
        const answer = await sendAs(OFF, { headers: { authorization: `ApiKey ${apiKey}` } });
        expectStatus(answer, 200);
        return answer;
      };
      expectHeaders(await replayed(), { "idempotency-replay": undefined });
      await advanceClock(DAY_MS - MARGIN_MS);
      expectHeaders(await replayed(), { "idempotency-replay": "true" });
      await advanceClock(MARGIN_MS);
      expectHeaders(await replayed(), { "idempotency-replay": undefined });
      expectHeaders(await replayed(), { "idempotency-replay": "true" });
    },
  },
];

interface SendAs {
  (body: unknown, more?: Parameters<Updates["send"]>[1]): Promise<Answer>;
  key: string;
}

/** Sends under one fresh key: another run with the same seed must not meet recorded answers. */
function begin(world: World) {
  const update = updateOf(world);
  const key = crypto.randomUUID();
  const send: Omit<SendAs, "key"> = (body: unknown, more: Parameters<Updates["send"]>[1] = {}) =>
    update.send(body, { ...more, headers: { ...more.headers, "idempotency-key": key } });
  return { update, read: update.read, sendAs: Object.assign(send, { key }) as SendAs };
}

function expectHeaders({ headers, request }: Answer, wanted: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(wanted)) expectSame(`header.${name}`, value, headers[name], request);
}

function expectReused(answer: Answer): void {
  expectStatus(answer, 422);
  const { errors } = answer.body as { errors: Record<string, unknown> };
  expectSame("body.errors", ["header.idempotency-key"], Object.keys(errors), answer.request);
}
