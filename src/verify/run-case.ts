// Runs one case, and turns what it throws into an outcome.
import { isDeepStrictEqual } from "node:util";
import type { RequestSpec } from "../client/request-spec.js";
import type { Case } from "./case.js";
import { ExpectationError, NotApplicable } from "./expectation.js";
import { TargetDownError } from "./http-transport.js";
import type { Failure, Result } from "./result.js";
import type { Target } from "./target.js";
import type { TestContext } from "./test-context.js";
import { toCurlLines, toSpec } from "./test-request.js";

/** @throws TargetDownError */
export async function runCase(one: Case, context: TestContext): Promise<Result> {
  const { can, except } = context.target;
  const lacking = one.needs?.filter((capability) => !can.includes(capability)) ?? [];
  if (lacking.length > 0) return toNotApplicable(one, `not declared: ${lacking.join(", ")}`);
  const started = performance.now();
  const { own, sent } = record(context);
  const outcome = await one.run(own).then(
    () => ({ outcome: "pass" as const }),
    (error) => toOutcome(one, error, context.target, sent),
  );
  const result: Result = { ...toResult(one), ms: Math.round(performance.now() - started), ...outcome };
  const { failure } = result;
  const exception = failure && except.find(({ match }) => isNamed(one, match) || failure.cites.includes(match));
  if (!exception) return result;
  const { match, reason } = exception;
  return {
    ...toResult(one),
    ms: result.ms,
    outcome: "not applicable",
    reason: `excepted: ${match}, ${reason}`,
    exception: match,
  };
}

/** The context, with the requests of one case. */
function record(context: TestContext): { own: TestContext; sent: RequestSpec<Buffer>[] } {
  const sent: RequestSpec<Buffer>[] = [];
  const own: TestContext = {
    ...context,
    send(request) {
      sent.push(toSpec(request, context.target));
      return context.send(request);
    },
    restart: () => void sent.splice(0),
  };
  return { own, sent };
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
export function isNamed({ id, cites }: Pick<Case, "id" | "cites">, text: string): boolean {
  return id.includes(text) || cites.includes(text);
}

function toOutcome(
  one: Case,
  error: unknown,
  target: Target,
  sent: readonly RequestSpec<Buffer>[] = [],
): Pick<Result, "outcome" | "reason" | "failure"> {
  if (error instanceof TargetDownError) throw error;
  if (error instanceof NotApplicable) return { outcome: "not applicable", reason: error.message };
  if (error instanceof ExpectationError) return { outcome: "fail", failure: toFailure(one, error, target, sent) };
  return { outcome: "error", reason: String(error instanceof Error ? error.stack : error) };
}

function toFailure(
  one: Case,
  { expectation }: ExpectationError,
  target: Target,
  sent: readonly RequestSpec<Buffer>[],
): Failure {
  const { request, cites = one.cites, also = [], ...difference } = expectation;
  const last = request ? sent.findLastIndex((other) => isDeepStrictEqual(other, request)) : sent.length - 1;
  const requests = last === -1 && request ? [request] : sent.slice(0, last + 1);
  const curl = requests.length > 0 ? { curl: toCurlLines(requests, target) } : {};
  return { ...difference, cites: [...new Set([...cites, ...also])], ...curl };
}

function toResult({ id, cites, covers }: Case): Omit<Result, "outcome"> {
  return { id, cites: [...cites], ms: 0, ...(covers ? { covers } : {}) };
}
