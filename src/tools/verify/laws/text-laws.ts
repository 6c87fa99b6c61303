// Laws of text: ids and filters are compared as they stand, and no text causes an internal error.
// Decisions D-16, D-19, D-32 to D-38, D-50, D-69.
import { isSearchable } from "../../model/notifications.js";
import { findWorkflow, parseIdInSlug } from "../../model/preferences.js";
import { createCases, law, STORED } from "../case.js";
import { expectSame, expectStatus } from "../expectation.js";
import { expectFiltered, listedValues } from "../filter-model.js";
import type { TestContext } from "../test-context.js";
import { UNROUTABLE } from "../test-request.js";
import { citesOf } from "./filter-laws.js";

/** Blanks, control characters, and those that no font shows. */
const INVISIBLE = [
  " ",
  ..."\u0000 a\u0000b \ufeff \u200b \u202eabc \u2028 \u0085 \t a\r\nb \u007f \ufffd \uffff".split(" "),
];
/** Letters beyond ASCII, and those that another case or form equates with others. */
const OTHER_LETTERS = ["\u{1f600}", "\u{10ffff}", "e\u0301", "ｆｕｌｌ", "ß", "İ", "ı", "ſ", "\u212a", "שלום", "潮"];
/** In SQL and in URLs. */
const WILDCARDS = ["%", "_", "%%", "a%b", "%25", "%61"];
/** Regular expressions. */
const EXPRESSIONS = [".*", ".", "^", "$", "[", "]", "(", ")", "[a-z]", "\\", "\\d", "*", "+", "?", "{1}", "|"];
/** Of query languages, lists, URLs, paths, HTML, shells and templates. */
const SYNTAX = [
  ..."@ ' a;b a,b {} $where # & = a/b ../../.. <x> ` $(1) {{1}}".split(" "),
  '"',
  '{"$ne":null}',
  "' OR '1'='1",
];
/** Names that every object has. */
const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty"];
/** Values of other types, written as texts. */
const LITERALS = ["null", "undefined", "None", "nil", "true", "NaN", "0", "-1", "66e0"];

/** Texts that programs treat in a special way. */
const ODD_TEXTS = [...INVISIBLE, ...OTHER_LETTERS, ...WILDCARDS, ...EXPRESSIONS, ...SYNTAX, ...NAMES, ...LITERALS];
// No lone surrogate: RFC 8259 §8.2 leaves open what a reader makes of one, and common ones reject it.
/** A reader that guesses types changes these. */
const OF_OTHER_TYPES = ["2026-06-30T12:00:00.5+01:00", "007", "1.0", "1e3"];
const MOST_SLUGS = 4;
const LONG = ["x".repeat(7000)]; // a URL of more than 8 kB need not be read

/** Of values in other systems; here they are part of the value (D-26). */
const SEPARATORS = [",", ";", " ", "|"];

/** The filters for any text, and how many of them one query takes. */
const TEXT_FILTERS = { search: 1, transactionId: 1, topicKey: 1, emails: 10, subscriberIds: 10 };
/** Compared by the same code: each gets every other text. */
const ALIKE = ["transactionId", "topicKey"];
/** Reserved characters, which need no encoding. */
const RESERVED = /[;=,'()*!:@/?$]/;

export const FILTER_TEXT_LAWS = createCases(
  { operation: "listNotifications", needs: ["listing"] },
  Object.entries(TEXT_FILTERS).map(([name, count]) =>
    law(`${name} › any text is compared as it stands`, [...citesOf(name), "D-67.2"], async (context) => {
      const values = await listedValues(context, name);
      const existing = values.filter((value) => toRaw(value) !== encodeURIComponent(value));
      const odd = ODD_TEXTS.filter((_text, index) => !ALIKE.includes(name) || index % 2 === ALIKE.indexOf(name));
      const joined = SEPARATORS.map((separator) => values.slice(0, 2).join(separator));
      const forms = name === "search" ? createNearIds(context.target.subscriber) : values.slice(0, 1).map(addIgnorable);
      const near = [...forms, ...joined]; // last, so that no query has the values, too
      const texts = [...existing.slice(0, 5), ...odd, ...near].filter(
        (text) => name !== "search" || isSearchable(text),
      );
      for (let at = 0; at < texts.length; at += count) {
        const some = texts.slice(at, at + count);
        await expectFiltered(context, { [name]: some });
        const raw = some.map((text) => `${name}=${toRaw(text)}`).join("&");
        if (at < existing.length && RESERVED.test(some.join(""))) await expectFiltered(context, { [name]: some }, raw);
        if (at === 0)
          await expectFiltered(context, { [name]: some }, some.map((text) => `${name}=${escapeAll(text)}`).join("&"));
      }
      const reserved = odd.filter((text) => RESERVED.test(text)).join("a");
      await expectFiltered(context, { [name]: reserved }, `${name}=${toRaw(reserved)}`);
      for (const text of LONG) await expectFiltered(context, { [name]: text });
    }),
  ),
);

/** Adds a soft hyphen and a joiner, which comparisons by the rules of a language ignore. */
const addIgnorable = (text: string) => text.replace(/(?<=^.)/su, "\u00ad\u200d");

/** Encodes every character, in lower case: an equivalent spelling (RFC 3986 §6.2.2). */
export function escapeAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Encodes as little as RFC 3986 allows: reserved characters stay, except the separators of pairs. */
function toRaw(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(3B|3D|2C|3A|40|2F|3F|24)/g, decodeURIComponent);
}

export const UPDATE_TEXT_LAWS = createCases({ ...STORED, operation: "updatePreferences" }, [
  law(
    "path.subscriberId › any text is one, and what is wrong in the body is 422",
    ["D-47.1", "D-69.1"],
    async (context) => {
      for (const subscriberId of ["a.b", ODD_TEXTS.filter((text) => !isUnroutable(text)).join("a")]) // for a 404 it would not matter whether its path exists
        expectStatus(await context.update({ channels: { email: 1 } }, { path: { subscriberId } }), 422);
    },
    { place: "path.subscriberId" },
  ),
  law(
    "path.subscriberId › any text that is no subscriber's is 404",
    ["D-19.1", "D-69.1"],
    async (context) => {
      await expectNoSubscribers(context, [...ODD_TEXTS, ...LONG, "x".repeat(256)]);
    },
    { place: "path.subscriberId" },
  ),
  law(
    "path.subscriberId › a text that is nearly an existing one is 404",
    ["D-19.1", "D-69.1"],
    async (context) => {
      const existing = [...(await findSubscriberIds(context))];
      const odd = existing.filter((id) => /[^\w-]/.test(id)).slice(0, 3);
      const numbered = existing.filter((id) => /\d$/.test(id)).slice(0, 1);
      const ids = new Set([context.target.subscriber, ...odd, ...numbered]);
      await expectNoSubscribers(context, [...ids].flatMap(createNearIds));
    },
    { place: "path.subscriberId" },
  ),
  law(
    "body.workflowId › any text that is no workflow's is 404",
    ["D-16.3", "D-18.1"],
    async (context) => {
      const preferences = await context.read();
      const entry = findWorkflow(preferences, context.target.workflow);
      const { name = "", identifier = "", slug = "" } = entry?.workflow ?? {};
      const [nameInSlug, idInSlug] = slug.split(/(?=_wf_)/);
      const inOtherCase = slug.replace(/(?<=_wf_)\w+$/, (end) =>
        /[a-z]/.test(end) ? end.toUpperCase() : end.toLowerCase(),
      );
      const workflowSlugs = preferences.workflows.slice(0, MOST_SLUGS).map((other) => other.workflow.slug);
      const unknown = workflowSlugs.map((other) => other.replace(/\w{16}$/, "0".repeat(16)));
      const slugs = [nameInSlug, idInSlug, `${slug} `, slug.slice(0, -1), inOtherCase, ...unknown];
      const [id, otherId] = [slug, workflowSlugs.find((other) => other !== slug) ?? slug].map(parseIdInSlug);
      const joined = [`${id}${otherId}`, `${id},${otherId}`, `${identifier} ${id}`];
      const derived = [...createNearIds(identifier), ...joined, name, name.toLowerCase(), "f".repeat(24), ...slugs];
      const long = [...LONG, "x".repeat(10_000), "x".repeat(256)];
      for (const workflowId of [...ODD_TEXTS, ...derived, ...long]) {
        if (!workflowId || workflowId === slug || findWorkflow(preferences, workflowId)) continue;
        context.restart();
        expectStatus(await context.update({ channels: {}, workflowId }), 404);
      }
    },
    { place: "body.workflowId" },
  ),
  law("an error names the workflow as it was sent", ["D-18.2"], async ({ restart, update, assumeUnchanged }) => {
    assumeUnchanged("updatePreferences", { reads: ["404 ctx"] });
    const unknown = "no-such-workflow-7f3a9c";
    const spelled = [
      ` ${unknown} `,
      unknown.toUpperCase(),
      `<b>&amp;"'${unknown}</b>`,
      `${unknown}%20`,
      "ÉE\u0301 7f3a9c",
      ...OF_OTHER_TYPES,
    ];
    for (const workflowId of [unknown, `name_wf_${"0".repeat(10)}7f3a9c`, ...spelled]) {
      restart();
      const { body } = expectStatus(await update({ channels: {}, workflowId }), 404);
      expectSame("body.ctx.workflowId", workflowId, (body as { ctx?: { workflowId?: string } }).ctx?.workflowId);
    }
  }),
]);

async function expectNoSubscribers(context: TestContext, ids: readonly string[]): Promise<void> {
  const existing = await findSubscriberIds(context);
  for (const subscriberId of ids) {
    if (existing.has(subscriberId) || [".", ".."].includes(subscriberId)) continue; // these make another path
    context.restart();
    const request = { path: { subscriberId }, isUnroutable: isUnroutable(subscriberId) };
    expectStatus(await context.update({ channels: {} }, request), ...(request.isUnroutable ? UNROUTABLE : [404]));
  }
}

/** Some servers let no NUL into a path. */
const isUnroutable = (id: string) => id.includes("\0");

/** Texts that a server confuses with the id if it trims, folds, decodes twice, or compares a part. */
function createNearIds(id: string): string[] {
  const escaped = `%${(id.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}${id.slice(1)}`;
  const parts = /\d$/.test(id) ? [] : [id.slice(0, -1), id.slice(1)]; // user-1 is not near user-12
  const forms = ["NFC", "NFD", "NFKC"].map((form) => id.normalize(form));
  const plain = id.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const wide = id.replace(/[!-~]/, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0)); // ａda
  const folded = [id.toUpperCase(), id.toLowerCase(), plain, plain.toUpperCase(), wide, ...forms];
  const numbers = [id.replace(/(\d+)$/, "0$1"), id.replace(/(\d+)$/, "$1.0")];
  const longer = [" ", "\n", "\t", "\u00a0", "\u0000", "\u0000x", "/", "%", "%00"].map((end) => `${id}${end}`);
  const around = [` ${id}`, ` ${id} `, `\ufeff${id}`, addIgnorable(id), ...longer];
  const accented = id.replace(/[aeiou]/, "$&\u0301");
  const near = new Set([escaped, encodeURIComponent(id), accented, ...numbers, ...parts, ...folded, ...around]);
  return [...near].filter((text) => text !== id && text !== "");
}

/** Subscribers that are known to exist: those of the target's description, then those of its records. */
export async function findSubscriberIds({ target, can, snapshot }: TestContext): Promise<Set<string>> {
  const { subscriber, otherSubscriber, furtherSubscribers = [] } = target;
  const records = can("listing") ? (await snapshot()).records : [];
  const ids = records.flatMap((record) => record.subscriber?.subscriberId ?? []);
  return new Set([subscriber, otherSubscriber, ...furtherSubscribers, ...ids]);
}
