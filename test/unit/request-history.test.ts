// The request history is bounded by number and by memory; the oldest requests go first.
import { expect, test } from "vitest";
import { createRequestHistory } from "../../src/control/request-history.js";

function fill(count: number, bytes: number, isFromConsole: (index: number) => boolean = () => false): number[] {
  const history = createRequestHistory();
  for (let index = 0; index < count; index++) {
    history.add({
      environment: "one",
      operation: undefined,
      method: "GET",
      status: 200,
      isFromConsole: isFromConsole(index),
      bytes,
      format: (number) => ({ number }) as never,
    });
  }
  return history.find({ limit: 2000 }).map(({ number }) => number);
}

test("keeps the latest thousand requests", () => {
  const numbers = fill(1200, 2048);
  expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([1000, 201, 1200]);
});

test("keeps at most 16 MiB, and after one that is larger, the next", () => {
  const numbers = fill(600, 64 * 1024);
  expect([numbers.length, numbers.at(-1)]).toEqual([256, 600]);
  expect(fill(3, 17 * 1024 * 1024)).toEqual([]);
});

test("requests of the console push out none of the others", () => {
  const numbers = fill(3000, 2048, (index) => index >= 10);
  expect([numbers.length, numbers.slice(0, 10), numbers[10]]).toEqual([1000, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 2011]);
});
