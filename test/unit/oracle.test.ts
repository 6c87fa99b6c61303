import { describe, expect, test } from "vitest";
import { compareInstants, isMatch } from "../../src/oracle/notifications.js";

const AT = "2026-11-02T09:00:00";

describe("the oracle compares instants exactly (D-39, D-40)", () => {
  test.each([
    [`${AT}.817Z`, "<", `${AT}.8170001Z`],
    [`${AT}.817Z`, "<", `${AT}.817${"0".repeat(40)}1Z`],
    [`${AT}.8169999999Z`, "<", `${AT}.817Z`],
    [`${AT}.8Z`, "=", `${AT}.800Z`],
    [`${AT}Z`, "=", `${AT}.000z`],
    [`${AT}.5+05:30`, "=", "2026-11-02t03:30:00.5Z"],
    [`${AT}.000000000000000001Z`, ">", `${AT}Z`],
    ["2016-12-31T23:59:60.25Z", "=", "2017-01-01T00:00:00.25Z"],
    ["2017-01-01T00:59:60+01:00", "=", "2017-01-01T00:00:00Z"],
    ["0001-01-01T00:00:00.1Z", "<", "1969-12-31T23:59:59.05Z"],
    ["1969-12-31T23:59:59.9Z", "<", "1970-01-01T00:00:00Z"],
  ])("%s %s %s", (first, sign, second) => {
    expect(Math.sign(compareInstants(first, second))).toBe({ "<": -1, "=": 0, ">": 1 }[sign]);
    expect(Math.sign(compareInstants(second, first))).toBe({ "<": 1, "=": 0, ">": -1 }[sign]);
  });

  test("what is no instant is neither earlier nor later", () => {
    expect(compareInstants("yesterday", `${AT}Z`)).toBeNaN();
  });

  test("a record of .817 is before .8170001, and not after it", () => {
    const record = { createdAt: `${AT}.817Z` } as Parameters<typeof isMatch>[0];
    expect(isMatch(record, { before: `${AT}.8170001Z` })).toBe(true);
    expect(isMatch(record, { after: `${AT}.8170001Z` })).toBe(false);
    expect(isMatch(record, { after: `${AT}.8169999999Z` })).toBe(true);
  });
});
