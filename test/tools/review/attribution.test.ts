// Which wrong examples and errors of lint belong to a change: by their place, not by a name that happens to be the
// same.
import { describe, expect, test } from "vitest";
import {
  all,
  change,
  type Edit,
  type EditableContract,
  editContract,
  S,
  withMember,
  withoutMember,
  withParameter,
  withStatus,
} from "./contract-edit.js";
import { list } from "./contract-edits.js";
import { reasonTreesOf } from "./reasons.js";

const base = editContract();

describe("beneath a change are", () => {
  test("what is left to correct after a change that may be made", () => {
    const isNew = withParameter({ name: "priority", schema: { type: "integer", default: "x" } });
    const id = `${list}:request:query.priority:existence`;
    const [first, ...others] = reasonTreesOf(base, editContract(isNew));
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      id,
      message: `${list}: query.priority is new. Correct what follows from it.`,
      follows: [{ id: expect.stringMatching(/^lint:valid-examples:.*default$/) }, { id: "version" }],
    });
    expect(
      reasonTreesOf(base, editContract(isNew), { lint: [] }).map((one) => one.id),
      "alone, it is no reason",
    ).toEqual(["version"]);
    const both = all(isNew, withStatus("LIST/responses/504"));
    expect(
      reasonTreesOf(base, editContract(both)).map((one) => one.id),
      "the version is not for one of two changes to answer for",
    ).toEqual([id, "version"]);
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
    const [first, ...others] = reasonTreesOf(base, contract);
    const beneath = JSON.stringify(first?.follows);
    for (const name of ["NotificationTopic", "Notification"]) expect(beneath).toContain(`${S}/${name}/examples`);
    expect(beneath).not.toContain("TriggerVariable");
    expect(others.map(({ id }) => id)).toContain(`lint:valid-examples:${S}/TriggerVariable/examples/0/name`);
  });
});
