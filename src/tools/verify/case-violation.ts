// The life of a violation: each response is checked before its case sees it; a violation with which the case can go on is
// kept until its end, where it stands before what the case itself fails by. Any other ends the case.
import type { Contract } from "../../contract/contract.js";
import { isObject } from "../../contract/json.js";
import { groupBy, toList } from "../../contract/lists.js";
import type { Operation } from "../../contract/model.js";
import type { RequestSpec } from "../../contract/request.js";
import { MOCKED_HEADER } from "../../contract/response-check.js";
import { placeOf, type Violation } from "../../contract/violation.js";
import { knownNameOf } from "../model/operations.js";
import { findBrokenLaws, isFurtherHeader } from "../model/response-laws.js";
import type { Target } from "./declared-target.js";
import { ExpectationError, toReceived } from "./expectation.js";
import type { TestResponse } from "./test-request.js";

/** Creates the check of what every response must meet, unless the target is excepted: the contract, and the laws of all. */
export function createFindViolation(contract: Contract, target: Target) {
  /** The kind of response in which a body has conformed: a run gets most bodies several times. */
  const conforming = new WeakMap<object, string>();
  const prefix = target.url.pathname.replace(/\/$/, "");
  const isExcepted = (...cites: (string | undefined)[]) => target.except.some(({ match }) => cites.includes(match));

  return function findViolation(
    operation: Operation | undefined,
    response: TestResponse,
  ): ExpectationError | undefined {
    const { status, request } = response;
    if (request.method === "OPTIONS") return undefined; // a preflight belongs to CORS, not to the contract
    // An operation that laws do not know need not declare the errors of steps before it.
    const isKnown = operation === undefined || knownNameOf(operation) !== undefined;
    const body = request.method === "HEAD" ? undefined : response.body;
    const kind = `${operation?.id} ${status} ${response.headers["content-type"]}`;
    const isKnownBody = isObject(body) && conforming.get(body) === kind;
    const found = contract.checkResponse(operation, { ...response, body, isKnownBody });
    if (found.length === 0 && isObject(body)) conforming.set(body, kind);
    const violations = found
      .filter(
        (violation) => isRelevant(violation, target) && (isKnown || status < 400 || violation.location !== "status"),
      )
      .map((violation) => ({ ...violation, ...contract.citeResponse(operation, response, violation) }))
      .filter(({ location, clause, decision }) => location === "status" || !isExcepted(clause, decision));
    const [first, ...further] = groupBy(violations, ({ location }) => placeOf(location)).map(
      ([{ clause, decision, ...violation }]) => ({
        violation,
        cites: violation.location === "status" ? [] : toList(clause ?? decision ?? []),
        received: toReceived(response, violation),
      }),
    );
    if (first) {
      const { cites: also, ...shown } = first;
      const actual = violations.slice(0, 5).map(({ location, message }) => `${location} ${message}`);
      const difference = { what: "response", expected: `${status} as in the contract`, actual, request };
      const rest = { also, ...(further.length > 0 && { further }) };
      const isBearable = violations.every((violation) => canBear(status, violation));
      return new ExpectationError({ code: "contract", ...shown, ...difference, ...rest, isBearable });
    }
    if (isMocked(response)) return undefined; // no implementation has made it
    const broken = findBrokenLaws({ ...response, prefix, apiKey: target.apiKey }, contract, operation).find(
      ({ cite, needs }) => !isExcepted(cite) && (needs === undefined || target.can.includes(needs)),
    );
    if (!broken) return undefined;
    const { what, expected, actual, cite } = broken;
    const sentence = cite === "D-45" ? { sentence: `\`${what}\` repeats the key that was sent.` } : {};
    const shown = { what, expected, actual, request, cites: [cite], ...sentence };
    return new ExpectationError({ code: "law", ...shown, isBearable: true });
  };
}

const BEARABLE: ReadonlySet<Violation["code"]> = new Set([
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "enum",
  "const",
  "pattern",
  "minLength",
  "maxLength",
]);

/**
 * True if the body can still be compared: what is wrong is a header, or a member of a success, not its type; only a
 * member of the body itself must not be missing.
 */
const canBear = (status: number, { location, path = [], code }: Violation) =>
  location.startsWith("header.") || (status < 300 && BEARABLE.has(code) && (code !== "required" || path.length > 2));

/** True for a response that a server made from the contract alone: laws know nothing of it. */
export const isMocked = ({ headers }: Pick<TestResponse, "headers">): boolean =>
  headers[MOCKED_HEADER.toLowerCase()] !== undefined;

/** True if the target has declared the capability that a violation is about. */
function isRelevant(violation: Violation, { can }: Target): boolean {
  return !isFurtherHeader(violation) || can.includes("exact-headers");
}

/** Keeps the first violation of a case. */
export function createViolationKeeper() {
  let kept: ExpectationError | undefined;
  const isBearable = () => kept?.expectation.isBearable === true;
  return {
    first: () => kept,
    keep(violation: ExpectationError | undefined): void {
      kept ??= violation;
    },
    /** @throws the violation, if the case cannot go on with it. */
    assertBearable(): void {
      if (kept && !isBearable()) throw kept;
    },
    /** Forgets a violation that has ended a part of the case; a failure shows what was sent until then. */
    restart(sent: readonly RequestSpec<Buffer>[]): void {
      if (isBearable() && kept) kept.sent ??= [...sent];
      else kept = undefined;
    },
    /** What a case fails by that has ended with an error, or none: one of the two, if one follows from the other. */
    findErrors(error: unknown): ExpectationError[] {
      if (!(error instanceof ExpectationError)) return kept ? [kept] : [];
      if (!kept || error === kept) return [error];
      const [first, next] = [kept.expectation, error.expectation];
      if (next.status && next.request === first.request) return [error];
      const place = first.violation?.location ?? first.what;
      return next.what === place || next.what.startsWith(`${place}.`) ? [kept] : [kept, error];
    },
  };
}
