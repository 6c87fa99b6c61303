// Searches for a witness of a change: checks requests and responses by both contracts.
import type { Contract } from "../../contract/contract.js";
import type { ExampleRequest } from "../../contract/openapi-document.js";
import type { WireResponse } from "../../contract/response-check.js";
import type { Violation } from "../../contract/schema-checker.js";
import { baseRequests } from "./base-requests.js";
import type { CandidateChange, Witness } from "./change.js";
import { checkRequest } from "./check-request.js";
import type { OperationVersion } from "./operation-version.js";

/** How many requests and responses are tried. */
const LIMIT = 400;

/** Both contracts accept the same requests, but they mean something else. */
const SEMANTIC_KEYWORDS = new Set(["default", "style", "explode"]);

export interface Versions {
  before: OperationVersion;
  /** undefined where the operation is removed. */
  after: OperationVersion | undefined;
  newContract: Contract;
}

export function findWitness(candidate: CandidateChange, { before, after, newContract }: Versions): Witness | undefined {
  const { id, method, path } = before.operation;
  const operation = { id, method, path };
  const isStillAccepted = SEMANTIC_KEYWORDS.has(candidate.keyword);
  for (const request of candidate.requests?.().slice(0, LIMIT) ?? []) {
    const violation = findRequestViolation(request);
    if (violation) return { operation, request, violation, isStillAccepted };
  }
  for (const response of candidate.responses?.().slice(0, LIMIT) ?? []) {
    const violation = findResponseViolation(response);
    if (violation) return { operation, request: baseRequests(before)[0] ?? {}, response, violation };
  }
  return undefined;

  /** Why the new contract rejects what the old one accepts; undefined where it does not. */
  function findRequestViolation(request: ExampleRequest): string | undefined {
    if (checkRequest(before.contract, before, request).length > 0) return undefined;
    if (isStillAccepted) return candidate.sentence;
    return toText(checkRequest(newContract, before, request), candidate);
  }

  /** Why the old contract forbids what the new one allows; undefined where it does not. */
  function findResponseViolation(response: WireResponse): string | undefined {
    if (!after || newContract.checkResponse(after.operation, response).length > 0) return undefined;
    return toText(before.contract.checkResponse(before.operation, response), candidate);
  }
}

const UNSPECIFIC = new Set(["path", "status", "body", "header.authorization", "header.content-type"]);

/** The violation at the place of the change; one elsewhere would demonstrate another change. */
function toText(violations: Violation[], { place }: CandidateChange): string | undefined {
  const name = place.split(/[ .[\]*]+/).findLast((part) => part !== "");
  const own = violations.find(({ location }) => UNSPECIFIC.has(location) || location.split(".").includes(name ?? ""));
  return own && `${own.location} ${own.message}`;
}
