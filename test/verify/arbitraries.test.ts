// The random values that the suite draws.
import fc from "fast-check";
import { expect, test } from "vitest";
import { scalarOf } from "../../src/verify/cases/arbitraries.js";

test("a random time is of the past, in every offset: before one of the future, a target lists more than it shows", () => {
  const times = fc.sample(scalarOf({ type: "string", format: "date-time" }), { numRuns: 3000, seed: 1 });
  const late = times.filter((time) => Date.parse(String(time).replace(" ", "T")) > Date.now());
  expect(late).toEqual([]);
});
