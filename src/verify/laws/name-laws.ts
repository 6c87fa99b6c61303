// Laws of names: which workflow and which subscriber an update addresses. Document §4.1, decisions D-16 to D-22 and D-69.
import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame, expectStatus, NotApplicable } from "../expectation.js";
import { type Channels, type Preferences, toIdInSlug, toNext, updateOf } from "../preferences.js";

export function createNameLaws(): Case[] {
  return toCases("updatePreferences", NAMES, { needs: ["stateful"], changes: true });
}

const NAMES: Law[] = [
  ...(["identifier", "slug", "_id", "_id in capitals", "slug from before a renaming"] as const).map((form) =>
    law(`workflowId › ${form}`, ["§4.1", "D-16"], async (context) => {
      const { set } = updateOf(context);
      const before = await set({ channels: { email: true, in_app: true } });
      const { slug, identifier, channels } = entryOf(before, context.target.workflow);
      const _id = toIdInSlug(slug);
      const forms = {
        identifier,
        slug,
        _id,
        "_id in capitals": _id.toUpperCase(),
        "slug from before a renaming": `old-name${slug.slice(slug.lastIndexOf("_wf_"))}`,
      };
      const off: Channels = Object.fromEntries(Object.keys(channels).map((name) => [name, false]));
      const after = await set({ channels: off, workflowId: forms[form] });
      expectSame("body", toNext(before, { channels: off, workflowId: identifier }), after);
    }),
  ),
  law("workflowId › anything else is 404", ["D-16", "D-18"], async (context) => {
    const { slug, identifier } = entryOf(await updateOf(context).read(), context.target.workflow);
    const near = [
      identifier.toUpperCase(),
      ` ${identifier}`,
      slug.slice(0, -1),
      slug.slice(slug.lastIndexOf("_wf_")),
      "f".repeat(24),
      `${slug.slice(0, -16)}${"0".repeat(16)}`,
    ];
    for (const workflowId of near) expectStatus(await updateOf(context).send({ channels: {}, workflowId }), 404);
  }),
  {
    ...law(
      "workflowId › the _templateId of notifications is the _id inside the slug",
      ["§4.1", "D-16", "D-22"],
      async (context) => {
        const { workflow } = context.target;
        const { records } = await context.snapshot();
        const record = records.find(({ template }) =>
          template?.triggers.some(({ identifier }) => identifier === workflow),
        );
        if (!record) throw new NotApplicable(`no notification belongs to ${workflow}`);
        const { slug } = entryOf(await updateOf(context).read(), workflow);
        expectSame("the _id inside the slug", record._templateId, toIdInSlug(slug));
      },
    ),
    needs: ["listing"],
  },
  law("an unknown subscriber › 404, and is not created", ["D-19"], async (context) => {
    const paths = ["nobody-7f3a9c", context.target.subscriber.toUpperCase(), `${context.target.subscriber}/x`, " "];
    for (const subscriberId of paths) {
      for (const _again of [1, 2])
        expectStatus(await updateOf(context).send({ channels: { email: true } }, { path: { subscriberId } }), 404);
    }
  }),
  {
    ...law("a subscriberId with any characters › percent-encoded, a slash included", ["D-69"], async (context) => {
      const ids = new Set((await context.snapshot()).records.map(({ subscriber }) => subscriber?.subscriberId ?? ""));
      const odd = [...ids].filter((id) => /[^\w-]/.test(id));
      if (odd.length === 0) throw new NotApplicable("no notification has a subscriber whose id needs encoding");
      for (const subscriberId of odd) await updateOf(context).read(subscriberId);
    }),
    needs: ["listing"],
  },
  {
    ...law("a subscriber's internal _id, or its email, is not a subscriberId", ["D-19"], async (context) => {
      const { records } = await context.snapshot();
      const subscribers = records.flatMap(({ subscriber }) => subscriber ?? []);
      const ids = new Set(subscribers.map(({ subscriberId }) => subscriberId));
      const { _id } = subscribers[0] ?? {};
      const { email } = subscribers.find((one) => one.email && !ids.has(one.email)) ?? {};
      for (const subscriberId of [_id, email].filter((text) => text !== undefined))
        expectStatus(await updateOf(context).send({ channels: {} }, { path: { subscriberId } }), 404);
    }),
    needs: ["listing"],
  },
  law("a critical workflow › 400, and nothing changes", ["D-20"], async (context) => {
    const { criticalWorkflow } = context.target;
    if (criticalWorkflow === undefined) throw new NotApplicable("--critical-workflow is not given");
    const { send, read } = updateOf(context);
    const before = await read();
    expectUnlisted(before, [criticalWorkflow]);
    expectStatus(
      await send({ channels: { email: before.global.channels.email !== true }, workflowId: criticalWorkflow }),
      400,
    );
    expectSame("preferences", before, await read());
  }),
  law("unlisted workflows accept updates, and stay unlisted", ["D-20", "D-21"], async (context) => {
    const { unlistedWorkflows } = context.target;
    if (unlistedWorkflows.length === 0) throw new NotApplicable("--unlisted-workflows is not given");
    const { set, read } = updateOf(context);
    const before = await read();
    expectUnlisted(before, unlistedWorkflows);
    for (const workflowId of unlistedWorkflows)
      expectSame("body", before, await set({ channels: { email: true }, workflowId }));
  }),
];

function expectUnlisted({ workflows }: Preferences, identifiers: readonly string[]): void {
  const listed = workflows.map(({ workflow }) => workflow.identifier).filter((one) => identifiers.includes(one));
  expectSame("workflows that are listed and should not be", [], listed);
}

function entryOf({ workflows }: Preferences, identifier: string) {
  const entry = workflows.find(({ workflow }) => workflow.identifier === identifier);
  if (!entry) throw new NotApplicable(`${identifier} (--workflow) is not listed`);
  return { ...entry.workflow, channels: entry.channels };
}
