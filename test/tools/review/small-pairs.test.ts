// The review judges the smallest pairs of contracts as people did on paper. The quick suite judges a sample of them.
import { describe, expect, test } from "vitest";
import { findChanges } from "../../../src/tools/review/changes/find-changes.js";
import { SIZES } from "../../support/sizes.js";
import { loadSide, PAIRS, verdictOf } from "./small-pairs.js";

const MAX_LENGTH = 300;

describe("a smallest pair", () => {
  const rows = PAIRS.filter((_pair, index) => index % SIZES.everyEdit === 0).map((pair) => {
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
  });
});

test("the lines of both files have only what is written in them, no default", async () => {
  const header = { schema: { type: "object", properties: { a: { type: "string" } } } };
  const sides = [header, { ...header, explode: true }].map((value) => loadSide("header", value));
  const [before, after] = await Promise.all(sides);
  const [changed] = before && after ? findChanges(before, after) : [];
  expect(changed?.diff).toMatch(/^\+ +\d+ +"explode": true$/m);
  expect(changed?.diff).not.toMatch(/^-/m);
});
