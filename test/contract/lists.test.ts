import { describe, expect, test } from "vitest";
import { groupBy, mapDefined, toList } from "../../src/contract/lists.js";

describe("lists", () => {
  test.each([
    ["a", ["a"]],
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [[], []],
    [undefined, [undefined]],
  ])("toList of %j is %j", (value, list) => {
    expect(toList(value)).toEqual(list);
  });

  test("mapDefined leaves out undefined alone", () => {
    expect(mapDefined([0, "", null, false, undefined, []], (item) => item)).toEqual([0, "", null, false, []]);
    expect(mapDefined(["a", "b"], (item, index) => (index === 0 ? undefined : item))).toEqual(["b"]);
  });

  test("groupBy keeps the order of each group's first item", () => {
    expect(groupBy([3, 1, 2, 5], (number) => number % 2)).toEqual([[3, 1, 5], [2]]);
  });
});
