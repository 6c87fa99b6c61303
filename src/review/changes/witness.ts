// Finds what shows that a change breaks: tries requests and answers on both contracts.

import type { Contract } from "../../contract/contract.js";
import type { ExampleRequest } from "../../contract/openapi-document.js";
import type { WireResponse } from "../../contract/response-check.js";
import type { Violation } from "../../contract/schema-checker.js";
import { baseRequests } from "./base-request.js";
import type { Suspicion, Witness } from "./change.js";
import type { Version } from "./contract-pair.js";
import { checkRequest } from "./request-check.js";

/** How many are tried before the search is given up. */
const LIMIT = 400;

/** Both contracts accept the same requests, and mean something else by them. */
const MEANINGS = new Set(["default", "style", "explode"]);

export interface Versions {
  before: Version;
  /** undefined where the operation is gone. */
  after: Version | undefined;
  newContract: Contract;
}

export function findWitness(suspicion: Suspicion, { before, after, newContract }: Versions): Witness | undefined {
  const { id, method, path } = before.operation;
  const operation = { id, method, path };
  for (const request of suspicion.requests?.().slice(0, LIMIT) ?? []) {
    const objection = objectionTo(request);
    if (objection) return { operation, request, objection, isStillAccepted: MEANINGS.has(suspicion.keyword) };
  }
  for (const answer of suspicion.answers?.().slice(0, LIMIT) ?? []) {
    const objection = forbids(answer);
    if (objection) return { operation, request: baseRequests(before)[0] ?? {}, answer, objection };
  }
  return undefined;

  /** Why the new contract refuses what the old one accepts; undefined where that is not so. */
  function objectionTo(request: ExampleRequest): string | undefined {
    if (checkRequest(before.contract, before, request).length > 0) return undefined;
    if (MEANINGS.has(suspicion.keyword)) return suspicion.sentence;
    return toWords(checkRequest(newContract, before, request), suspicion);
  }

  /** Why the old contract forbids what the new one may answer; undefined where that is not so. */
  function forbids(answer: WireResponse): string | undefined {
    if (!after || newContract.checkResponse(after.operation, answer).length > 0) return undefined;
    return toWords(before.contract.checkResponse(before.operation, answer), suspicion);
  }
}

const WHOLE = new Set(["path", "status", "body", "header.authorization", "header.content-type"]);

/** A problem at another place would show another change. */
function toWords(problems: Violation[], { place }: Suspicion): string | undefined {
  const name = place.split(/[ .[\]*]+/).findLast((part) => part !== "");
  const own = problems.find(({ location }) => WHOLE.has(location) || location.split(".").includes(name ?? ""));
  return own && `${own.location} ${own.message}`;
}
