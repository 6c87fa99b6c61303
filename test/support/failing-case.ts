// Runs cases of `verify` against a wrong server, one after the other, until one fails: what a whole run does beside them
// (the report, its coverage, what is restored) would cost most of the time.
import type { Case } from "../../src/verify/case.js";
import { openTestContext, type TestContextOptions } from "../../src/verify/open-test-context.js";
import { runCase } from "../../src/verify/run-case.js";

/** The id of the first case that fails; undefined when all pass. */
export async function findFailingCase(
  cases: readonly Case[],
  options: TestContextOptions,
): Promise<string | undefined> {
  if (cases.length === 0) throw new Error("There are no cases.");
  const context = await openTestContext(options);
  try {
    for (const testCase of cases) {
      const { outcome } = await runCase(testCase, context);
      if (outcome === "fail" || outcome === "error") return testCase.id;
    }
    return undefined;
  } finally {
    await context.close().catch(() => []); // it restores preferences, which a wrong server may prevent
  }
}
