// The ring of bytes against the plainest model: all that was ever put, and how much of it still fits.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createByteRing } from "../../src/control/byte-ring.js";

const CAPACITY = 64;

test("what is still there is as it was put, and the latest always is", () => {
  const texts = fc.array(fc.uint8Array({ maxLength: CAPACITY }), { maxLength: 60 });
  fc.assert(
    fc.property(texts, (all) => {
      const ring = createByteRing(CAPACITY);
      const kept = all.map((bytes, index) => {
        const place = ring.put(Buffer.from(bytes));
        expect(ring.has(place), `${index} has just been put`).toBe(true);
        return { place, bytes };
      });
      for (const { place, bytes } of kept) if (ring.has(place)) expect([...ring.read(place)]).toEqual([...bytes]);
      // One in two bytes at worst is lost at the end of the ring: whatever fits twice is there.
      let size = 0;
      for (const { place, bytes } of kept.toReversed()) {
        size += bytes.length;
        if (size <= CAPACITY / 2) expect(ring.has(place)).toBe(true);
        if (size > CAPACITY) expect(ring.has(place)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});
