// Each kind of edit gets its verdict for both sides, and each break has a counterexample. Servers of both versions
// confirm it. The quick suite judges a sample of the edits, and proves some of them.
import { describe, expect, test } from "vitest";
import { createContract } from "../../../src/contract/contract.js";
import { parseContractFile } from "../../../src/contract/contract-file.js";
import { memoize } from "../../../src/contract/memoize.js";
import { type Change, placeOf } from "../../../src/tools/review/changes/change.js";
import { findChanges } from "../../../src/tools/review/changes/find-changes.js";
import { loadContractText } from "../../support/contract-text.js";
import { SIZES } from "../../support/sizes.js";
import {
  all,
  asItIs,
  BODY,
  change,
  drop,
  type Edit,
  editContract,
  having,
  listed,
  P,
  PARAMETER,
  requiring,
  S,
  text,
  withMember,
} from "./contract-edit.js";
import { BASIC_EDITS, type Verdict } from "./contract-edits.js";
import { DECIDED_EDITS } from "./decided-edits.js";
import { EVERYDAY_EDITS } from "./everyday-edits.js";
import { checkPrinted, proveCounterexample } from "./proof.js";
import { PROOF_EDITS } from "./proof-edits.js";
import { reasonsOf } from "./reasons.js";

/** The verdicts were written by hand before the code. */
const EDITS = [...BASIC_EDITS, ...DECIDED_EDITS, ...PROOF_EDITS, ...EVERYDAY_EDITS];

const TOLERATED = { class: "compatible", breaks: ["implementations"] };

const load = memoize((edit: Edit) => editContract(edit));

describe("an edit of the contract", () => {
  const rows = EDITS.map((row, index) => ({ ...row, isProven: index % SIZES.everyProof === 0 }));

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

test("an alternative that is closed, and has a member less, allows less", () => {
  const closed = (...names: string[]) => ({
    ...{ type: "object", additionalProperties: false },
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  });
  const payload = (...anyOf: object[]) => load(change(`${S}/Notification/properties/payload`, { anyOf }));
  const [lost] = findChanges(payload(closed("a", "b"), { type: "null" }), payload(closed("a"), { type: "null" }));
  expect(lost).toMatchObject({ places: ["200 body.data[].payload"], breaks: ["implementations"] });
});

const TOTAL = `${S}/NotificationPage/properties/total`;
const total = { type: "string", "x-decision": "D-03" };

test.each<[string, Edit, Edit, object]>([
  ["a new member that is always there", asItIs, withMember(`${S}/NotificationPage`, "total"), TOLERATED],
  ["a new optional member", asItIs, change(TOTAL, total), { ...TOLERATED, breaks: [] }],
  ["a member that is removed", withMember(`${S}/NotificationPage`, "total"), asItIs, { class: "breaking" }],
  ["another value of a member", asItIs, listed(`${S}/StepType/enum`, having("fax")), { class: "breaking" }],
  ["a new member that requests must have", asItIs, withMember(BODY, "reason"), { class: "breaking" }],
])("with a tolerant policy: %s", (_title, base, edit, want) => {
  expect(findChanges(load(base), load(edit))[0]).toMatchObject({ class: "breaking" });
  expect(findChanges(load(base), load(edit), "tolerant")[0]).toMatchObject(want);
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
])("a removed member says what stood in the base: %s", (_title, members, sentence) => {
  const base = all(change(TOTAL, { ...total, ...members }), requiring(`${S}/NotificationPage`, "total"));
  const [removed] = findChanges(load(base), load(asItIs));
  expect(removed?.sentence).toBe(sentence);
});

test.each([
  ["a parameter", /(?<=name: )topicKey/, "topic", "query.topicKey", "query.topic"],
  [
    "a member",
    /transactionId(?=]|:\n {10}type)/g,
    "transaction",
    "200 body.data[].transactionId",
    "200 body.data[].transaction",
  ],
])("%s with another name is said to be renamed, with the changed lines alone", (_title, from, to, old, own) => {
  const source = loadContractText();
  const text = source.text.replace(from, to);
  const changes = findChanges(load(asItIs), createContract(parseContractFile({ ...source, text })));
  const [removed, added] = [old, own].map((place) => changes.find(({ places }) => places.includes(place)));
  expect(removed?.sentence).toBe(`is renamed to \`${own}\``);
  expect(added).toMatchObject({ sentence: expect.not.stringContaining("renamed"), renamedFrom: old });
  expect(placeOf(added as Change), "one entry of a report").toBe(placeOf(removed as Change));
  for (const diff of [removed?.diff, added?.diff]) {
    const hunks = diff?.split(/^@@ .*\n/m) ?? [];
    for (const hunk of hunks.slice(1)) expect(hunk).toMatch(/^( {2}.*\n)*- .*\n\+ .*\n?( {2}.*\n?)*$/);
  }
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

test("a header is written as in the contract", () => {
  const [removed] = findChanges(load(asItIs), load(drop("components/responses/InProgress/headers/Retry-After")));
  expect(removed?.places).toContain("409 header.Retry-After");
});

describe("a sentence", () => {
  test("says why a new member of a closed response breaks clients", () => {
    const [added] = findChanges(load(asItIs), load(change(`${S}/Notification/properties/colour`, { type: "string" })));
    expect(added).toMatchObject({ class: "breaking", places: ["200 body.data[].colour"] });
    expect(added?.sentence).toMatch(/^may appear now\. .* allows no other members .* rejects it$/);
  });

  const topicKey = `${P}/topicKey/schema`;
  const [hasTotal, hasReason] = [withMember(`${S}/NotificationPage`, "total"), withMember(BODY, "reason")];
  const many = Array.from({ length: 200 }, (_, index) => `value${index}`);
  test.each<[string, Edit, Edit, string]>([
    [
      "few values, then any",
      change(topicKey, { enum: ["a", "b"] }),
      change(topicKey, { type: "string" }),
      "was one of `a`, `b` and may be another value now",
    ],
    [
      "many values, then others",
      change(topicKey, { enum: many }),
      change(topicKey, { enum: [...many.slice(20), "x"] }),
      "may be `x` now; `value0`, `value1`, `value2`, `value3`, `value4`, `value5`, `value6`, `value7` and 12 more were removed",
    ],
    [
      "any text, then few values",
      change(topicKey, { type: "string" }),
      change(topicKey, { enum: ["a", "b"] }),
      "must be one of `a`, `b` now",
    ],
    ["a required member is removed", hasTotal, asItIs, "is removed"],
    [
      "a member is new, and always there",
      asItIs,
      hasTotal,
      "is new, and always present. The old contract allows no other members here, so a client that validates responses rejects it",
    ],
    ["a member is new, and required", asItIs, hasReason, "is new, and required"],
    ["a bound", asItIs, change(`${P}/limit/schema/maximum`, 20), "maximum: 50 → 20"],
    ["a default", asItIs, change(`${P}/limit/schema/default`, 25), "default: 10 → 25"],
    [
      "a pattern",
      change(topicKey, { type: "string", pattern: "^a" }),
      change(topicKey, { type: "string", pattern: "^b" }),
      "pattern: `^a` → `^b`",
    ],
    [
      "a member that another one needs",
      asItIs,
      change(`${BODY}/dependentRequired`, { channels: ["workflowId"] }),
      "channels needs workflowId now",
    ],
    ["no key any more", asItIs, change("security", []), "key: `authorization` in the header → none"],
  ])("says what it was and what it is: %s", (_title, base, edit, want) => {
    expect(findChanges(load(base), load(edit)).map(({ sentence }) => sentence)).toContain(want);
  });
});

function toVerdict({ class: kind, breaks }: Change): Verdict {
  if (kind === "editorial" || kind === "equivalent" || kind === "undecided") return kind;
  return breaks.length === 2 ? "both" : (breaks[0] ?? "neither");
}

test.each<[title: string, from: string, to: string, lines: RegExp]>([
  [
    "a new required member: also the list that requires it",
    "required: [channels]\n      additionalProperties: false\n      x-decision: D-03\n      properties:\n",
    "required: [channels, reason]\n      additionalProperties: false\n      x-decision: D-03\n      properties:\n" +
      "        reason:\n          type: string\n          minLength: 1\n          maxLength: 9\n          description: Why.\n" +
      "          x-decision: D-03\n",
    /^@@ components › schemas\n.*\n- .*required: \[channels]\n\+ .*required: \[channels, reason]\n.*\+ .*reason:\n(\+ .*\n){5} {2}.*channels:/s,
  ],
  [
    "a removed response: what refers to it, not the component, which stays",
    '        "402": { $ref: "#/components/responses/OutsidePlan" }\n',
    "",
    /^@@ paths › \/v1\/notifications › get › responses\n( {2}.*\n){3}- .*"402".*(\n {2}.*){3}$/,
  ],
])("the lines of both files are whole, with those around them: %s", (_title, from, to, lines) => {
  const source = loadContractText();
  const text = source.text.replace(from, to);
  expect(text).not.toBe(source.text);
  const [changed] = findChanges(load(asItIs), createContract(parseContractFile({ ...source, text })));
  expect(changed?.diff).toMatch(lines);
});
