// Our own rules report what they should, and nothing else.
import { describe, expect, test } from "vitest";
import { agreements } from "../../../src/tools/review/lint/agreements.js";
import { requiredExamples, validExamples } from "../../../src/tools/review/lint/examples.js";
import {
  ignoredHeaders,
  patternTime,
  possibleMembers,
  toolingLimits,
} from "../../../src/tools/review/lint/pitfalls.js";
import { provenance } from "../../../src/tools/review/lint/provenance.js";
import type { LintRule } from "../../../src/tools/review/lint/ruleset.js";
import { editContract } from "./contract-edit.js";

const CONTRACT = editContract();

describe("the ruleset", () => {
  test("the schema of a whole response has no example of its own, all others have one", () => {
    const find = (place: string, value: unknown) => {
      const edited = editContract(({ set }) => set(place, value));
      return requiredExamples(edited).map(({ message }) => message);
    };
    expect(requiredExamples(CONTRACT)).toEqual([]);
    expect(find("components/schemas/NotificationPage/examples", [{}])).toEqual([
      "components › schemas › NotificationPage has an example, which Prism would prefer to those of the response. Remove it",
    ]);
    expect(find("components/schemas/Channel/examples", [])).toEqual(["components › schemas › Channel has no example"]);
  });

  test.each<[string, string, unknown, string]>([
    ["an example of a parameter", "components/parameters/limit/example", 99, "example must be <= 50"],
    ["an example of a header", "components/headers/Idempotency-Replay/example", "false", "must be equal to constant"],
    ["an example of a schema", "components/schemas/Channel/examples", ["fax"], "must be equal to one of"],
    ["a default", "components/parameters/limit/schema/default", 99, "default must be <= 50"],
  ])("%s is checked by its schema", (_title, place, value, words) => {
    expect(validExamples(CONTRACT)).toEqual([]);
    const edited = editContract(({ set }) => set(place, value));
    const messages = validExamples(edited).map(({ message, pointer }) => `${pointer.join("/")} ${message}`);
    expect(messages).toEqual([expect.stringMatching(`^${place} .*${words}`)]);
  });

  test.each<[string, string, unknown, string]>([
    ["prefixItems", "components/schemas/Channel", { prefixItems: [{}] }, "EOV responds with 500"],
    ["a discriminator", "components/schemas/Channel/discriminator", {}, "lose their place"],
    ["readOnly", "components/schemas/Channel/readOnly", true, "EOV requires it"],
    ["an unknown format", "components/schemas/Channel/format", "colour", "unknown to EOV"],
    ["a parameter of several types", "components/parameters/page/schema/type", ["integer", "null"], "several types"],
    ["a free-form parameter", "components/parameters/page/schema/type", "object", "free-form"],
    ["another media type of a body", "UPDATE/requestBody/content/text~1csv", { schema: {} }, "is not validated"],
  ])("%s is reported", (_title, place, value, words) => {
    expect(toolingLimits(CONTRACT)).toEqual([]);
    const edited = editContract(({ set }) => set(place, value));
    expect(
      toolingLimits(edited)
        .map(({ message }) => message)
        .join(),
    ).toContain(words);
  });

  test.each<[string, string, unknown]>([
    ["a response for all other statuses", "LIST/responses/default", { description: "Any." }],
    ["another media type of a response", "LIST/responses/200/content/text~1csv", { schema: {} }],
    ["parameters for a whole path", "paths/~1v1~1notifications/parameters", []],
  ])("%s is served, so not reported", (_title, place, value) => {
    expect(toolingLimits(editContract(({ set }) => set(place, value)))).toEqual([]);
  });

  const NEW_DECISION = {
    question: "x",
    clause: "§6",
    answer: "x",
    basis: "judgement",
    date: "2026-01-01",
    revisit: "x",
  };
  test.each<[string, LintRule, string, unknown, string]>([
    [
      "a parameter without a source or a decision",
      provenance,
      "components/parameters/search",
      { name: "search", in: "query" },
      "search has neither",
    ],
    ["a member without either", provenance, "components/schemas/Notification/properties/tags", {}, "tags has neither"],
    ["a clause that does not exist", provenance, "LIST/x-source", "§9.7", "§9.7, which is no clause"],
    ["a decision that does not exist", provenance, "LIST/x-decision", "D-99", "D-99, which is no decision"],
    ["a decision that is not used", provenance, "x-decisions/D-98", NEW_DECISION, "D-98 is not used"],
    ["a decision without an answer", provenance, "x-decisions/D-60/answer", "", "D-60 has no answer"],
    ["a decision of no day", provenance, "x-decisions/D-24/date", "2026-02-30", "is no date"],
    [
      "a bound beyond another one, written as exclusive",
      agreements,
      "components/parameters/limit/schema",
      { type: "integer", minimum: 1, exclusiveMaximum: 31 },
      "maximum is 30",
    ],
    ["a slow pattern", patternTime, "components/schemas/Channel/pattern", "^(a+)+$", "can take exponential time"],
    [
      "a required member that is not allowed",
      possibleMembers,
      "components/schemas/NotificationPage/required",
      ["more"],
      "more is required, but not among the properties",
    ],
    [
      "a header parameter that OpenAPI ignores",
      ignoredHeaders,
      "components/parameters/idempotencyKey/name",
      "Accept",
      "OpenAPI ignores the header Accept here",
    ],
    [
      "a response header that OpenAPI ignores",
      ignoredHeaders,
      "LIST/responses/200/headers/Content-Type",
      { schema: { type: "string" } },
      "OpenAPI ignores the header Content-Type here",
    ],
  ])("%s is reported", (_title, rule, place, value, words) => {
    expect(rule(CONTRACT)).toEqual([]);
    const edited = editContract(({ set }) => set(place, value));
    expect(
      rule(edited)
        .map(({ message }) => message)
        .join("; "),
    ).toContain(words);
  });

  test.each<[string, LintRule, string, unknown]>([
    [
      "the same bound, written as exclusive",
      agreements,
      "components/parameters/limit/schema",
      { type: "integer", minimum: 1, exclusiveMaximum: 51 },
    ],
    ["a pattern of groups that differ", patternTime, "components/schemas/Channel/pattern", "^[a-z]+(-[a-z]+)*$"],
  ])("%s is not reported", (_title, rule, place, value) => {
    expect(rule(editContract(({ set }) => set(place, value)))).toEqual([]);
  });
});
