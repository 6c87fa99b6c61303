// Laws of updates at the same time: none is lost, whatever they name.
import type { ChannelPreferences, NotificationPage, Preferences } from "../../../contract/schemas.js";
import { setAll, toNext, type Update } from "../../judge/preferences.js";
import { law, toCases } from "../case.js";
import type { TestResponse } from "../exchange.js";
import { expectSame, expectStatus, idsOf } from "../expectation.js";

const SUBJECT = { operation: "updatePreferences", topic: "concurrent", needs: ["stateful"], changes: true } as const;
const MIN_OVERLAPPED = 50; // updates of each law, 200 of all: where timing decides, a few do not show it
const MAX_MS = 2000;

/** Updates that do not touch each other: any order of them leads to the same state. */
type ToUpdates = (start: Preferences, value: boolean) => Update[];

const perChannel = (channels: ChannelPreferences, value: boolean, more: Omit<Update, "channels"> = {}): Update[] =>
  Object.keys(channels).map((name) => ({ channels: { [name]: value }, ...more }));
const perWorkflow: ToUpdates = ({ workflows }, value) =>
  workflows.flatMap(({ workflow, channels }) => perChannel(channels, value, { workflowId: workflow.identifier }));

const SETS: [title: string, toUpdates: ToUpdates][] = [
  ["each channel of one subscriber by itself", ({ global }, value) => perChannel(global.channels, value)],
  ["each channel of each workflow by itself", perWorkflow],
  [
    "20 at once, each twice",
    (start, value) => {
      const all = [...perWorkflow(start, value), ...perChannel(start.global.channels, value)];
      return Array.from({ length: 20 }, (_, index) => all[index % all.length] ?? { channels: {} });
    },
  ],
  [
    "20 empty ones around one",
    ({ global }, value) => {
      const empty = Array.from({ length: 10 }, () => ({ channels: {} }));
      return [...empty, { channels: setAll(global.channels, value) }, ...empty];
    },
  ],
];

export const CONCURRENCY_LAWS = toCases(SUBJECT, [
  ...SETS.map(([title, toUpdates]) =>
    law(`${title} › all of them survive`, ["§4.1", "D-02.2"], async ({ read, update }) => {
      const lastAt = Date.now() + MAX_MS;
      for (let round = 0, sentUpdates = 0; sentUpdates < MIN_OVERLAPPED && Date.now() < lastAt; round++) {
        const start = await read();
        const updates = toUpdates(start, round % 2 === 1);
        sentUpdates += Math.max(updates.length, 1);
        const responses = await Promise.all(updates.map(async (sent) => ({ sent, response: await update(sent) })));
        for (const { sent, response } of responses) expectOwn(response, sent);
        expectSame("preferences after all of them", updates.reduce(toNext, start), await read());
      }
    }),
  ),
  law("80 updates and reads at once › nothing is mixed up", ["§4.1", "§4.2", "D-02"], async (context) => {
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
    const rounds = Array.from({ length: 20 }, (_, index) => [
      ...subscribers.map(expectUpdate),
      ...subscribers.map(() => expectList(1 + (index % 5))),
    ]);
    await Promise.all(rounds.flat());
    for (const { subscriberId, before, sent } of subscribers)
      expectSame(`preferences of ${subscriberId}`, toNext(before, sent), await read(subscriberId));
  }),
]);

/** A response shows the channels that its own request has set: no other request of the set names them otherwise. */
function expectOwn(response: TestResponse, { channels, workflowId }: Update): void {
  const { global, workflows } = expectStatus(response, 200).body as Preferences;
  const entry = workflows.find(({ workflow }) => workflow.identifier === workflowId);
  const shown: ChannelPreferences = workflowId === undefined ? global.channels : (entry?.channels ?? {});
  for (const [name, value] of Object.entries(channels))
    if (name in shown) expectSame(`channels.${name}`, value, shown[name as keyof ChannelPreferences], response.request);
}
