// What is wrong with a contract by itself is reported, and nothing else.
import { describe, expect, test } from "vitest";
import { lint } from "../../../src/tools/review/lint.js";
import { all, change, editContract, P, S } from "./contract-edit.js";

type Row = [place: string, value: unknown, words: string];

/** What is wrong with the contract once all these values are changed. */
const lintEdited = (rows: readonly (readonly [place: string, value: unknown, ...rest: unknown[]])[]) =>
  lint(editContract(all(...rows.map(([place, value]) => change(place, value)))));

const LIMIT = `${P}/limit/schema`;
const UPDATE_BODY = "UPDATE/requestBody/content/application~1json/examples/globalUpdate/value";

describe("lint", () => {
  test("the contract has no violation", () => {
    expect(lint(editContract())).toEqual([]);
  });

  const EXAMPLES: Row[] = [
    [`${P}/limit/example`, 99, "example must be at most 50"],
    ["components/headers/Idempotency-Replay/example", "false", "must be"],
    [`${S}/Channel/examples`, ["fax"], "must be one of"],
    [`${LIMIT}/default`, 99, "default must be at most 50"],
    [`${UPDATE_BODY}/channels/fax`, true, "body.channels.fax is unknown"],
  ];
  const ofExamples = lintEdited(EXAMPLES).map(({ place, message }) => `${place} ${message}`);

  test.each(EXAMPLES)("%s is checked by its schema", (place, _value, words) => {
    const start = place.replaceAll("UPDATE", "paths.*patch").replaceAll("~1", "/");
    expect(ofExamples).toContainEqual(expect.stringMatching(`^${start}.* .*${words}`));
    expect(ofExamples).toHaveLength(EXAMPLES.length);
  });

  const exclusive = (exclusiveMaximum: number) => ({ type: "integer", minimum: 1, exclusiveMaximum });
  const REPORTED: Row[] = [
    [`${S}/Channel/format`, "colour", "format colour is unknown"],
    ["UPDATE/requestBody/content/text~1csv", { schema: {} }, "is not validated"],
    [LIMIT, exclusive(31), "set it to 30"],
    [`${S}/NotificationPage/required`, ["more"], "more is required, but not"],
    ["LIST/operationId", "getAll", "names the operation listNotifications, which"],
    [`${P}/idempotencyKey/name`, "Accept", "ignores the header Accept here"],
    ["LIST/responses/200/headers/Content-Type", { schema: {} }, "the header Content-Type"],
  ];
  const reported = lintEdited(REPORTED).map(({ message }) => message);

  test.each(REPORTED)("%s with %j is reported", (_place, _value, words) => {
    expect(reported).toContainEqual(expect.stringContaining(words));
  });

  test("what has an effect is not reported", () => {
    const violations = lintEdited([
      ["LIST/responses/default", { description: "Any." }],
      ["LIST/responses/200/content/text~1csv", { schema: {} }],
      ["paths/~1v1~1notifications/parameters", []],
      [`${S}/Channel/format`, "hostname"],
      [`${S}/Channel/readOnly`, true],
      [`${P}/page/schema/type`, ["integer", "null"]],
      [LIMIT, exclusive(51)], // as its maximum of 50
    ]);
    expect(violations.filter(({ rule }) => /tooling-limits|agreements/.test(rule))).toEqual([]);
  });

  test("messages that list thousands of values are cut", () => {
    const values = Array.from({ length: 5000 }, (_, index) => `value${index}`);
    const lengths = lint(editContract(change(`${S}/Channel/enum`, values))).map(({ message }) => message.length);
    expect(Math.max(...lengths)).toBeGreaterThan(400);
    expect(Math.max(...lengths)).toBeLessThan(600);
  });
});
