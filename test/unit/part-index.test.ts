// The index of parts against the plainest one: every text looked at.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPartIndex } from "../../src/store/part-index.js";

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "@", ".", "é", "😀"), maxLength: 12 });
const key = fc.integer({ min: 0, max: 150 }).map(String);
const step = fc.oneof({ weight: 3, arbitrary: fc.record({ key, text }) }, { weight: 1, arbitrary: fc.record({ key }) });

test("finds what every text looked at would find, whatever came and went", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.array(text, { minLength: 1, maxLength: 20 }), (steps, parts) => {
      const index = createPartIndex();
      const texts = new Map<string, string>();
      for (const one of steps) {
        if ("text" in one) {
          index.set(one.key, one.text);
          texts.set(one.key, one.text);
        } else {
          index.delete(one.key);
          texts.delete(one.key);
        }
      }
      for (const part of [...parts, ...[...texts.values()].map((whole) => whole.slice(1, 6))]) {
        const expected = [...texts].filter(([, whole]) => whole.includes(part)).map(([its]) => its);
        expect([...index.find(part)].toSorted()).toEqual(expected.toSorted());
      }
    }),
    { numRuns: 300 },
  );
});
