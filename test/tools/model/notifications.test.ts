import { describe, expect, test } from "vitest";
import { isInverted } from "../../../src/tools/model/notifications.js";

const AT = "2026-11-02T09:00:00";

describe("the reference model compares instants (D-39, D-40)", () => {
  test.each([
    [`${AT}.817Z`, "<", `${AT}.817001Z`],
    [`${AT}.816999Z`, "<", `${AT}.817Z`],
    [`${AT}.8Z`, "=", `${AT}.800Z`],
    [`${AT}Z`, "=", `${AT}.000z`],
    [`${AT}.5+05:30`, "=", "2026-11-02t03:30:00.5Z"],
    ["2016-12-31T23:59:60.25Z", "=", "2017-01-01T00:00:00.25Z"],
    ["2017-01-01T00:59:60+01:00", "=", "2017-01-01T00:00:00Z"],
    ["0001-01-01T00:00:00.1Z", "<", "1969-12-31T23:59:59.05Z"],
    ["1969-12-31T23:59:59.9Z", "<", "1970-01-01T00:00:00Z"],
    ["yesterday", "is not comparable with", `${AT}Z`],
  ])("%s %s %s", (first, sign, second) => {
    expect(isInverted({ after: first, before: second })).toBe(false);
    expect(isInverted({ after: second, before: first })).toBe(sign === "<");
  });
});
