// What every response has to meet, whatever it was sent for: the contract, and the laws of all responses.
import { citeResponse } from "../contract/citation.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import type { Violation } from "../contract/violation.js";
import { knownNameOf } from "../oracle/operations.js";
import { findBrokenLaws } from "../oracle/response-laws.js";
import type { TestResponse } from "./exchange.js";
import { ExpectationError } from "./expectation.js";
import type { Target } from "./target.js";

/** The first violation that the target does not except. */
export function findViolation(
  contract: Contract,
  target: Target,
  operation: Operation | undefined,
  response: TestResponse,
): ExpectationError | undefined {
  const { status, request } = response;
  // Another operation need not declare what comes before it, nor follow what the decisions say about these two.
  const isKnown = operation === undefined || knownNameOf(operation) !== undefined;
  const isExcepted = (...cites: (string | undefined)[]) => target.except.some(({ match }) => cites.includes(match));
  const violations = contract
    .checkResponse(operation, { ...response, body: request.method === "HEAD" ? undefined : response.body })
    .filter(
      (violation) => isRelevant(violation, target) && (isKnown || status < 400 || violation.location !== "status"),
    )
    .map((violation) => ({ ...violation, ...citeResponse(contract.document, operation, status, violation) }))
    .filter(({ location, clause, decision }) => location === "status" || !isExcepted(clause, decision));
  const [first] = violations;
  if (first) {
    const actual = violations.slice(0, 5).map(({ location, message }) => `${location} ${message}`);
    const difference = { what: "response", expected: `${status} as in the contract`, actual, request };
    const cite = first.location === "status" ? undefined : (first.clause ?? first.decision);
    return new ExpectationError({ ...difference, also: cite === undefined ? [] : [cite] });
  }
  const prefix = target.url.pathname.replace(/\/$/, "");
  const broken = findBrokenLaws({ ...response, prefix, apiKey: target.apiKey }, contract, operation).find(
    ({ cite, needs }) => !isExcepted(cite) && (needs === undefined || target.can.includes(needs)),
  );
  if (!broken) return undefined;
  const { what, expected, actual, cite } = broken;
  return new ExpectationError({ what, expected, actual, request, cites: [cite] });
}

/** Whether the target has declared the capability that a violation is about. */
function isRelevant({ location, message }: Violation, { can }: Target): boolean {
  const isUndeclared = message === "is not declared for this status" && !location.startsWith("header.idempotency-");
  return isUndeclared ? can.includes("exact-headers") : location !== "";
}
