// Searches for a witness of a change: a request or response that one contract allows and the other does not.
import type { ExampleRequest } from "../../contract/openapi-document.js";
import type { WireResponse } from "../../contract/response-check.js";
import type { Violation } from "../../contract/schema-checker.js";
import { baseRequests } from "./base-requests.js";
import type { CandidateChange, Messages, Witness } from "./change.js";
import { checkRequest } from "./check-request.js";
import type { OperationVersion } from "./operation-version.js";

/** How many requests and responses are tried. */
const LIMIT = 400;

export interface Versions {
  /** The one that allows it. */
  from: OperationVersion;
  /** The other one; its operation is undefined where it is removed or not there yet. */
  to: { contract: OperationVersion["contract"]; operation: OperationVersion["operation"] | undefined };
  allowedBy: "old" | "new";
}

export function findWitness(
  candidate: CandidateChange,
  { requests = [], responses = [] }: Messages,
  { from, to, allowedBy }: Versions,
): Witness | undefined {
  const { id, method, path } = from.operation;
  const about = { operation: { id, method, path }, allowedBy };
  const { isMeaning = false } = candidate;
  for (const request of requests.slice(0, LIMIT)) {
    const violation = findRequestViolation(request);
    if (violation) return { ...about, request, violation, ...(isMeaning ? { isStillAccepted: true } : {}) };
  }
  for (const response of responses.slice(0, LIMIT)) {
    const violation = findResponseViolation(response);
    if (violation) return { ...about, request: baseRequests(from)[0] ?? {}, response, violation };
  }
  return undefined;

  function findRequestViolation(request: ExampleRequest): string | undefined {
    if (checkRequest(from.contract, from, request).length > 0) return undefined;
    if (isMeaning) return candidate.sentence;
    return toText(checkRequest(to.contract, from, request), candidate);
  }

  function findResponseViolation(response: WireResponse): string | undefined {
    if (!to.operation || from.contract.checkResponse(from.operation, response).length > 0) return undefined;
    return toText(to.contract.checkResponse(to.operation, response), candidate);
  }
}

const UNSPECIFIC = new Set(["path", "status", "body", "header.authorization", "header.content-type"]);

/** The violation at the place of the change; one elsewhere would demonstrate another change. */
function toText(violations: Violation[], { place }: CandidateChange): string | undefined {
  const name = place.split(/[ .[\]*]+/).findLast((part) => part !== "");
  const own = violations.find(({ location }) => UNSPECIFIC.has(location) || location.split(".").includes(name ?? ""));
  return own && `${own.location} ${own.message}`;
}
