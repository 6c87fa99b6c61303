// Each kind of edit gets its verdict for both sides, and each break has a counterexample. Servers of both versions
// confirm it. The quick suite judges one of the edits; the full one proves some.
import { describe, expect, test } from "vitest";
import { memoize } from "../../../src/contract/memoize.js";
import { type Change, placeOf } from "../../../src/tools/review/changes/change.js";
import { findChanges } from "../../../src/tools/review/changes/changes.js";
import { isFull, SIZES } from "../../support/sizes.js";
import { loadText, SMALL_HEAD } from "../../support/small-contract.js";
import {
  all,
  asItIs,
  change,
  type Edit,
  editContract,
  having,
  listed,
  P,
  PARAMETER,
  S,
  text,
} from "./contract-edit.js";
import { BASIC_EDITS, type Verdict } from "./contract-edits.js";
import { DECIDED_EDITS } from "./decided-edits.js";
import { checkPrinted, proveCounterexample } from "./proof.js";
import { reasonsOf } from "./reasons.js";

/** The verdicts were written by hand before the code. */
const EDITS = [...BASIC_EDITS, ...DECIDED_EDITS];

const load = memoize((edit: Edit) => editContract(edit));

describe("an edit of the contract", () => {
  const rows = EDITS.map((row, index) => ({ ...row, isProven: isFull && index % SIZES.everyProof === 0 }));

  test.each(rows.filter((_row, index) => index % SIZES.everyEdit === 0))("$title", async (row) => {
    const { base = asItIs, edit, want } = row;
    const [before, after] = [load(base), load(edit)];
    const changes = findChanges(before, after);
    const verdicts = Object.fromEntries(changes.map((change) => [change.id, toVerdict(change)]));
    expect(verdicts).toMatchObject(want);
    const others = changes.filter(({ id, class: kind }) => kind !== "editorial" && !Object.hasOwn(want, id));
    expect(others, "no change but the wanted ones").toEqual([]);
    if (row.reasons) expect(reasonsOf(before, after, { changes }).toSorted()).toEqual(row.reasons.toSorted());
    for (const { id, breaks, counterexamples } of changes.filter((change) => change.breaks.length > 0)) {
      expect(Object.keys(counterexamples).length, `${id} has its counterexamples`).toBe(breaks.length);
      for (const counterexample of Object.values(counterexamples)) checkPrinted(counterexample, before, after);
      if (!row.isProven || row.unproven) continue;
      for (const counterexample of Object.values(counterexamples))
        await proveCounterexample(counterexample, before, after);
    }
  });
});

const CUPS = `${SMALL_HEAD}paths:
  /v1/cups:
    get:
      parameters:
        - { name: page, in: query, schema: { type: integer } }
        - name: colour
          in: query
          schema: { type: string }
      responses:
        "200":
          description: ok
          content: { application/json: { schema: { $ref: "#/components/schemas/Cup" } } }
        "401": { description: No key. }
        "402": { $ref: "#/components/responses/Unpaid" }
        "405": { description: Wrong method. }
        "422": { description: Invalid. }
        "500": { description: An error. }
    post:
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/NewCup" } } }
      responses: { "204": { description: Added. } }
components:
  responses:
    Unpaid: { description: Unpaid. }
  schemas:
    Cup:
      type: object
      required: [size, maker]
      additionalProperties: false
      properties:
        size: { type: integer }
        year: { type: integer }
        height: { type: integer }
        width: { type: integer }
        maker:
          type: string
          minLength: 1
    NewCup:
      type: object
      required: [size]
      additionalProperties: false
      properties:
        size: { type: integer }
`;

async function changesOf(from: string | RegExp, to: string): Promise<Change[]> {
  expect(CUPS).toMatch(from);
  return findChanges(await loadText(CUPS), await loadText(CUPS.replace(from, to)));
}

test.each([
  ["a parameter", "colour", "color", "query.colour", "query.color"],
  ["a member", /maker(?=]|:)/g, "potter", "200 body.maker", "200 body.potter"],
])("%s with another name is said to be renamed, with the changed lines alone", async (_title, from, to, old, own) => {
  const changes = await changesOf(from, to);
  const [removed, added] = [old, own].map((place) => changes.find(({ places }) => places.includes(place)));
  expect(removed?.sentence).toBe(`is renamed to \`${own}\``);
  expect(added).toMatchObject({ sentence: expect.not.stringContaining("renamed"), renamedFrom: old });
  expect(placeOf(added as Change), "one entry of a report").toBe(placeOf(removed as Change));
  for (const { diff } of [removed, added] as Change[]) expect(diff?.match(/^[-+]/gm)?.join("")).toMatch(/^(-\+)+$/);
});

test("parts with the same schema are not said to be renamed if several are new", () => {
  const named = (name: string) => having({ ...PARAMETER, name });
  const edit = all(
    change(`${P}/topicKey/name`, "topic"),
    listed("LIST/parameters", named("a")),
    change("LIST/parameters/0", { in: "query", name: "b", schema: text }),
  );
  const changes = findChanges(load(asItIs), editContract(edit));
  expect(changes.map(({ sentence }) => sentence).join()).not.toContain("renamed");
});

const MARK = { $ref: "#/components/schemas/Mark" };
const marks = { 200: { description: "Marks.", content: { "application/json": { schema: MARK } } } };
test.each<[string, Edit]>([
  ["operation", change("paths/~1v2~1marks", { get: { operationId: "listMarks", responses: marks } })],
  ["parameter", listed("LIST/parameters", having({ name: "mark", in: "query", schema: MARK }))],
])("a schema that only a new %s refers to is part of that change", (_title, edit) => {
  const schemas = all(
    change(`${S}/Mark`, { $ref: "#/components/schemas/Sign" }),
    change(`${S}/Sign`, { type: "string" }),
  );
  expect(findChanges(load(asItIs), editContract(all(edit, schemas)))).toHaveLength(1);
});

function toVerdict({ class: kind, breaks }: Change): Verdict {
  if (kind === "editorial" || kind === "equivalent" || kind === "undecided") return kind;
  return breaks.length === 2 ? "both" : (breaks[0] ?? "neither");
}

test.each<[title: string, from: string, to: string, lines: RegExp]>([
  [
    "a new required member: also the list that requires it",
    "required: [size]\n      additionalProperties: false\n      properties:\n",
    "required: [size, reason]\n      additionalProperties: false\n      properties:\n" +
      "        reason:\n          type: string\n          minLength: 1\n          maxLength: 9\n",
    /^@@ components › schemas\n.*\n- .*required: \[size]\n\+ .*required: \[size, reason]\n.*\+ .*reason:\n(\+ .*\n){3} {2}.*size:/s,
  ],
  [
    "a removed response: what refers to it, not the component, which stays",
    '        "402": { $ref: "#/components/responses/Unpaid" }\n',
    "",
    /^@@ paths › \/v1\/cups › get › responses\n( {2}.*\n){3}- .*"402".*(\n {2}.*){3}$/,
  ],
])("the lines of both files are whole, with those around them: %s", async (_title, from, to, lines) => {
  const [changed] = await changesOf(from, to);
  expect(changed?.diff).toMatch(lines);
});
