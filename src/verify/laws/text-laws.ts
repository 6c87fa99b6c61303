// Laws of text: what a client may send as an id or a filter is compared as it stands, and never an internal error.
// Decisions D-16, D-19, D-32 to D-38, D-50, D-69.
import { type Case, type Law, law, toCases } from "../case.js";
import { expectSame, expectStatus } from "../expectation.js";
import { expectFiltered } from "../filter-oracle.js";
import { updateOf } from "../preferences.js";
import type { TestContext } from "../test-context.js";

export function createTextLaws(): Case[] {
  return [
    ...toCases("listNotifications", FILTERS, { needs: ["listing"] }),
    ...toCases("updatePreferences", UPDATES, { needs: ["stateful"], changes: true }),
  ];
}

/** Characters, patterns and names that programs treat in a special way. */
export const ODD_TEXTS = [
  ...["\u0000", "a\u0000b", "\ufeff", "\u200b", "\u202eabc", "\u2028", "\u0085", "\t", "a\r\nb", "\u007f"],
  ...["\ufffd", "\uffff"],
  ...["\u{1f600}", "\u{10ffff}", "e\u0301", "ｆｕｌｌ", "ß", "İ", "ı", "ſ", "\u212a", "שלום", "潮"],
  ...["%", "_", "%%", "a%b", "%25", "%61", ".*", ".", "^", "$", "[", "]", "(", ")", "[a-z]", "\\", "\\d", "*", "+"],
  ...["?", "{1}", "|", "@"],
  ...["'", '"', "' OR '1'='1", "a;b", "a,b", "{}", '{"$ne":null}', "$where", "#", "&", "=", "a/b", "../..", "<x>"],
  ...["`", "$(1)", "{{1}}"],
  ...["constructor", "__proto__", "toString", "hasOwnProperty", "null", "undefined", "true", "NaN", "0", "-1", "66e0"],
];
const LONG = ["x".repeat(7000), "é".repeat(1000)]; // a URL of more than 8 kB need not be read

const FILTERS: Law[] = [
  ...["search", "transactionId", "topicKey"].map((name) =>
    law(
      `${name} › any text is compared as it stands`,
      ["§4.2", { search: "D-34", transactionId: "D-37" }[name] ?? "D-38"],
      async (context) => {
        for (const text of [...ODD_TEXTS, ...LONG]) await expectFiltered(context, { [name]: text });
      },
    ),
  ),
  ...["emails", "subscriberIds"].map((name) =>
    law(
      `${name} › any text is compared as it stands`,
      ["§4.2", name === "emails" ? "D-32" : "D-33"],
      async (context) => {
        for (let at = 0; at < ODD_TEXTS.length; at += 10)
          await expectFiltered(context, { [name]: ODD_TEXTS.slice(at, at + 10) });
        for (const text of LONG) await expectFiltered(context, { [name]: text });
      },
    ),
  ),
];

const UPDATES: Law[] = [
  law("path.subscriberId › any text that is no subscriber's is 404", ["D-19", "D-69"], async (context) => {
    const known = await knownSubscribers(context);
    for (const subscriberId of [...ODD_TEXTS.filter((text) => text !== "." && text !== ".."), ...LONG, "x".repeat(256)])
      if (!known.has(subscriberId)) await expectUnknown(context, subscriberId);
  }),
  law("path.subscriberId › is decoded once, and compared in full", ["§4.1", "D-19", "D-69"], async (context) => {
    const known = await knownSubscribers(context);
    const odd = [...known].filter((id) => /[^\w-]/.test(id)).slice(0, 3);
    for (const id of new Set([context.target.subscriber, context.target.otherSubscriber, ...odd])) {
      const near = toNear(id).filter((text) => !known.has(text));
      for (const subscriberId of near) await expectUnknown(context, subscriberId);
    }
  }),
  law("body.workflowId › any text that is no workflow's is 404", ["D-16", "D-18"], async (context) => {
    const { workflows } = await updateOf(context).read();
    const known = new Set(workflows.map(({ workflow }) => workflow.identifier));
    const {
      name = "",
      identifier = "",
      slug = "",
    } = workflows.find(({ workflow }) => workflow.identifier === context.target.workflow)?.workflow ?? {};
    const own = [...toNear(identifier), name, name.toLowerCase(), slug.slice(0, slug.lastIndexOf("_wf_")), `${slug} `];
    const texts = [...ODD_TEXTS, ...LONG, ...own, "\ud800", "a\udfff", "x".repeat(10_000), "x".repeat(256)];
    for (const workflowId of texts) {
      if (known.has(workflowId) || workflowId === "") continue;
      context.restart();
      const rawBody = `{"channels":{},"workflowId":${JSON.stringify(workflowId)}}`;
      expectStatus(await updateOf(context).send(undefined, { rawBody }), 404);
    }
  }),
  law("body › a member with any other name is 422", ["D-03"], async (context) => {
    const names = [...ODD_TEXTS, " email", "email ", "email\u0000", "\ud800", "", "tool", "x".repeat(10_000)].map(
      (name) => JSON.stringify(name),
    );
    for (const [index, name] of names.entries()) {
      context.restart();
      const rawBody = index % 4 === 0 ? `{"channels":{},${name}:true}` : `{"channels":{${name}:true}}`;
      expectStatus(await updateOf(context).send(undefined, { rawBody }), 422);
    }
  }),
  law("an error names the workflow that was looked up", ["D-18"], async (context) => {
    const digits = `${"0".repeat(10)}7f3a9c`; // base62
    const forms = [
      ["no-such-workflow-7f3a9c", "no-such-workflow-7f3a9c"],
      [
        `name_wf_${digits}`,
        [...digits]
          .reduce((sum, digit) => sum * 62n + BASE62(digit), 0n)
          .toString(16)
          .padStart(24, "0"),
      ],
    ] as const;
    for (const [workflowId, wanted] of forms) {
      context.restart();
      const response = expectStatus(await updateOf(context).send({ channels: {}, workflowId }), 404);
      const { ctx } = response.body as { ctx?: { workflowId?: string } };
      expectSame("body.ctx.workflowId", wanted, ctx?.workflowId, response.request);
    }
  }),
];

const BASE62 = (digit: string) =>
  BigInt("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(digit));

/** Texts that a server takes for the id when it trims, folds, decodes twice, or compares a part. */
function toNear(id: string): string[] {
  const escaped = `%${(id.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}${id.slice(1)}`;
  const parts = /\d$/.test(id) ? [] : [id.slice(0, -1), id.slice(1)]; // user-1 is not near user-12
  const folded = [id.toUpperCase(), id.toLowerCase(), id.normalize("NFD"), id.normalize("NFKC")];
  const around = [
    ` ${id}`,
    `${id} `,
    `${id}\n`,
    `\ufeff${id}`,
    `${id}\u0000`,
    `${id}\u0000x`,
    `${id}/`,
    `${id}%`,
    `${id}%00`,
  ];
  return [...new Set([escaped, encodeURIComponent(id), ...parts, ...folded, ...around])].filter(
    (text) => text !== id && text !== "" && text !== "." && text !== "..",
  );
}

async function knownSubscribers({ target, snapshot }: TestContext): Promise<Set<string>> {
  const records = target.can.includes("listing") ? (await snapshot()).records : [];
  const ids = records.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []);
  return new Set([...ids, target.subscriber, target.otherSubscriber]);
}

async function expectUnknown(context: TestContext, subscriberId: string): Promise<void> {
  context.restart();
  expectStatus(await updateOf(context).send({ channels: {} }, { path: { subscriberId } }), 404);
}
