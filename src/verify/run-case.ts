// Runs one case, and turns what it throws into an outcome.
import type { Case } from "./case.js";
import { ExpectationError, NotApplicable } from "./expectation.js";
import { TargetDownError } from "./http-transport.js";
import type { Failure, Result } from "./result.js";
import type { Target } from "./target.js";
import type { TestContext } from "./test-context.js";
import { toAbridgedCurl } from "./test-request.js";

/** @throws TargetDownError */
export async function runCase(one: Case, context: TestContext): Promise<Result> {
  const { can, except } = context.target;
  const lacking = one.needs?.filter((capability) => !can.includes(capability)) ?? [];
  if (lacking.length > 0) return toNotApplicable(one, `not declared: ${lacking.join(", ")}`);
  const exception = except.find((text) => isNamed(one, text));
  if (exception) return toNotApplicable(one, `excepted: ${exception}`);
  const started = performance.now();
  const outcome = await one.run(context).then(
    () => ({ outcome: "pass" as const }),
    (error) => toOutcome(one, error, context.target),
  );
  return { ...toResult(one), ms: Math.round(performance.now() - started), ...outcome };
}

/** The target went down during a case: the report names the case. */
export function toGone(one: Case, error: TargetDownError, target: Target): Result {
  const failure = new ExpectationError({ what: "response", expected: "a response", actual: error.message });
  return { ...toResult(one), ...toOutcome(one, failure, target) };
}

export function toNotApplicable(one: Case, reason: string): Result {
  return { ...toResult(one), outcome: "not applicable", reason };
}

/** Whether a text is part of a case's name, or one of its citations. */
export function isNamed({ id, cites }: Case, text: string): boolean {
  return id.includes(text) || cites.includes(text);
}

function toOutcome(one: Case, error: unknown, target: Target): Pick<Result, "outcome" | "reason" | "failure"> {
  if (error instanceof TargetDownError) throw error;
  if (error instanceof NotApplicable) return { outcome: "not applicable", reason: error.message };
  if (error instanceof ExpectationError) return { outcome: "fail", failure: toFailure(one, error, target) };
  return { outcome: "error", reason: String(error instanceof Error ? error.stack : error) };
}

function toFailure(one: Case, { expectation }: ExpectationError, { url }: Target): Failure {
  const { request, cites = one.cites, ...difference } = expectation;
  return { ...difference, cites: [...cites], ...(request ? { curl: toAbridgedCurl(request, url.origin) } : {}) };
}

function toResult({ id, cites, covers }: Case): Omit<Result, "outcome"> {
  return { id, cites: [...cites], ms: 0, ...(covers ? { covers } : {}) };
}
