// What is wrong with a contract by itself is reported, and nothing else.
import { describe, expect, test } from "vitest";
import { lint } from "../../../src/tools/review/lint.js";
import { change, editContract, P, S } from "./contract-edit.js";

/** The messages of a rule about a contract with one value changed. */
const messagesOf = (rule: string, place: string, value: unknown) =>
  lint(editContract(change(place, value)))
    .filter((one) => one.rule === rule)
    .map(({ message }) => message);

const LIMIT = `${P}/limit/schema`;
const UPDATE_BODY = "UPDATE/requestBody/content/application~1json/examples/globalUpdate/value";

describe("lint", () => {
  test("the contract has no violation", () => {
    expect(lint(editContract())).toEqual([]);
  });

  test.each<[string, string, unknown, string]>([
    ["an example of a parameter", `${P}/limit/example`, 99, "example must be at most 50"],
    ["an example of a header", "components/headers/Idempotency-Replay/example", "false", "must be"],
    ["an example of a schema", `${S}/Channel/examples`, ["fax"], "must be one of"],
    ["a default", `${LIMIT}/default`, 99, "default must be at most 50"],
    ["an example of a body", `${UPDATE_BODY}/channels/fax`, true, "body.channels.fax is unknown"],
  ])("%s is checked by its schema", (_title, place, value, words) => {
    const [first, ...others] = lint(editContract(change(place, value)));
    expect([`${first?.place} ${first?.message}`, others]).toEqual([
      expect.stringMatching(`^${place.replaceAll("UPDATE", "paths.*patch").replaceAll("~1", "/")}.* .*${words}`),
      [],
    ]);
  });

  const exclusive = (exclusiveMaximum: number) => ({ type: "integer", minimum: 1, exclusiveMaximum });
  test.each<[string, string, string, unknown, string]>([
    ["an unknown format", "tooling-limits", `${S}/Channel/format`, "colour", "format colour is unknown"],
    [
      "another media type",
      "tooling-limits",
      "UPDATE/requestBody/content/text~1csv",
      { schema: {} },
      "is not validated",
    ],
    ["a bound beyond another one, written as exclusive", "agreements", LIMIT, exclusive(31), "set it to 30"],
    [
      "an impossible member",
      "possible-members",
      `${S}/NotificationPage/required`,
      ["more"],
      "more is required, but not",
    ],
    [
      "a link that leads nowhere",
      "linked-operations",
      "LIST/operationId",
      "getAll",
      "names the operation listNotifications, which",
    ],
    ["a header parameter", "ignored-headers", `${P}/idempotencyKey/name`, "Accept", "ignores the header Accept here"],
    [
      "a header",
      "ignored-headers",
      "LIST/responses/200/headers/Content-Type",
      { schema: {} },
      "the header Content-Type",
    ],
  ])("%s is reported", (_title, rule, place, value, words) => {
    expect(messagesOf(rule, place, value).join("; ")).toContain(words);
  });

  test.each<[string, string, string, unknown]>([
    ["a response for all other statuses", "tooling-limits", "LIST/responses/default", { description: "Any." }],
    ["another media type", "tooling-limits", "LIST/responses/200/content/text~1csv", { schema: {} }],
    ["parameters for a whole path", "tooling-limits", "paths/~1v1~1notifications/parameters", []],
    ["a format of JSON Schema", "tooling-limits", `${S}/Channel/format`, "hostname"],
    ["readOnly, which the validators know", "tooling-limits", `${S}/Channel/readOnly`, true],
    ["several types of a parameter", "tooling-limits", `${P}/page/schema/type`, ["integer", "null"]],
    ["the same bound, written as exclusive", "agreements", LIMIT, exclusive(51)],
  ])("%s is not reported", (_title, rule, place, value) => {
    expect(messagesOf(rule, place, value)).toEqual([]);
  });

  test("messages that list thousands of values are cut", () => {
    const values = Array.from({ length: 5000 }, (_, index) => `value${index}`);
    const lengths = lint(editContract(change(`${S}/Channel/enum`, values))).map(({ message }) => message.length);
    expect(Math.max(...lengths)).toBeGreaterThan(400);
    expect(Math.max(...lengths)).toBeLessThan(600);
  });
});
