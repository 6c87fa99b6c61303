// The review judges the smallest pairs of contracts as people did on paper. The quick suite judges a sample of them.
import { describe, expect, test } from "vitest";
import { findChanges } from "../../../src/tools/review/changes/find-changes.js";
import { SIZES } from "../../support/sizes.js";
import { loadSide, PAIRS, type Place, verdictOf } from "./small-pairs.js";

const MAX_LENGTH = 300;

describe("a smallest pair", () => {
  const rows = PAIRS.filter((_pair, index) => index % (2 * SIZES.everyEdit - 1) === 0).map((pair) => {
    const [place, before, after] = pair;
    return [`${place}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`.slice(0, MAX_LENGTH), pair] as const;
  });

  test.each(rows)("%s", async (_title, [place, before, after, want]) => {
    const changes = findChanges(await loadSide(place, before), await loadSide(place, after));
    const found = changes.map(({ id, class: kind, sentence }) => `${kind}: ${id} ${sentence}`).join("; ");
    expect(want.split("|"), found).toContain(verdictOf(changes));
    const placesOf = (isEquivalent: boolean) =>
      changes
        .filter(({ class: kind }) => (kind === "equivalent") === isEquivalent)
        .flatMap(({ pointers }) => pointers.map((pointer) => pointer.join("/")));
    const judged = placesOf(false);
    expect(placesOf(true).filter((place) => judged.includes(place))).toEqual([]); // one place, one verdict
    if (!want.includes("same")) expect(placesOf(true), "nothing of a change is called the same").toEqual([]);
  });
});

describe("a change reads", () => {
  const member = (schema: object | undefined) => ({ type: "object", ...(schema && { properties: { a: schema } }) });
  const header = (isRequired: boolean) => ({ in: "header", name: "X-Total", required: isRequired, schema: {} });
  const either = (value: object) => ({
    A: { oneOf: [{ $ref: "#/components/schemas/B" }] },
    B: { type: "object", properties: { a: value } },
  });

  test.each<[Place, unknown, unknown, string]>([
    [
      "response",
      member(undefined),
      member({ type: "string" }),
      "200 body.a is declared now (string), and could have any value before",
    ],
    [
      "response",
      member({ type: "integer" }),
      member(undefined),
      "200 body.a is no longer declared (integer), and may have any value now",
    ],
    ["parameter", header(true), header(false), "header.X-Total is optional now"],
  ])("%s: %j → %j", async (place, before, after, sentence) => {
    const changes = findChanges(await loadSide(place, before), await loadSide(place, after));
    expect(changes.map(({ places, sentence: own }) => `${places[0]} ${own}`)).toEqual([sentence]);
  });

  test("where it stands, if only the target of a reference has changed", async () => {
    const [before, after] = await Promise.all(
      [either({ type: "string" }), either({ type: "string", maxLength: 3 })].map((value) => loadSide("schemas", value)),
    );
    const [changed] = before && after ? findChanges(before, after) : [];
    expect(changed?.sentence).toContain("see `components › schemas › B › properties › a › maxLength`");
    expect(changed?.diff).toMatch(/^\+ +\d+ +"maxLength": 3$/m);
  });
});

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
