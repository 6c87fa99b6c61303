// Laws of updates: what they change, what they keep, and the response. Document §4.1, D-02 to D-15.
import { type Case, type Law, law, toCases } from "../case.js";
import { ExpectationError, expectSame, expectStatus, NotApplicable } from "../expectation.js";
import { findShapeDifferences } from "../preference-shape.js";
import { type Channels, type Preferences, toNext, type Update, updateOf } from "../preferences.js";
import type { TestContext } from "../test-context.js";

export function createPreferenceLaws(): Case[] {
  return toCases("updatePreferences", [...LEVELS, ...UNCHANGED, ...SHAPE], {
    needs: ["stateful"],
    changes: true,
  });
}

/** Each row is a sequence of updates; after each, the preferences are those of the model. */
const SEQUENCES: [string, string[], (data: Data) => Update[]][] = [
  [
    "a channel that is not named keeps its value",
    ["D-02", "§4.1"],
    ({ on, off }) => [{ channels: off }, { channels: { email: true } }, { channels: on }, { channels: { sms: false } }],
  ],
  [
    "without workflowId the global level changes",
    ["§4.1", "D-15"],
    ({ on, off }) => [{ channels: on }, { channels: off }, { channels: on }],
  ],
  [
    "with workflowId that workflow changes, and nothing else",
    ["§4.1", "D-14"],
    ({ on, off, workflowId }) => [{ channels: on }, { channels: off, workflowId }, { channels: on, workflowId }],
  ],
  [
    "the latest of global and workflow wins",
    ["D-15"],
    ({ on, off, workflowId }) => [
      { channels: off, workflowId },
      { channels: on },
      { channels: off, workflowId },
      { channels: off },
      { channels: on, workflowId },
      { channels: off },
    ],
  ],
  [
    "a global update keeps the workflow values of channels that it does not name",
    ["D-15"],
    ({ on, off, workflowId }) => [
      { channels: on },
      { channels: off, workflowId },
      { channels: { sms: false } },
      { channels: { email: true } },
    ],
  ],
  [
    "an update without channels changes nothing",
    ["D-04"],
    ({ off, workflowId }) => [{ channels: off }, { channels: {} }, { channels: {}, workflowId }],
  ],
  [
    "each channel by itself",
    ["§2.1"],
    ({ on, off }) =>
      Object.keys(on).flatMap((name) => [
        { channels: { [name]: false } },
        { channels: { [name]: true } },
        { channels: { [name]: off.email } } as Update,
      ]),
  ],
];

interface Data {
  on: Channels;
  off: Channels;
  workflowId: string;
}

const LEVELS: Law[] = SEQUENCES.map(([title, cites, toUpdates]) =>
  law(title, cites, async (context) => {
    const { read } = updateOf(context);
    const start = await read();
    const names = Object.keys(start.global.channels);
    const all = (value: boolean): Channels => Object.fromEntries(names.map((name) => [name, value]));
    await expectSequence(
      context,
      start,
      toUpdates({ on: all(true), off: all(false), workflowId: context.target.workflow }),
    );
  }),
);

/** Applies the updates in turn and compares each response, and the final state, with the model. */
export async function expectSequence(
  context: TestContext,
  start: Preferences,
  updates: readonly Update[],
): Promise<void> {
  const { send, read } = updateOf(context);
  let wanted = start;
  for (const update of updates) {
    wanted = toNext(wanted, update);
    const response = expectStatus(await send(update), 200);
    expectSame("body", wanted, response.body, response.request);
  }
  expectSame("preferences when they are read", wanted, await read());
}

const UNCHANGED: Law[] = [
  law("other subscribers are not changed", ["§4.1"], async (context) => {
    const { set, read } = updateOf(context);
    const before = await read(context.target.otherSubscriber);
    for (const email of [true, false]) {
      await set({ channels: { email } });
      await set({ channels: { email: !email }, workflowId: context.target.workflow });
      expectSame(
        `preferences of ${context.target.otherSubscriber}`,
        before,
        await read(context.target.otherSubscriber),
      );
    }
  }),
  law("a rejected update changes nothing", ["D-03", "D-49"], async (context) => {
    const { set, send, read } = updateOf(context);
    const before = await set({ channels: { email: true, sms: true } });
    const { operation } = context;
    const responses = [
      await send({ channels: { email: false, sms: "no" } }),
      await send({ channels: { email: false }, workflowId: "no-such-workflow-7f3a9c" }),
      await send({ channels: { email: false } }, { query: { x: 1 } }),
      await send({ channels: { email: false } }, { headers: { authorization: null } }),
      await context.send({
        operation: operation("updatePreferences"),
        rawBody: '{"channels":{"email":false}}',
        headers: { "content-type": "text/plain" },
      }),
    ];
    for (const response of responses) expectStatus(response, 401, 404, 415, 422);
    expectSame("preferences", before, await read());
  }),
];

const SHAPE: Law[] = [
  law("a workflow lists the channels of its active steps, and no others", ["D-08"], async (context) => {
    const { workflow: identifier, workflowChannels } = context.target;
    if (!workflowChannels) throw new NotApplicable("--workflow-channels is not given");
    const { workflows } = await updateOf(context).read();
    const entry = workflows.find(({ workflow }) => workflow.identifier === identifier);
    expectSame(`channels of ${identifier}`, workflowChannels.toSorted(), Object.keys(entry?.channels ?? {}).toSorted());
  }),
  law(
    "the response › enabled, channels, overrides and order",
    ["D-06", "D-07", "D-08", "D-09", "D-10"],
    async (context) => {
      const { set, read } = updateOf(context);
      const off: Channels = Object.fromEntries(
        Object.keys((await read()).global.channels).map((name) => [name, false]),
      );
      for (const update of [
        { channels: { email: true } },
        { channels: off },
        { channels: off, workflowId: context.target.workflow },
      ]) {
        const [broken] = findShapeDifferences(await set(update));
        if (broken) throw new ExpectationError({ ...broken, cites: [broken.cite] });
      }
    },
  ),
];
