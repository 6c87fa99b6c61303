// Which changes are reasons to reject a contract, and which are not.
import { describe, expect, test } from "vitest";
import { settle } from "../../../src/tools/review/acceptances.js";
import { findChanges } from "../../../src/tools/review/changes/find-changes.js";
import { type ExampleReview, reviewExamples } from "../../../src/tools/review/example-review.js";
import type { RejectionReason } from "../../../src/tools/review/find-reasons.js";
import {
  all,
  BODY,
  change,
  type Edit,
  editContract,
  lacking,
  listed,
  P,
  S,
  text,
  withMember,
  withParameter,
} from "./contract-edit.js";
import { reasonsOf, reasonTreesOf } from "./reasons.js";

const base = editContract();
const newMajor = change("info/version", "9.0.0");
const texts = ["limit", "page", "after"].map((name) => change(`${P}/${name}/description`, `Other words on ${name}.`));

const limits = [change(`${P}/limit/schema/maximum`, 1000), change(`${P}/limit/schema/default`, 20)];
const limitIds = ["default", "maximum"].map((keyword) => `listNotifications:request:query.limit:${keyword}`);

describe("a reason to reject", () => {
  test.each<[string, Edit, string[]]>([
    [
      "a breaking change without a major version",
      withMember(`${S}/PreferencesUpdate`, "reason"),
      ["updatePreferences:request:body.reason:properties"],
    ],
    ["not one with a major version", all(newMajor, withMember(`${S}/PreferencesUpdate`, "reason")), []],
    [
      "not a narrower response, which is still as its decision says",
      all(newMajor, listed(`${S}/Notification/properties/severity/enum`, lacking("none"))),
      [],
    ],
    [
      "what is wider than its decision",
      all(newMajor, change(`${P}/limit/schema/maximum`, 1000)),
      ["listNotifications:request:query.limit:maximum"],
    ],
    [
      "an operation with another name that links do not have",
      all(newMajor, change("UPDATE/operationId", "setPreferences")),
      ["text:paths//v2/subscribers/{subscriberId}/preferences/patch/operationId"],
    ],
    ["another default and another maximum, each by itself", all(newMajor, ...limits), limitIds],
  ])("is: %s", (_title, edit, want) => {
    expect(reasonsOf(base, editContract(edit)).filter((id) => !id.startsWith("lint:"))).toEqual(want);
  });

  test("stands beside another one of the same lines", () => {
    const contract = editContract(
      all(listed(`${S}/Channel/enum`, lacking("chat")), change(`${P}/limit/schema/maximum`, 20)),
    );
    const changes = findChanges(base, contract).map((one) => ({ ...one, diff: one.keyword }));
    const errors = [{ place: "200 body.workflows[].overrides[].channel", text: "wrong" }];
    const example = { outcome: "failed", title: "a", operation: "updatePreferences", errors, violated: [], line: 1 };
    const trees = reasonTreesOf(base, contract, { changes, examples: [example as unknown as ExampleReview], lint: [] });
    expect(trees.map(({ id, isByEffects }) => [id.split(":").slice(2).join(":"), isByEffects])).toEqual([
      ["query.channels[]:enum", undefined],
      ["200/body.workflows[].overrides[].channel:enum", true],
      ["query.limit:maximum", undefined],
    ]);
  });

  test("is each text with new words for what was decided, accepted by itself", () => {
    const trees = reasonTreesOf(base, editContract(all(newMajor, ...texts)));
    const [page, ...others] = ["page", "limit", "after"].map((name) => `text:${P}/${name}/description`);
    const idsOf = (reasons: RejectionReason[]) => reasons.map(({ id }) => id);
    expect(idsOf(trees)).toEqual([page, ...others]);
    const { rejected, allowed } = settle(trees, [{ match: page ?? "", reason: "x", isWhole: true }], new Date());
    expect([idsOf(rejected), idsOf(allowed)]).toEqual([others, [page]]);
  });
});

test.each([
  ["the line of its wrong value, not its own", [7], 7, "Correct the example e: a7"],
  ["the lines of all its wrong values", [7, 9], 7, "Correct the example e: a7; and line 9: a9"],
  ["of many, the lines alone", [7, 8, 9, 10, 11], 7, "Correct the example e: a7; and lines 8, 9, 10, 11"],
  ["its own line if it is wrong as a whole", [undefined], 1, "Correct the example e: aundefined"],
])("a wrong example names %s", (_title, lines, line, message) => {
  const errors = lines.map((own) => ({ place: "", text: `a${own}`, line: own }));
  const example = { outcome: "failed", title: "e", operation: "o", errors, violated: [], line: 1 };
  const [reason] = reasonTreesOf(base, base, { examples: [example as unknown as ExampleReview], lint: [] });
  expect(reason).toMatchObject({ line, message });
});

test.each<[string, Edit]>([
  ["parameter", withParameter({ name: "priority", schema: text })],
  ["member of a body", change(`${BODY}/properties/reason`, text)],
])(
  "a new optional %s makes no example wrong: an error for an unknown name quotes the nearest one, not all",
  async (_title, edit) => {
    const examples = await reviewExamples(editContract(edit));
    const quoting = examples.filter(({ status, violated }) => status === "422" && violated.length > 0);
    expect(quoting).not.toEqual([]);
    expect(examples.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  },
);
