// Laws of updates: what they change, what they keep, the response, and that all concurrent ones survive. Document §4.1,
// D-02 to D-15.
import { setTimeout as wait } from "node:timers/promises";
import type { ChannelPreferences, NotificationPage, Preferences } from "../../../contract/schemas.js";
import { applyUpdate, findShapeDifferences, setAll, type Update } from "../../judge/preference-model.js";
import { createCases, law, STORED } from "../case.js";
import { assume, ExpectationError, expectSame, expectStatus, idsOf } from "../expectation.js";
import type { TestContext } from "../test-context.js";
import type { TestResponse } from "../test-request.js";
import { findSubscriberIds } from "./text-laws.js";

const EMAIL_ON = { channels: { email: true } };
const SHAPE = ["D-06.1", "D-06.2", "D-07.1", "D-09.1", "D-09.2", "D-10.1", "D-74.1"];
const SMS_OFF = { channels: { sms: false } };

/** An update of all channels, on the global level or of a workflow. */
type Name = "on" | "off" | "workflowOn" | "workflowOff" | "workflowUnchanged";

/** Each row is a sequence of updates; after each, the preferences are those of the model. */
const SEQUENCES: [
  title: string,
  cites: string[],
  toUpdates: (updates: Record<Name, Update>, workflows: string[]) => Update[],
][] = [
  [
    "a channel that is not named keeps its value",
    ["D-02.1", "D-02.2", "§4.1"],
    ({ on, off }) => [off, EMAIL_ON, on, SMS_OFF],
  ],
  [
    "an update changes its workflow, or the global level; the latest wins",
    ["§4.1", "D-14.1", "D-14.3", "D-15.1"],
    ({ on, off, workflowOn, workflowOff }) => [workflowOff, on, workflowOff, off, workflowOn, off],
  ],
  [
    "a global update keeps the workflow values of channels that it does not name",
    ["D-15.2"],
    ({ on, workflowOff }) => [on, workflowOff, SMS_OFF, EMAIL_ON],
  ],
  [
    "a workflow's channel that is not named keeps its value",
    ["D-02.1", "§4.1"],
    ({ workflowOff, workflowOn }) =>
      [workflowOff, workflowOn].flatMap((update) => {
        const [first = [], second = []] = Object.entries(update.channels).map((pair) => [pair]);
        return [update, ...[first, second].map((pairs) => ({ ...update, channels: Object.fromEntries(pairs) }))];
      }),
  ],
  [
    "an update without channels changes nothing",
    ["D-04.1"],
    ({ off, workflowUnchanged }) => [off, { channels: {} }, workflowUnchanged],
  ],
  [
    "each workflow by itself, then a global update",
    ["§4.1", "D-15.1"],
    ({ on, off }, workflows) => [
      ...workflows.map((workflowId) => ({ ...off, workflowId })),
      on,
      ...workflows.map((workflowId) => ({ ...on, workflowId })),
      off,
    ],
  ],
  [
    "each channel by itself",
    ["§2.1"],
    ({ on }) =>
      Object.keys(on.channels).flatMap((name) =>
        [false, true, false].map((value) => ({ channels: { [name]: value } })),
      ),
  ],
];

export const PREFERENCE_LAWS = createCases({ ...STORED, operation: "updatePreferences" }, [
  ...SEQUENCES.map(([title, cites, toUpdates]) =>
    law(title, cites, async (context) => {
      const start = await context.read();
      const workflows = start.workflows.slice(0, MOST_WORKFLOWS).map(({ workflow }) => workflow.identifier);
      await expectSequence(context, toUpdates(namedUpdates(start, context.target.workflow), workflows));
    }),
  ),
  law("other subscribers are not changed", ["§4.1"], async (context) => {
    const { target, set, read } = context;
    const { otherSubscriber, workflow: workflowId } = target;
    const others = [otherSubscriber, ...(await findBystanders(context))];
    const { global } = await read(otherSubscriber);
    await set({ channels: setAll(global.channels, global.channels.email === false), workflowId }, otherSubscriber);
    const before = new Map<string, Preferences>();
    for (const id of others) before.set(id, await read(id));
    for (const email of [true, false]) {
      await set({ channels: { email } });
      await set({ channels: { email: !email }, workflowId });
      for (const id of others) expectSame(`preferences of ${id}`, before.get(id), await read(id));
    }
  }),
  law("the first update of a subscriber › changes what it names", ["§4.1", "D-04.1", "D-14.3"], async (context) => {
    const bystanders = await findBystanders(context);
    assume(bystanders.length > 0, "`subscribers` has only two, and no notification has another");
    for (const [index, id] of bystanders.entries()) {
      const { target, set, read, restart } = context;
      restart();
      const start = await read(id);
      expectSame(`preferences of ${id}, read twice`, start, await read(id));
      if (index === MOST_BYSTANDERS - 1) {
        await expectAllAtOnce(context, start, id);
        continue;
      }
      const channels = { email: index % 2 === 0 ? !start.global.channels.email : start.global.channels.email === true };
      const update = index % 2 === 0 ? { channels, workflowId: target.workflow } : { channels };
      const next = applyUpdate(start, update);
      expectSame("body", next, await set(update, id));
      expectSame(`preferences of ${id}`, next, await read(id));
    }
  }),
  law("a channel that no workflow uses › is accepted and not listed", ["D-07.1"], async ({ target, set, read }) => {
    const all = { email: true, sms: true, in_app: true, chat: true, push: true };
    const [own, other] = [await set({ channels: all }), await read(target.otherSubscriber)].map(({ global }) =>
      Object.keys(global.channels).toSorted(),
    );
    expectSame("global channels of one subscriber, compared with another", other, own);
  }),
  law("a rejected update changes nothing", ["D-03.1", "D-49"], async ({ set, update, read }) => {
    const before = await set({ channels: { email: true, sms: true } });
    const off = { channels: { email: false } };
    const responses = [
      await update({ channels: { email: false, sms: "no" } }),
      await update({ ...off, workflowId: "no-such-workflow-7f3a9c" }),
      await update(off, { query: { x: 1 } }),
      await update(off, { headers: { authorization: null } }),
      await update(off, { headers: { "content-type": "text/plain" } }),
    ];
    for (const response of responses) expectStatus(response, 401, 404, 415, 422);
    expectSame("preferences", before, await read());
  }),
  law("the response › enabled, channels, overrides and order", SHAPE, async ({ target, set, read }) => {
    const off = { channels: setAll((await read()).global.channels, false) };
    for (const update of [{ channels: { email: true } }, off, { ...off, workflowId: target.workflow }]) {
      const [broken] = findShapeDifferences(await set(update));
      if (broken) throw new ExpectationError({ ...broken, cites: [broken.cite] });
    }
  }),
]);

const MOST_WORKFLOWS = 12;
const MOST_BYSTANDERS = 3;

/** Whoever creates what is stored with the first update must not create it twice. */
async function expectAllAtOnce({ set, read }: TestContext, start: Preferences, id: string): Promise<void> {
  const updates = perChannel(start.global.channels, start.global.channels.email === false);
  await Promise.all(updates.map((update) => set(update, id)));
  expectSame(`preferences of ${id}`, updates.reduce(applyUpdate, start), await read(id));
}

/** Further subscribers, which no other law updates. */
async function findBystanders(context: TestContext): Promise<string[]> {
  const { subscriber, otherSubscriber } = context.target;
  const ids = [...(await findSubscriberIds(context))];
  return ids.filter((id) => id !== subscriber && id !== otherSubscriber).slice(0, MOST_BYSTANDERS);
}

function namedUpdates({ global }: Preferences, workflowId: string): Record<Name, Update> {
  const [on, off] = [setAll(global.channels, true), setAll(global.channels, false)];
  return {
    on: { channels: on },
    off: { channels: off },
    workflowOn: { channels: on, workflowId },
    workflowOff: { channels: off, workflowId },
    workflowUnchanged: { channels: {}, workflowId },
  };
}

/** Applies the updates in turn and compares each response, and the final state, with the model. */
export async function expectSequence(
  { set, read }: Pick<TestContext, "set" | "read">,
  updates: readonly Update[],
  subscriberId?: string,
): Promise<void> {
  let expected = await read(subscriberId);
  for (const update of updates) {
    expected = applyUpdate(expected, update);
    expectSame("body", expected, await set(update, subscriberId));
  }
  expectSame("preferences when they are read", expected, await read(subscriberId));
}

const SUBJECT = { ...STORED, operation: "updatePreferences", topic: "concurrent" } as const;
const MIN_OVERLAPPED = 50; // concurrent updates of each law: few of them would not show a race
const MAX_MS = 2000;

/** Updates that do not touch each other: any order of them leads to the same state. */
type ToUpdates = (start: Preferences, value: boolean) => Update[];

const perChannel = (channels: ChannelPreferences, value: boolean, more: Omit<Update, "channels"> = {}): Update[] =>
  Object.keys(channels).map((name) => ({ channels: { [name]: value }, ...more }));
const perWorkflow: ToUpdates = ({ workflows }, value) =>
  workflows.flatMap(({ workflow, channels }) => perChannel(channels, value, { workflowId: workflow.identifier }));

const SETS: [title: string, toUpdates: ToUpdates][] = [
  ["each channel of one subscriber by itself", ({ global }, value) => perChannel(global.channels, value)],
  [
    "20 at once, each twice",
    (start, value) => {
      const all = [...perWorkflow(start, value), ...perChannel(start.global.channels, value)];
      return Array.from({ length: 20 }, (_, index) => all[index % all.length] ?? { channels: {} });
    },
  ],
];

export const CONCURRENCY_LAWS = createCases(SUBJECT, [
  ...SETS.map(([title, toUpdates]) =>
    law(`${title} › all of them survive`, ["§4.1", "D-02.2"], async ({ read, update }) => {
      const lastAt = Date.now() + MAX_MS;
      for (let round = 0, sentUpdates = 0; sentUpdates < MIN_OVERLAPPED && Date.now() < lastAt; round++) {
        const start = await read();
        const updates = toUpdates(start, round % 2 === 1);
        sentUpdates += Math.max(updates.length, 1);
        const responses = await Promise.all(updates.map(async (sent) => ({ sent, response: await update(sent) })));
        for (const { sent, response } of responses) expectOwn(response, sent);
        expectSame("preferences after all of them", updates.reduce(applyUpdate, start), await read());
      }
    }),
  ),
  law("all channels on, off, and read at once › each response shows one update", ["§4.1"], async ({ set, update }) => {
    const { global } = await set({ channels: {} });
    const [on, off] = [true, false].map((value) => ({ channels: setAll(global.channels, value) })) as [Update, Update];
    await set(on);
    for (let round = 0; round < MIN_OVERLAPPED / 6; round++) {
      const sent = [on, { channels: {} }, off, { channels: {} }, on, off];
      for (const response of await Promise.all(sent.map((body) => update(body)))) {
        const { channels } = (expectStatus(response, 200).body as Preferences).global;
        const [first = true] = Object.values(channels);
        expectSame("channels set together", setAll(channels, first), channels, response.request);
      }
    }
  }),
  law("80 updates and reads of 16 clients › nothing is mixed up", ["§4.1", "§4.2", "D-02"], async (context) => {
    const { target, update, read, list } = context;
    const records = context.can("listing") ? (await context.snapshot()).records : undefined;
    const subscribers = await Promise.all(
      [target.subscriber, target.otherSubscriber].map(async (subscriberId, index) => {
        const before = await read(subscriberId);
        return { subscriberId, before, sent: { channels: setAll(before.global.channels, index === 0) } };
      }),
    );
    const expectUpdate = async ({ subscriberId, sent }: (typeof subscribers)[number]) =>
      expectOwn(await update(sent, { path: { subscriberId } }), sent);
    const expectList = async (limit: number) => {
      const response = expectStatus(await list({ limit }), 200);
      const ids = idsOf((response.body as NotificationPage).data);
      if (records) expectSame("body.data", idsOf(records.slice(0, limit)), ids, response.request);
    };
    // Requests that arrive at once may all be read before the first is handled; these clients come at different times.
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let turn = 0; turn < 5; turn++) {
        await wait((client * turn) % 4);
        if ((client + turn) % 2 === 0)
          await expectUpdate(subscribers[(client >> 1) % 2] as (typeof subscribers)[number]);
        else await expectList(1 + turn);
      }
    });
    await Promise.all(clients);
    for (const { subscriberId, before, sent } of subscribers)
      expectSame(`preferences of ${subscriberId}`, applyUpdate(before, sent), await read(subscriberId));
  }),
]);

/** Expects the channels that the request has set: no other request of the set changes them. */
function expectOwn(response: TestResponse, { channels, workflowId }: Update): void {
  const { global, workflows } = expectStatus(response, 200).body as Preferences;
  const entry = workflows.find(({ workflow }) => workflow.identifier === workflowId);
  const shown: ChannelPreferences = workflowId === undefined ? global.channels : (entry?.channels ?? {});
  for (const [name, value] of Object.entries(channels))
    if (name in shown) expectSame(`channels.${name}`, value, shown[name as keyof ChannelPreferences], response.request);
}
