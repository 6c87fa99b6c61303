// The review judges the smallest pairs of contracts as people did on paper: whom they break, in which words, with the
// lines of both files and counterexamples. The quick suite has a sample; in the full one, servers of both contracts
// confirm requests.
import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/tools/review/changes/change.js";
import { findChanges } from "../../../src/tools/review/changes/changes.js";
import { isFull, SIZES } from "../../support/sizes.js";
import { replayRequests } from "./proof.js";
import { loadSide, PAIRS, type PairVerdict, type Place, verdictOf } from "./small-pairs.js";

const MAX_LENGTH = 200;

describe("a smallest pair", () => {
  const rows = PAIRS.map((pair, index) => {
    const values = [pair.before, pair.after].map((value) => JSON.stringify(value)).join(" → ");
    return [`${pair.want}: ${pair.place} ${values}`.slice(0, MAX_LENGTH), pair, index] as const;
  });

  test.each(rows.filter((_row, index) => index % SIZES.everyPair === 0))(
    "%s",
    async (_title, { place, before, after, want, sentence, undone }, index) => {
      const [older, newer] = [await loadSide(place, before), await loadSide(place, after)];
      const changes = findChanges(older, newer);
      const [first] = changes.filter(isListed);
      expect([verdictOf(changes), first && `${first.places[0]} ${first.sentence}`]).toEqual([want, sentence]);
      expectShown(changes);
      const back = findChanges(newer, older);
      expect(verdictOf(back), "undone").toBe(undone);
      expectShown(back);
      if (!isFull || index % SIZES.everyReplay > 0) return;
      await replayRequests(changes, older, newer);
      await replayRequests(back, newer, older);
    },
  );
});

const isListed = ({ class: kind }: Change) => kind !== "editorial" && kind !== "equivalent";

/** Each change has its lines, and each break what shows it: of a server's address, the sentence does. */
function expectShown(changes: readonly Change[]): void {
  for (const { sentence, diff, breaks, keyword, counterexamples } of changes.filter(isListed)) {
    expect(diff, sentence).toMatch(/^[-+] /m);
    expect(keyword === "servers" ? breaks : Object.keys(counterexamples), sentence).toEqual(breaks);
  }
  const placesOf = (isEquivalent: boolean) =>
    changes
      .filter(({ class: kind }) => (kind === "equivalent") === isEquivalent)
      .flatMap(({ pointers }) => pointers.map((pointer) => pointer.join("/")));
  const judged = placesOf(false);
  expect(placesOf(true).filter((place) => judged.includes(place))).toEqual([]); // one place, one verdict
}

test.each([
  ["maxLength", "at most 2"],
  ["pattern", "match"],
])("the counterexample of %s is of %s", async (keyword, words) => {
  const text = { type: "string" };
  const [before, after] = [
    await loadSide("query", text),
    await loadSide("query", { ...text, maxLength: 2, pattern: "^a" }),
  ];
  const changed = findChanges(before, after).find((change) => change.keyword === keyword);
  expect(changed?.counterexamples.clients?.violation).toContain(words);
});

test("the lines of both files have only what is written in them, no default", async () => {
  const header = { schema: { type: "object", properties: { a: { type: "string" } } } };
  const sides = [header, { ...header, explode: true }].map((value) => loadSide("header", value));
  const [before, after] = await Promise.all(sides);
  const [changed] = before && after ? findChanges(before, after) : [];
  expect(changed?.diff).toMatch(/^\+ +\d+ +"explode": true$/m);
  expect(changed?.diff).not.toMatch(/^- .*explode/m);
});

const closed = { type: "object", additionalProperties: false };
const withMember = (more: object = {}) => ({ ...closed, properties: { a: { type: "string", ...more } } });
const always = (schema: object) => ({ ...schema, required: ["a"] });

test.each<[title: string, Place, before: object, after: object, whom: PairVerdict]>([
  ["a new optional member breaks nobody", "response", closed, withMember(), "nobody"],
  ["one that is always there breaks implementations", "response", closed, always(withMember()), "implementations"],
  ["a removed one breaks both", "response", always(withMember()), closed, "both"],
  ["another value of a member breaks clients", "response", { enum: ["x"] }, { enum: ["x", "y"] }, "clients"],
  ["a new member that requests must have breaks both", "request", closed, always(withMember()), "both"],
])("with a tolerant policy, %s", async (_title, place, before, after, whom) => {
  const changes = findChanges(await loadSide(place, before), await loadSide(place, after), "tolerant");
  expect(verdictOf(changes)).toBe(whom);
});

test.each<[string, object, string]>([
  ["not deprecated", {}, "is removed"],
  ["deprecated", { deprecated: true }, "is removed after it was deprecated"],
  [
    "past its sunset",
    { deprecated: true, "x-sunset": "2026-01-01" },
    "is removed after it was deprecated, and its x-sunset 2026-01-01 has passed",
  ],
  [
    "before its sunset",
    { deprecated: true, "x-sunset": "2999-01-01" },
    "is removed after it was deprecated, before its x-sunset 2999-01-01",
  ],
])("a removed member says what stood in the base: %s", async (_title, more, sentence) => {
  const [removed] = findChanges(
    await loadSide("response", always(withMember(more))),
    await loadSide("response", closed),
  );
  expect(removed?.sentence).toBe(sentence);
});

const ok = { description: "ok" };
const referring = (pathItem: object) => ({
  webhooks: { a: { $ref: "#/components/pathItems/A" } },
  components: { pathItems: { A: pathItem } },
});
const hook = { post: { responses: { 200: ok } } };
const ranges = { "2XX": ok, "3XX": ok, "4XX": ok, "5XX": ok };
const withExample = { ...withMember(), type: undefined, examples: ["x"] };
const A = { $ref: "#/components/schemas/A" };
const tree = (below: object, more: object = {}) => ({
  A: { type: "object", properties: { a: below, b: below, value: { type: "integer", ...more } } },
});

test.each<[title: string, Place, before: unknown, after: unknown, want: string[]]>([
  [
    "those of a schema that contains itself, once",
    "schemas",
    tree(A, { maximum: 5 }),
    tree(A, { maximum: 4 }),
    ["breaking: maximum: 5 → 4"],
  ],
  [
    "two at two places, with the same sentence",
    "schemas",
    tree(A),
    tree({ anyOf: [A, { type: "null" }] }),
    ["undecided: allows more than before", "undecided: allows more than before"],
  ],
  ["no value any more", "request", { not: { const: 1 } }, { not: {} }, ["breaking: allows no value any more"]],
  [
    "a member that is required beside an example that is no object",
    "request",
    withExample,
    always(withExample),
    ["breaking: is required now"],
  ],
  ["none by a default beside all ranges", "responses", ranges, { ...ranges, default: ok }, []],
  ["none by a webhook that is a component now", "document", { webhooks: { a: hook } }, referring(hook), []],
  [
    "one of a webhook whose component has changed",
    "document",
    referring(hook),
    referring({ ...hook, put: {} }),
    ["undecided: a component that it refers to has changed"],
  ],
])("the changes are: %s", async (_title, place, before, after, want) => {
  const changes = findChanges(await loadSide(place, before), await loadSide(place, after));
  expect(changes.filter(isListed).map(({ class: kind, sentence }) => `${kind}: ${sentence}`)).toEqual(want);
});
