// The coverage of requests to a fetch handler. A separate entry point, since most bundles of the handler do not need
// it.

import { parseJson } from "../../contract/json.js";
import { queryOf } from "../../contract/target.js";
import { type Coverage, createCoverageCounter } from "../../core/coverage/coverage.js";
import { contract } from "./built-contract.js";
import type { HandledRequest } from "./fetch-handler.js";

export { type CountedItem, type Coverage, mergeCoverage } from "../../core/coverage/coverage.js";

/** Counts the requests of one handler (`handler.requests()`), or of several. */
export function coverageOf(requests: readonly HandledRequest[]): Coverage {
  const counter = createCoverageCounter();
  for (const request of requests) {
    const { target, headers, body, status, responseHeaders = {}, responseBody, milliseconds } = request;
    counter.add(contract, request, {
      query: queryOf(target),
      headers,
      sent: parseJson(body),
      status,
      responseHeaders,
      received: responseBody === undefined ? undefined : parseJson(responseBody),
      milliseconds,
    });
  }
  return counter.list(contract);
}
