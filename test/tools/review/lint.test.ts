// Our own rules report what they should, and nothing else.
import { describe, expect, test } from "vitest";
import { agreements } from "../../../src/tools/review/lint/agreements.js";
import { requiredExamples, validExamples } from "../../../src/tools/review/lint/example-rules.js";
import {
  ignoredHeaders,
  linkedOperations,
  patternTime,
  possibleMembers,
  toolingLimits,
} from "../../../src/tools/review/lint/pitfalls.js";
import { provenance } from "../../../src/tools/review/lint/provenance.js";
import { type LintRule, OWN_RULES } from "../../../src/tools/review/lint/ruleset.js";
import { change, editContract, P, S } from "./contract-edit.js";

const CONTRACT = editContract();
const messagesOf = (rule: LintRule, place: string, value: unknown) =>
  rule(editContract(change(place, value))).map(({ message }) => message);

const LIMIT = `${P}/limit/schema`;
const NEW_DECISION = { question: "x", clause: "§6", answer: "x", basis: "judgement" };

describe("our rules", () => {
  test.each(Object.entries(OWN_RULES))("%s: the contract has no violation", (_name, { rule }) => {
    expect(rule(CONTRACT)).toEqual([]);
  });

  test("the schema of a whole response has no example of its own, all others have one", () => {
    expect(messagesOf(requiredExamples, `${S}/NotificationPage/examples`, [{}])).toEqual([
      "components › schemas › NotificationPage has an example, which Prism would prefer to those of paths › /v1/notifications › get › responses › 200. Remove it",
    ]);
    const missing = ["components › schemas › Channel has no example"];
    expect(messagesOf(requiredExamples, `${S}/Channel/examples`, [])).toEqual(missing);
  });

  test.each<[string, string, unknown, string]>([
    ["an example of a parameter", `${P}/limit/example`, 99, "example must be at most 50"],
    ["an example of a header", "components/headers/Idempotency-Replay/example", "false", "must be"],
    ["an example of a schema", `${S}/Channel/examples`, ["fax"], "must be one of"],
    ["a default", `${LIMIT}/default`, 99, "default must be at most 50"],
  ])("%s is checked by its schema", (_title, place, value, words) => {
    const violations = validExamples(editContract(change(place, value)));
    const messages = violations.map(({ message, pointer }) => `${pointer.join("/")} ${message}`);
    expect(messages).toEqual([expect.stringMatching(`^${place} .*${words}`)]);
  });

  const exclusive = (exclusiveMaximum: number) => ({ type: "integer", minimum: 1, exclusiveMaximum });
  test.each<[string, LintRule, string, unknown, string]>([
    ["an unknown format", toolingLimits, `${S}/Channel/format`, "colour", "format colour is unknown"],
    ["another media type", toolingLimits, "UPDATE/requestBody/content/text~1csv", { schema: {} }, "is not validated"],
    ["a parameter without a source", provenance, `${P}/search`, { name: "search", in: "query" }, "search has neither"],
    ["a member without a source", provenance, `${S}/Notification/properties/tags`, {}, "tags has neither"],
    ["a clause that does not exist", provenance, "LIST/x-source", "§9.7", "§9.7, which the document does not"],
    ["a decision that does not exist", provenance, "LIST/x-decision", "D-99", "D-99, which x-decisions does not"],
    ["a decision that is not used", provenance, "x-decisions/D-98", NEW_DECISION, "D-98 is not used"],
    ["a decision without an answer", provenance, "x-decisions/D-60/answer", "", "D-60 has no answer"],
    ["a bound beyond another one, written as exclusive", agreements, LIMIT, exclusive(31), "set it to 30"],
    ["a slow pattern", patternTime, `${S}/Channel/pattern`, "^(a+)+$", "can take exponential time"],
    ["an impossible member", possibleMembers, `${S}/NotificationPage/required`, ["more"], "more is required, but not"],
    [
      "a link that leads nowhere",
      linkedOperations,
      "LIST/operationId",
      "getAll",
      "names the operation listNotifications, which",
    ],
    ["a header parameter", ignoredHeaders, `${P}/idempotencyKey/name`, "Accept", "ignores the header Accept here"],
    ["a header", ignoredHeaders, "LIST/responses/200/headers/Content-Type", { schema: {} }, "the header Content-Type"],
  ])("%s is reported", (_title, rule, place, value, words) => {
    expect(messagesOf(rule, place, value).join("; ")).toContain(words);
  });

  test.each<[string, LintRule, string, unknown]>([
    ["a response for all other statuses", toolingLimits, "LIST/responses/default", { description: "Any." }],
    ["another media type", toolingLimits, "LIST/responses/200/content/text~1csv", { schema: {} }],
    ["parameters for a whole path", toolingLimits, "paths/~1v1~1notifications/parameters", []],
    ["a format of JSON Schema", toolingLimits, `${S}/Channel/format`, "hostname"],
    ["readOnly, which the validators know", toolingLimits, `${S}/Channel/readOnly`, true],
    ["several types of a parameter", toolingLimits, `${P}/page/schema/type`, ["integer", "null"]],
    ["the same bound, written as exclusive", agreements, LIMIT, exclusive(51)],
    ["a pattern of groups that differ", patternTime, `${S}/Channel/pattern`, "^[a-z]+(-[a-z]+)*$"],
  ])("%s is not reported", (_title, rule, place, value) => {
    expect(messagesOf(rule, place, value)).toEqual([]);
  });
});
