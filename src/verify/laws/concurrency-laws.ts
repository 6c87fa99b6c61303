// Laws of updates at the same time: none is lost, whatever they name.
import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame, expectStatus } from "../expectation.js";
import { type Channels, type Preferences, toNext, type Update, updateOf } from "../preferences.js";
import type { TestResponse } from "../test-response.js";

export function createConcurrencyLaws(): Case[] {
  return toCases("updatePreferences › concurrent", LAWS, { needs: ["stateful"], changes: true });
}

const ROUNDS = 3;

/** Updates that do not touch each other: any order of them leads to the same state. */
type ToUpdates = (start: Preferences, value: boolean) => Update[];

const perChannel = (channels: Channels, value: boolean, more: Omit<Update, "channels"> = {}): Update[] =>
  Object.keys(channels).map((name) => ({ channels: { [name]: value } as Channels, ...more }));
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
      return [
        ...empty,
        { channels: Object.fromEntries(Object.keys(global.channels).map((name) => [name, value])) },
        ...empty,
      ];
    },
  ],
];

const LAWS: Law[] = [
  ...SETS.map(([title, toUpdates]) =>
    law(`${title} › all of them survive`, ["§4.1", "D-02"], async (context) => {
      const { read, send } = updateOf(context);
      for (let round = 0; round < ROUNDS; round++) {
        const start = await read();
        const updates = toUpdates(start, round % 2 === 1);
        const responses = await Promise.all(updates.map((update) => send(update)));
        for (const [index, response] of responses.entries()) expectOwn(response, updates[index]);
        const wanted = updates.reduce(toNext, start);
        expectSame("preferences after all of them", wanted, await read());
      }
    }),
  ),
  law("two subscribers at once › each gets its own", ["§4.1"], async (context) => {
    const { set, read } = updateOf(context);
    const { subscriber, otherSubscriber } = context.target;
    const before = [await read(subscriber), await read(otherSubscriber)] as const;
    const toUpdate = (value: boolean) => ({ channels: { email: value } });
    await Promise.all(
      Array.from({ length: 10 }, () => [set(toUpdate(true), subscriber), set(toUpdate(false), otherSubscriber)]).flat(),
    );
    expectSame("preferences of the one", toNext(before[0], toUpdate(true)), await read(subscriber));
    expectSame("preferences of the other", toNext(before[1], toUpdate(false)), await read(otherSubscriber));
  }),
];

/** A response shows the channels that its own request has set: no other request of the set names them otherwise. */
function expectOwn(response: TestResponse, update: Update | undefined): void {
  expectStatus(response, 200);
  const { global, workflows } = response.body as Preferences;
  const { channels = {}, workflowId } = update ?? {};
  const entry = workflows.find(({ workflow }) => workflow.identifier === workflowId);
  const shown: Channels = workflowId === undefined ? global.channels : (entry?.channels ?? {});
  for (const [name, value] of Object.entries(channels))
    if (name in shown)
      expectSame(`channels.${name}`, value, (shown as Record<string, boolean>)[name], response.request);
}
