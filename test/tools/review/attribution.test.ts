// Which wrong examples and errors of lint belong to a change: by their place, not by a name that happens to be the
// same.
import { describe, expect, test } from "vitest";
import type { Contract } from "../../../src/contract/contract.js";
import { memoize } from "../../../src/contract/memoize.js";
import { findChanges } from "../../../src/tools/review/changes/find-changes.js";
import type { ReviewResults } from "../../../src/tools/review/find-reasons.js";
import { validExamples } from "../../../src/tools/review/lint/example-rules.js";
import {
  all,
  change,
  type Edit,
  type EditableContract,
  editContract,
  moved,
  P,
  S,
  withMember,
  withoutMember,
  withParameter,
  withStatus,
} from "./contract-edit.js";
import { list } from "./contract-edits.js";
import { reasonTreesOf } from "./reasons.js";

const base = editContract();

/** A failing example of a response, with where it is wrong, and what of the request it says to be wrong. */
const exampleAt = (place: string, ...violated: string[]) => ({
  ...{ operation: list, status: "200", title: `${list} › 200 › one`, summary: "", line: 1 },
  ...{ outcome: "failed" as const, errors: [{ place, text: "" }], violated },
});
const changesOf = memoize((edited: Contract) => findChanges(base, edited));
const idsBeneath = (edited: Contract, known: Partial<ReviewResults>) =>
  reasonTreesOf(base, edited, { changes: changesOf(edited), lint: [], ...known })[0]?.follows?.map(({ id }) => id) ??
  [];

describe("beneath a change are", () => {
  const edited = editContract(change(`${S}/Notification/properties/to/type`, "string"));
  const limited = editContract(change(`${P}/limit/schema/maximum`, 20));

  test.each<[string, string, boolean]>([
    ["at the place", "200 body.data[].to", true],
    ["below it", "200 body.data[].to.email", true],
    ["elsewhere, with the name in its text", "200 body.page", false],
    ["at a longer name", "200 body.data[].topics", false],
    ["of another status", "422 body.data[].to", false],
  ])("wrong examples %s: %s", (_title, place, isBeneath) => {
    const ids = idsBeneath(edited, { examples: [exampleAt(place)] });
    expect(ids.some((id) => id.startsWith("example:"))).toBe(isBeneath);
  });

  test.each<[string, string, boolean]>([
    ["the parameter", "query.limit", true],
    ["another one whose name contains it", "query.limits", false],
  ])("wrong examples of errors about %s", (_title, violated, isBeneath) => {
    const ids = idsBeneath(limited, { examples: [exampleAt("422 body.message", violated)] });
    expect(ids.some((id) => id.startsWith("example:"))).toBe(isBeneath);
  });

  test.each<[string, Edit, string, string]>([
    ["another default", change(`${P}/limit/schema/default`, 20), list, "200"],
    ["another path", moved("paths/~1v1~1notifications", "paths/~1v1~1lists"), list, "200"],
    ["that no key is needed", change("security", []), list, "401"],
    ["that no key is needed", change("security", []), "updatePreferences", "401"],
  ])("wrong examples that follow from %s", (_title, edit, operation, status) => {
    const wrong = exampleAt(`${status} body.page`);
    const example = (name: string, of: string) => ({
      ...{ ...wrong, operation: name, status: of, title: `${name} › ${of} › one` },
    });
    const examples = [example(operation, status), example("getOther", "200")];
    const trees = reasonTreesOf(base, editContract(edit), { examples, lint: [] });
    expect(trees[0]?.follows?.map(({ id }) => id)).toContain(`example:${operation}/${status}/one`);
    expect(
      trees.map(({ id }) => id),
      "that of another operation stays",
    ).toContain("example:getOther/200/one");
  });

  test("what is left to correct after a change that may be made", () => {
    const isNew = withParameter({ name: "priority", schema: {} });
    const wrong = exampleAt("422 body.message", "query.priority");
    const trees = reasonTreesOf(base, editContract(isNew), { examples: [wrong], lint: [] });
    expect(trees).toHaveLength(1);
    expect(trees[0]).toMatchObject({
      id: `${list}:request:query.priority:existence`,
      message: `${list}: query.priority is new. Correct what follows from it.`,
      follows: [{ id: `example:${list}/200/one` }, { id: "version" }],
    });
    expect(
      reasonTreesOf(base, editContract(isNew), { lint: [] }).map(({ id }) => id),
      "alone, it is no reason",
    ).toEqual(["version"]);
    const both = all(isNew, withStatus("LIST/responses/504"));
    expect(
      reasonTreesOf(base, editContract(both), { examples: [wrong], lint: [] }).map(({ id }) => id),
      "the version is not for one of two changes to answer for",
    ).toEqual([`${list}:request:query.priority:existence`, "version"]);
  });

  test("no example beneath a deprecation, which changes no message", () => {
    const examples = [exampleAt("200 body.page")];
    const ids = idsBeneath(editContract(change(`${P}/emails/deprecated`, true)), { examples });
    expect(ids).not.toContain(`example:${list}/200/one`);
  });

  const TOPIC = `${S}/NotificationTopic`;
  const around = ({ get, set }: EditableContract) =>
    set(`${S}/Notification/examples/0/topics`, get(`${TOPIC}/examples`));
  test.each<[string, Edit]>([
    ["another bound", change(`${TOPIC}/properties/topicKey/minLength`, 100)],
    ["a new member", withMember(TOPIC, "colour")],
    ["a member less", withoutMember(TOPIC, "topicKey")],
  ])("examples that violate %s, also those of a schema around it, and no others", (_title, edit) => {
    const contract = editContract(all(edit, around, change(`${S}/TriggerVariable/examples`, [{ name: 1 }])));
    const lint = validExamples(contract).map((violation) => ({
      ...{ ...violation, rule: "valid-examples", isError: true, line: 1, place: violation.pointer.join("/") },
    }));
    const [first, ...others] = reasonTreesOf(base, contract, { lint });
    const beneath = JSON.stringify(first?.follows);
    for (const name of ["NotificationTopic", "Notification"]) expect(beneath).toContain(`${S}/${name}/examples`);
    expect(beneath).not.toContain("TriggerVariable");
    expect(others.map(({ id }) => id)).toContain(`lint:valid-examples:${S}/TriggerVariable/examples`);
  });
});
