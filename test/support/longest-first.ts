// The order of the test files: those that take longest begin first, so that at the end no processor waits for one of them. Vitest
// knows how long a file took only where it has run before, and not in CI.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Of the full suite, in seconds on two processors: 80 to 25. */
export const LONGEST = [
  "test/package/package.full.test.ts",
  "test/package/documents.full.test.ts",
  "test/package/recipes.full.test.ts",
  "test/browser/console.full.test.ts",
  "test/review/changes.test.ts",
  "test/crash/kill.full.test.ts",
  "test/verify/proposals.full.test.ts",
  "test/bench/bench.full.test.ts",
  "test/proposals/fresh-clone.full.test.ts",
  "test/verify/backend.test.ts",
  "test/proposals/proposals.test.ts",
  "test/browser/docs.full.test.ts",
  "test/verify/reference.test.ts",
  "test/fuzz/fuzz.full.test.ts",
  "test/proxy/proxy-command.full.test.ts",
  "test/browser/example-front-end.full.test.ts",
  "test/mutants/contract-mutants.full.test.ts",
  "test/proxy/behavior.test.ts",
  "test/browser/review.full.test.ts",
  "test/parity/parity.test.ts",
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Isolated files first: a worker that runs one ends with it, and what it has loaded with it. */
function rank({ project, moduleId }: TestSpecification): number {
  if (project.config.isolate) return -1;
  const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? LONGEST.length : place;
}
