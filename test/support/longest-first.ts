// Runs the longest test files first, so that no processor idles at the end. Vitest knows durations only from earlier
// runs, which CI lacks.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In the full suite, from 80 to 25 s on two processors. */
export const LONGEST = [
  "test/meta/check.test.ts",
  "test/proposals/fresh-clone.full.test.ts",
  "test/tools/verify/proposals.full.test.ts",
  "test/contract/constructs.full.test.ts",
  "test/tools/verify/backend.test.ts",
  "test/proposals/proposals.full.test.ts",
  "test/server/fuzz/watched-memory.full.test.ts",
  "test/tools/verify/own-contract.full.test.ts",
  "test/package/package.full.test.ts",
  "test/package/documents.full.test.ts",
  "test/package/programs.full.test.ts",
  "test/pages/console.full.test.ts",
  "test/tools/review/changes.test.ts",
  "test/server/crash/kill.full.test.ts",
  "test/pages/docs.full.test.ts",
  "test/tools/verify/reference.full.test.ts",
  "test/server/fuzz/fuzz.full.test.ts",
  "test/tools/proxy/proxy-command.full.test.ts",
  "test/pages/example-front-end.full.test.ts",
  "test/tools/proxy/behavior.full.test.ts",
  "test/pages/reports.full.test.ts",
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? LONGEST.length : place;
}
