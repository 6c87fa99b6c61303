// Which changes are reasons to reject a contract, and which are not.
import { describe, expect, test } from "vitest";
import { settle } from "../../../src/tools/review/acceptances.js";
import type { RejectionReason } from "../../../src/tools/review/reasons.js";
import { contract } from "../../support/contract.js";
import { all, change, type Edit, editContract, P, S, withMember } from "./contract-edit.js";
import { reasonsOf, reasonTreesOf } from "./reasons.js";

const base = contract;
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
    ["not one with a major version", all(newMajor, change(`${P}/search/schema/minLength`, 2)), []],
    [
      "not a narrower response, which is still as its decision says",
      all(newMajor, change(`${S}/Notification/properties/channels/minItems`, 1)),
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

  test("is each text with new words for what was decided, accepted by itself", () => {
    const trees = reasonTreesOf(base, editContract(all(newMajor, ...texts)));
    const [page, ...others] = ["page", "limit", "after"].map((name) => `text:${P}/${name}/description`);
    const idsOf = (reasons: RejectionReason[]) => reasons.map(({ id }) => id);
    expect(idsOf(trees)).toEqual([page, ...others]);
    const { rejected, allowed } = settle(trees, [{ match: page ?? "", reason: "x", isWhole: true }], new Date());
    expect([idsOf(rejected), idsOf(allowed)]).toEqual([others, [page]]);
  });
});
