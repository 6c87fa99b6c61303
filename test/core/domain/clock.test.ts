import { describe, expect, test } from "vitest";
import { type AdjustableClock, createAdjustableClock, createFrozenClock } from "../../../src/core/domain/clock.js";

const START = Date.parse("2026-06-01T00:00:00.000Z");
const HOUR = 3_600_000;

describe("createAdjustableClock", () => {
  const rows: [string, (clock: AdjustableClock) => void, number, number, boolean][] = [
    ["untouched it follows its base", () => {}, START, START + HOUR, false],
    ["frozen it stands still", (clock) => clock.freeze(new Date(START + 5)), START + 5, START + 5, true],
    ["set it runs on from there", (clock) => clock.runFrom(new Date(0)), 0, HOUR, false],
    ["advanced it runs on", (clock) => clock.advance(HOUR), START + HOUR, START + 2 * HOUR, false],
    ["advanced backwards it runs on", (clock) => clock.advance(-HOUR), START - HOUR, START, false],
    [
      "frozen, then advanced, it stands still again",
      (clock) => {
        clock.freeze(new Date(START));
        clock.advance(HOUR);
      },
      START + HOUR,
      START + HOUR,
      true,
    ],
    [
      "reset it follows its base again",
      (clock) => {
        clock.freeze(new Date(0));
        clock.advance(5);
        clock.reset();
      },
      START,
      START + HOUR,
      false,
    ],
  ];
  test.each(rows)("%s", (_title, change, now, anHourLater, isFrozen) => {
    let present = START;
    const clock = createAdjustableClock({ now: () => new Date(present) });
    change(clock);
    expect([clock.now().getTime(), clock.isFrozen]).toEqual([now, isFrozen]);
    present += HOUR;
    expect(clock.now().getTime()).toBe(anHourLater);
  });

  test("of a clock that stands still it stands still, runs when it is set running, and stands still again after a reset", () => {
    const clock = createAdjustableClock(createFrozenClock(new Date(START)));
    const modes = () => [clock.isFrozen, clock.now().getTime() === START];
    expect(modes()).toEqual([true, true]);
    clock.runFrom(new Date(START + HOUR));
    expect(modes()).toEqual([false, false]);
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(START + HOUR);
    clock.reset();
    expect(modes()).toEqual([true, true]);
  });
});
