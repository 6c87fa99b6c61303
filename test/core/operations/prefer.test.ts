import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PreferOptions, parsePrefer } from "../../../src/core/request/prefer.js";

describe("parsePrefer", () => {
  test.each<[string, string, PreferOptions]>([
    ["no header", "", {}],
    ["one", "code=503", { code: "503" }],
    ["all, in any order", "delay=10,example=empty , code=200", { code: "200", example: "empty", delay: "10" }],
    ["names in any case", "Code=503, DELAY=1", { code: "503", delay: "1" }],
    ["blanks around the equals sign", "code = 503", { code: "503" }],
    ["a quoted value", 'code="503", example="a, b; c=d"', { code: "503", example: "a, b; c=d" }],
    ["a quoted value with escapes", 'example="a \\"b\\" \\\\"', { example: 'a "b" \\' }],
    ["a parameter behind a semicolon is ignored", "code=503; example=empty", { code: "503" }],
    ["a leading semicolon", ";code=503, delay=1", { delay: "1" }],
    ["other preferences are ignored", "respond-async, wait=10, return=minimal, code=503", { code: "503" }],
    ["names of inherited members are ignored", "constructor=1, __proto__=2, toString", {}],
    ["the first of equal preferences counts", "code=503, code=200", { code: "503" }],
    ["a preference without a value counts", "code=, delay", { code: "", delay: "" }],
    ["empty preferences", ",, code=503 ,,", { code: "503" }],
    ["an unclosed quote takes the rest", 'foo="x, code=503', {}],
    ["a value with an equals sign", "example=a=b", { example: "a=b" }],
  ])("%s", (_title, header, want) => {
    expect(parsePrefer(header)).toEqual(want);
  });

  test("parses any text, and any quoted value", () => {
    fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), (text) => void parsePrefer(text)));
    const values = fc.string({ unit: "grapheme-ascii" });
    fc.assert(
      fc.property(values, (value) => {
        const quoted = `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
        expect(parsePrefer(`wait=1, example=${quoted}, delay=5`)).toEqual({ example: value, delay: "5" });
      }),
    );
  });

  test.each(['"\\', ",", "=", 'a="'])("a header full of %j is parsed fast", (part) => {
    const started = process.cpuUsage();
    parsePrefer(part.repeat(16_000 / part.length));
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(500); // a pattern that backtracks takes minutes
  });
});
