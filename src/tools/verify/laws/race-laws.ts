// Laws of concurrent requests: all updates survive, and nothing is mixed up. Document §4.1, D-02.
import { setTimeout as wait } from "node:timers/promises";
import type { ChannelPreferences, NotificationPage, Preferences } from "../../../contract/contract-types.js";
import { applyUpdate, setAll, type Update } from "../../model/preferences.js";
import { createCases, law, STORED } from "../case.js";
import { expectSame, expectStatus, idsOf } from "../expectation.js";
import type { TestContext } from "../test-context.js";
import type { TestResponse } from "../test-request.js";

const SUBJECT = { ...STORED, operation: "updatePreferences", topic: "concurrent" } as const;
const MIN_OVERLAPPED = 50; // concurrent updates of each law: few of them would not show a race
const MAX_MS = 2000;

/** Updates that do not touch each other: any order of them leads to the same state. */
type ToUpdates = (start: Preferences, value: boolean) => Update[];

export const perChannel = (
  channels: ChannelPreferences,
  value: boolean,
  more: Omit<Update, "channels"> = {},
): Update[] => Object.keys(channels).map((name) => ({ channels: { [name]: value }, ...more }));
const perWorkflow: ToUpdates = ({ workflows }, value) =>
  workflows.flatMap(({ workflow, channels }) => perChannel(channels, value, { workflowId: workflow.identifier }));

const manyAtOnce: ToUpdates = (start, value) => {
  const all = [...perWorkflow(start, value), ...perChannel(start.global.channels, value)];
  return Array.from({ length: 20 }, (_, index) => all[index % all.length] ?? { channels: {} });
};

const SETS: [title: string, toUpdates: ToUpdates][] = [
  ["each channel of one subscriber by itself", ({ global }, value) => perChannel(global.channels, value)],
  ["20 at once, each twice", manyAtOnce],
];

export const CONCURRENCY_LAWS = createCases(SUBJECT, [
  ...SETS.map(([title, toUpdates]) =>
    law(`${title} › all of them survive`, ["§4.1", "D-02.2"], (context) => {
      return expectSurvival(context, toUpdates, { least: MIN_OVERLAPPED, maxMs: MAX_MS });
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
        expectSame("body.global.channels", setAll(channels, first), channels, response.request);
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
      expectChannels(await update(sent, { path: { subscriberId } }), sent);
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

/** Races that few requests do not show. Run only if a run is to be thorough. */
export const THOROUGH_LAWS = createCases(SUBJECT, [
  law("4,000 updates, with lists between › all of them survive", ["§4.1", "§4.2", "D-02.2"], async (context) => {
    const { can, snapshot, list } = context;
    const records = can("listing") ? (await snapshot()).records : undefined;
    const expectList = async (_list: unknown, at: number) => {
      await wait(at); // so that some come while updates are being stored
      const response = expectStatus(await list({ limit: at + 2 }), 200);
      const { data } = response.body as NotificationPage; // it conforms
      if (records) expectSame("body.data", idsOf(records.slice(0, at + 2)), idsOf(data), response.request);
    };
    const expectLists = () => Promise.all(Array.from({ length: LISTS }, expectList));
    await expectSurvival(context, manyAtOnce, { least: 4000, maxMs: 20 * MAX_MS, meanwhile: expectLists });
  }),
]);

const LISTS = 8; // in each round

interface Rounds {
  /** Ends once so many updates were sent, or after this time. */
  least: number;
  maxMs: number;
  meanwhile?: () => Promise<unknown>;
}

/** Sends updates at once, round by round; each round leads to the state of the model. */
async function expectSurvival(
  { restart, read, update }: TestContext,
  toUpdates: ToUpdates,
  { least, maxMs, meanwhile }: Rounds,
): Promise<void> {
  const lastAt = Date.now() + maxMs;
  for (let round = 0, sentUpdates = 0; sentUpdates < least && Date.now() < lastAt; round++) {
    restart();
    const start = await read();
    const updates = toUpdates(start, round % 2 === 1);
    sentUpdates += Math.max(updates.length, 1);
    const sending = updates.map(async (sent) => expectChannels(await update(sent), sent));
    await Promise.all([...sending, meanwhile?.()]);
    expectSame("preferences after all of them", updates.reduce(applyUpdate, start), await read());
  }
}

/** Expects the channels that the request has set: no other request of the set changes them. */
function expectChannels(response: TestResponse, { channels, workflowId }: Update): void {
  const { global, workflows } = expectStatus(response, 200).body as Preferences;
  const index = workflows.findIndex(({ workflow }) => workflow.identifier === workflowId);
  const [place, shown]: [string, ChannelPreferences] =
    workflowId === undefined
      ? ["body.global.channels", global.channels]
      : [`body.workflows.${index}.channels`, workflows[index]?.channels ?? {}];
  for (const [name, value] of Object.entries(channels))
    if (name in shown) expectSame(`${place}.${name}`, value, shown[name as keyof ChannelPreferences], response.request);
}
