// Laws of names: which workflow and which subscriber an update addresses. Document §4.1, decisions D-16 to D-22 and
// D-69.
import type { Notification, Preferences } from "../../../contract/contract-types.js";
import { applyUpdate, findWorkflow, formatSlugEnd, parseIdInSlug, setAll } from "../../model/preferences.js";
import { createCases, law, STORED } from "../case.js";
import { assume, ExpectationError, expectIds, expectSame, expectStatus, expectThat } from "../expectation.js";
import type { TestContext } from "../test-context.js";
import { operationOf } from "../test-request.js";
import { escapeAll, findSubscriberIds } from "./text-laws.js";

/** Names of a workflow, made of its identifier and slug. */
const FORMS: Record<string, (identifier: string, slug: string) => string> = {
  identifier: (identifier) => identifier,
  slug: (_identifier, slug) => slug,
  _id: (_identifier, slug) => parseIdInSlug(slug),
  "_id in capitals": (_identifier, slug) => parseIdInSlug(slug).toUpperCase(),
  "slug from before a renaming": (_identifier, slug) => `old-name${slugEndOf(slug)}`,
  "slug with any name before its end": (_identifier, slug) => ` Old náme_${slugEndOf(slug)}`,
};

const FORM_CITES = ["§4.1", "D-16.1", "D-16.2", "D-22.1", "D-87.3"];

const slugEndOf = (slug: string) => slug.slice(slug.lastIndexOf("_wf_"));

/** Characters that RFC 3986 allows in a path besides letters and digits, encoded. */
const UNRESERVED = /%(24|26|2B|2C|3A|3B|3D|40)/g;

export const NAME_LAWS = createCases({ ...STORED, operation: "updatePreferences" }, [
  ...Object.entries(FORMS).map(([form, toName]) =>
    law(`workflowId › ${form}`, FORM_CITES, async ({ target, set }) => {
      const before = await set({ channels: { email: true, in_app: true } });
      const { workflow, channels } = entryOf(before, target.workflow);
      const off = setAll(channels, false);
      const after = await set({ channels: off, workflowId: toName(workflow.identifier, workflow.slug) });
      expectSame("body", applyUpdate(before, { channels: off, workflowId: workflow.identifier }), after);
    }),
  ),
  law(
    "an unknown subscriber › 404, and is not created",
    ["D-19.1", "D-19.2"],
    async ({ target, update }) => {
      const unknown = ["nobody-7f3a9c", target.subscriber.toUpperCase(), `${target.subscriber}/x`, " "];
      for (const subscriberId of unknown.flatMap((id) => [id, id]))
        expectStatus(await update({ channels: { email: true } }, { path: { subscriberId } }), 404);
    },
    { place: "path.subscriberId" },
  ),
  law(
    "a subscriberId with any characters › is encoded",
    ["D-69.1", "D-87.1"],
    async (context) => {
      context.require("listing");
      const ids = await findSubscriberIds(context);
      const odd = [...ids].filter((id) => /[^\w-]/.test(id));
      assume(odd.length > 0, "`subscribers` has none whose id needs encoding, nor has a notification", "subscribers");
      const { path } = operationOf(context.contract, "updatePreferences");
      const send = (text: string) => context.update({ channels: {} }, { url: path.replace(/{[^}]+}/, () => text) });
      for (const id of odd) {
        const response = await send(encodeURIComponent(id));
        const isSplit = id.includes("/") && response.status === 404;
        const sentence = `The route splits ${id} at its %2F, so that the subscriber is not found.`;
        expectThat(!isSplit, {
          what: "path.subscriberId",
          expected: 200,
          actual: 404,
          sentence,
          request: response.request,
        });
        expectStatus(response, 200);
        expectStatus(await send(escapeAll(id)), 200);
        expectStatus(await send(encodeURIComponent(id).replaceAll(UNRESERVED, decodeURIComponent)), 200);
        const withPlus = id.replaceAll(" ", "+"); // which stands for itself in a path
        if (!ids.has(withPlus)) expectStatus(await send(encodeURIComponent(withPlus).replaceAll("%2B", "+")), 404);
      }
    },
    { place: "path.subscriberId" },
  ),
  law("the workflows › are those that are described", ["D-08.1", "D-10.1"], async (context) => {
    const { listedWorkflows = [] } = context.target;
    assume(listedWorkflows.length > 0, "needs `workflows` in verify.config.json", "workflows");
    await context.read();
    const { workflows } = expectStatus(await context.update(), 200).body as Preferences; // in the target's order
    const identifiers = workflows.map(({ workflow }) => workflow.identifier);
    const expected = listedWorkflows.map(({ identifier }) => identifier);
    expectIds("workflows of the response", { what: "body.workflows", expected, actual: identifiers });
    for (const [index, { channels }] of listedWorkflows.entries()) {
      const shown = Object.keys(workflows[index]?.channels ?? {});
      if (channels) expectSame("channels of a workflow", channels.toSorted(), shown.toSorted());
    }
  }),
  law(
    "a subscriber's internal _id, or its email, is not a subscriberId",
    ["D-19.1"],
    async (context) => {
      context.require("listing");
      const subscribers = (await context.snapshot()).records.flatMap(({ subscriber }) => subscriber ?? []);
      const ids = new Set(subscribers.map(({ subscriberId }) => subscriberId));
      const { email } = subscribers.find((subscriber) => subscriber.email && !ids.has(subscriber.email)) ?? {};
      for (const subscriberId of [subscribers[0]?._id, email])
        if (subscriberId !== undefined)
          expectStatus(await context.update({ channels: {} }, { path: { subscriberId } }), 404);
    },
    { place: "path.subscriberId" },
  ),
  law(
    "a critical workflow › 400 by each of its names, and nothing changes",
    ["D-16.1", "D-20.1"],
    async (context) => {
      const { target, read, update, can } = context;
      const { criticalWorkflow } = target;
      assume(criticalWorkflow !== undefined, "needs `criticalWorkflow` in verify.config.json", "criticalWorkflow");
      const before = await read();
      expectUnlisted(before, [criticalWorkflow]);
      const email = before.global.channels.email !== true;
      const id = can("listing") ? await findWorkflowId(context, criticalWorkflow) : undefined;
      const names = [criticalWorkflow, ...(id === undefined ? [] : [id, id.toUpperCase(), `name${formatSlugEnd(id)}`])];
      for (const workflowId of names) expectStatus(await update({ channels: { email }, workflowId }), 400);
      expectSame("body", before, await read());
    },
    { place: "body.workflowId" },
  ),
  law("a slug begins with the name of its workflow", ["D-22.1"], async ({ read }) => {
    const { workflows } = await read();
    const plain = workflows.filter(({ workflow }) => isPlainName(workflow.name));
    assume(plain.length > 0, "no workflow has a name of ASCII letters");
    for (const { workflow } of plain) {
      const expected = workflow.name.replaceAll(/ |(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
      const [actual] = workflow.slug.split(/_wf_(?=\w{16,17}$)/);
      expectSame("the slug before _wf_", expected, actual);
    }
  }),
  law("unlisted workflows accept updates", ["D-20.3", "D-21.1", "D-21.2"], async ({ target, read, set }) => {
    const { unlistedWorkflows } = target;
    assume(unlistedWorkflows.length > 0, "needs `unlistedWorkflows` in verify.config.json", "unlistedWorkflows");
    const before = await read();
    expectUnlisted(before, unlistedWorkflows);
    for (const workflowId of unlistedWorkflows)
      expectSame("body", before, await set({ channels: { email: true }, workflowId }));
  }),
  {
    ...law("path.subscriberId › an unencoded slash is 404", ["D-69.2"], async (context) => {
      const odd = [...(await findSubscriberIds(context))].filter((id) => id.includes("/")).slice(0, 2);
      for (const id of [`${context.target.subscriber}/x`, ...odd]) {
        const url = `/v2/subscribers/${encodeURIComponent(id).replaceAll("%2F", "/")}/preferences`;
        expectStatus(await context.send({ url, method: "PATCH", body: { channels: {} } }), 404);
      }
    }),
    needs: [], // no target has such a path
  },
]);

/**
 * True for words of ASCII letters: what becomes of other characters, or of two capitals that follow each other, is
 * open.
 */
const isPlainName = (name: string) => /^[A-Za-z]+( [A-Za-z]+)*$/.test(name) && !/[A-Z]{2}/.test(name);

/** The `_id` of a workflow, from a record that names it. */
async function findWorkflowId({ snapshot }: TestContext, identifier: string): Promise<string | undefined> {
  const { records } = await snapshot();
  const isOfWorkflow = ({ template }: Notification) =>
    template?.triggers.some((trigger) => trigger.identifier === identifier);
  return records.find((record) => record._templateId !== undefined && isOfWorkflow(record))?._templateId;
}

function expectUnlisted(preferences: Preferences, identifiers: readonly string[]): void {
  const listedNames = identifiers.filter((identifier) => findWorkflow(preferences, identifier));
  expectIds("workflows that are listed and should not be", {
    what: "body.workflows",
    expected: [],
    actual: listedNames,
  });
}

const MOST_LISTED = 200; // D-10

function entryOf(preferences: Preferences, identifier: string) {
  const entry = findWorkflow(preferences, identifier);
  if (entry) return entry;
  const listed = preferences.workflows.map(({ workflow }) => workflow.identifier);
  assume(listed.length < MOST_LISTED, `${identifier} (--workflow) is not among the ${MOST_LISTED} that are listed`);
  const values = { what: "body.workflows", expected: identifier, actual: listed, kind: "missing" } as const;
  throw new ExpectationError({ ...values, sentence: `${identifier} is not listed.`, cites: ["D-10.1"] });
}
