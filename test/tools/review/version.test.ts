// Versions by semantic versioning, strictly.
import { describe, expect, test } from "vitest";
import type { Change, ChangeClass } from "../../../src/tools/review/changes/change.js";
import { reviewVersion } from "../../../src/tools/review/version.js";

type Row = [kind: ChangeClass | undefined, before: string, after: string, isEnough: boolean, error?: RegExp];

describe("reviewVersion", () => {
  test.each<Row>([
    ["breaking", "1.2.3", "2.0.0", true],
    ["breaking", "1.2.3", "1.3.0", false],
    ["breaking", "1.2.3", "2.0.0-rc.1", true],
    ["breaking", "2.0.0-rc.1", "2.0.0-rc.2", true],
    ["breaking", "2.0.0-rc.1", "2.0.0", true],
    ["compatible", "1.2.3", "1.3.0", true],
    ["compatible", "1.2.3", "1.2.4", false],
    ["undecided", "1.2.3", "1.2.4", false],
    ["editorial", "1.2.3", "1.2.4+build.5", true],
    ["equivalent", "1.2.3", "1.2.3", true],
    [undefined, "1.2.3", "1.2.2", false, /is lower than 1\.2\.3/],
    [undefined, "1.2.3", "1.2.3-rc.1", false, /is lower than 1\.2\.3/],
    [undefined, "1.0.0-alpha.2", "1.0.0-alpha.10", true],
    [undefined, "1.0.0-alpha.10", "1.0.0-alpha.2", false, /is lower/],
    [undefined, "1.0.0-alpha", "1.0.0-1", false, /is lower/],
    [undefined, "1.0.0-alpha.1", "1.0.0-alpha", false, /is lower/],
    ["breaking", "1.2.3", "two", false, /two is not a semantic version/],
    ["editorial", "1.2.3", "1.2", false, /1\.2 is not/],
    ["editorial", "1.2.3", "01.2.4", false, /is not/],
    ["editorial", "1.2.3", "v1.2.4", false, /is not/],
  ])("%s: %s → %s", (kind, before, after, isEnough, error) => {
    const review = reviewVersion(kind ? [{ class: kind } as Change] : [], before, after);
    expect(review.isEnough).toBe(isEnough);
    if (error) expect(review.error).toMatch(error);
    else expect(review.error).toBeUndefined();
  });
});
