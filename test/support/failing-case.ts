// Runs cases of `verify` against a wrong server until one fails. The rest of a run (report, coverage, restoring) would
// take most of the time.
import type { Case } from "../../src/tools/verify/case.js";
import { runCase } from "../../src/tools/verify/case-run.js";
import { openSession, type SessionOptions } from "../../src/tools/verify/session.js";

/** Returns the id of the first failing case, or undefined if all pass. */
export async function findFailingCase(cases: readonly Case[], options: SessionOptions): Promise<string | undefined> {
  if (cases.length === 0) throw new Error("There are no cases.");
  const session = await openSession(options);
  try {
    for (const testCase of cases) {
      const { outcome } = await runCase(testCase, session);
      if (outcome === "fail" || outcome === "error") return testCase.id;
    }
    return undefined;
  } finally {
    await session.close().catch(() => []); // a wrong server may prevent restoring preferences
  }
}
