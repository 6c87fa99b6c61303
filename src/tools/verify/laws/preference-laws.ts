// Laws of updates: what they change, what they keep, and the response. Document §4.1, D-02 to D-15.
import { setTimeout as wait } from "node:timers/promises";
import type { Preferences } from "../../../contract/contract-types.js";
import { applyUpdate, findShapeDifferences, setAll, type Update } from "../../model/preferences.js";
import { createCases, law, STORED } from "../case.js";
import { assume, ExpectationError, expectSame, expectStatus } from "../expectation.js";
import type { TestContext } from "../test-context.js";
import { perChannel } from "./race-laws.js";
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
  // First, since no other request of the subscriber may come before it.
  law(
    "an update without channels as a subscriber's first request › shows what is read",
    ["D-04.1"],
    async (context) => {
      const { target, set, read } = context;
      const id = (await findBystanders(context, MOST_BYSTANDERS + 1))[MOST_BYSTANDERS];
      assume(id !== undefined, "fewer than four further subscribers are known", "subscribers");
      const shown = await set({ channels: {}, workflowId: target.workflow }, id);
      expectSame(`preferences of ${id}`, shown, await read(id));
    },
  ),
  ...SEQUENCES.map(([title, cites, toUpdates]) =>
    law(title, cites, async (context) => {
      const start = await context.read();
      const workflows = start.workflows.slice(0, MOST_WORKFLOWS).map(({ workflow }) => workflow.identifier);
      await expectSequence(context, toUpdates(namedUpdates(start, context.target.workflow), workflows));
    }),
  ),
  law("an update that follows another at once stays", ["§4.1", "D-15.1"], async ({ target, set, read }) => {
    const { on, workflowOff } = namedUpdates(await read(), target.workflow);
    await set(on);
    const after = await set(workflowOff);
    await wait(SETTLED_MS); // the first one may still be under way
    expectSame("preferences after a while", after, await read());
  }),
  law("other subscribers are not changed", ["§4.1"], async (context) => {
    const { target, set, read } = context;
    const { otherSubscriber, workflow: workflowId } = target;
    const bystanders = [otherSubscriber, ...(await findBystanders(context))];
    const { global } = await read(otherSubscriber);
    await set({ channels: setAll(global.channels, global.channels.email === false), workflowId }, otherSubscriber);
    const before = new Map<string, Preferences>();
    for (const id of bystanders) before.set(id, await read(id));
    for (const email of [true, false]) {
      await set({ channels: { email } });
      await set({ channels: { email: !email }, workflowId });
      for (const id of bystanders) expectSame(`preferences of ${id}`, before.get(id), await read(id));
    }
  }),
  law("the first update of a subscriber › changes what it names", ["§4.1", "D-04.1", "D-14.3"], async (context) => {
    const bystanders = await findBystanders(context);
    assume(bystanders.length > 0, "`subscribers` has only two, and no notification has another", "subscribers");
    const untouched = new Map<string, Preferences>();
    for (const id of bystanders) untouched.set(id, await context.read(id));
    for (const [index, id] of bystanders.entries()) {
      const { target, set, read } = context;
      const start = await read(id);
      expectSame(`preferences of ${id}, after the first update of others`, untouched.get(id), start);
      if (index === MOST_BYSTANDERS - 1) {
        await expectAllAtOnce(context, start, id);
        continue;
      }
      const channels = { email: !start.global.channels.email };
      const update = index % 2 === 0 ? { channels, workflowId: target.workflow } : { channels };
      const next = applyUpdate(start, update);
      expectSame("body", next, await set(update, id));
      expectSame(`preferences of ${id}`, next, await read(id));
    }
  }),
  law("a channel that no workflow uses › is accepted and not listed", ["D-07.1"], async ({ target, set, read }) => {
    const all = { email: true, sms: true, in_app: true, chat: true, push: true };
    const [updated, other] = [await set({ channels: all }), await read(target.otherSubscriber)].map(({ global }) =>
      Object.keys(global.channels).toSorted(),
    );
    expectSame("global channels of one subscriber, compared with another", other, updated);
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
    expectSame("body", before, await read());
  }),
  law("the response › enabled, channels, overrides and order", SHAPE, async ({ target, set, read, latest }) => {
    const off = { channels: setAll((await read()).global.channels, false) };
    const orders: string[][] = [];
    for (const update of [{ channels: { email: true } }, off, { ...off, workflowId: target.workflow }]) {
      await set(update);
      const preferences = latest()?.body as Preferences; // in the target's order
      const [broken] = findShapeDifferences(preferences);
      if (broken) throw new ExpectationError({ ...broken, cites: [broken.cite] });
      orders.push(preferences.workflows.map(({ workflow }) => workflow.slug));
      expectSame("body.workflows", orders[0], orders.at(-1));
    }
  }),
]);

const MOST_WORKFLOWS = 12;
const SETTLED_MS = 150;
const MOST_BYSTANDERS = 3;

/** Whoever creates what is stored with the first update must not create it twice. */
async function expectAllAtOnce({ set, read }: TestContext, start: Preferences, id: string): Promise<void> {
  const updates = perChannel(start.global.channels, start.global.channels.email === false);
  await Promise.all(updates.map((update) => set(update, id)));
  expectSame(`preferences of ${id}`, updates.reduce(applyUpdate, start), await read(id));
}

/** Further subscribers, which no other law updates. */
async function findBystanders(context: TestContext, most = MOST_BYSTANDERS): Promise<string[]> {
  const { subscriber, otherSubscriber } = context.target;
  const ids = [...(await findSubscriberIds(context))];
  return ids.filter((id) => id !== subscriber && id !== otherSubscriber).slice(0, most);
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
