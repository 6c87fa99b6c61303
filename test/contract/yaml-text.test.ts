// YAML that has a counterpart in JSON is read as an author means it.
import { expect, test } from "vitest";
import { parseYaml } from "../../src/contract/yaml-text.js";

test.each<[title: string, text: string, value: unknown]>([
  [
    "names as they are written",
    "{ 1.0: a, 200: b, true: c, null: d, 0x10: e, '1': f }",
    { "1.0": "a", 200: "b", true: "c", null: "d", "0x10": "e", 1: "f" },
  ],
  ["a merged map", "a: &a { x: 1, y: 2 }\nb: { <<: *a, y: 3 }", { a: { x: 1, y: 2 }, b: { x: 1, y: 3 } }],
  ["a merged map behind own names", "a: &a { y: 2 }\nb: { y: 3, <<: *a }", { a: { y: 2 }, b: { y: 3 } }],
  ["merged maps, of which the first wins", "{ <<: [{ x: 1 }, { x: 2, y: 2 }] }", { x: 1, y: 2 }],
  ["a merged map of YAML 1.1", "%YAML 1.1\n---\na: &a { x: 1 }\nb: { <<: *a }", { a: { x: 1 }, b: { x: 1 } }],
  ["a quoted << as a name", '{ "<<": 1 }', { "<<": 1 }],
  ["a name that JavaScript has", "{ __proto__: 1 }", JSON.parse('{ "__proto__": 1 }')],
  ["a byte order mark", "\uFEFFa: 1", { a: 1 }],
  ["the latest of equal anchors", "[&a 1, *a, &a 2, *a]", [1, 1, 2, 2]],
])("%s", (_title, text, value) => {
  expect(parseYaml({ path: "cups.yaml", text }).value).toEqual(value);
});

test("aliases share one value, which is read once", () => {
  const aliases = Array.from({ length: 5000 }, () => "*a").join(", ");
  const { value } = parseYaml({ path: "cups.yaml", text: `a: &a { x: [1, 2, 3] }\nb: [${aliases}]` });
  const { a, b } = value as { a: object; b: object[] };
  expect(b).toHaveLength(5000);
  expect(b.every((item) => item === a)).toBe(true);
});

test.each([
  [["b", "1.0"], 2],
  [["b", "x"], 2],
  [["c", 1], 5],
  [["c", 7], 3],
])("the line of %j is %i", (pointer, line) => {
  const { locate } = parseYaml({
    path: "cups.yaml",
    text: "a: &a { x: 1 }\nb: { <<: *a, 1.0: 2 }\nc:\n  - 1\n  - 2\n",
  });
  expect(locate(pointer).line).toBe(line);
});
