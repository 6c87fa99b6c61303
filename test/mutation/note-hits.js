// Runs before each test file; after it, writes which mutants it ran, and for how long.
import { appendFileSync } from "node:fs";
import { afterAll } from "vitest";

const start = performance.now();
const hits = new Set();
globalThis.noteHit = (mutant) => hits.add(mutant);

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern
afterAll(({}, { filepath }) => {
  const line = { path: filepath, seconds: (performance.now() - start) / 1000, hits: [...hits] };
  appendFileSync(`${process.env.MUTATION}.hits`, `${JSON.stringify(line)}\n`);
});
