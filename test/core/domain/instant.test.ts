import { describe, expect, test } from "vitest";
import { parseInstant } from "../../../src/core/domain/clock.js";

describe("instants (D-39)", () => {
  test.each([
    ["2026-11-02T09:00:00Z", Date.UTC(2026, 10, 2, 9)],
    ["2026-11-02t09:00:00z", Date.UTC(2026, 10, 2, 9)],
    ["2026-11-02T09:00:00.25+02:30", Date.UTC(2026, 10, 2, 6, 30, 0, 250)],
    ["2026-11-02T09:00:00-01:00", Date.UTC(2026, 10, 2, 10)],
    ["2016-12-31T23:59:60Z", Date.UTC(2017, 0, 1)],
    ["1970-01-01T00:00:00.0005Z", 0],
    ["1969-12-31T23:59:59.9995Z", -1],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000],
  ])("%s", (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  test.each([
    "yesterday",
    "2026-11-02",
    "2026-11-02 09:00:00Z",
    "2026-11-02T09:00:00",
    "2026-11-02T09:00:00+0200",
    "2026-02-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-11-02T24:00:00Z",
  ])("%s is invalid", (text) => {
    expect(() => parseInstant(text)).toThrow(RangeError);
  });
});
