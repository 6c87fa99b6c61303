// Whether the response to a repeated Idempotency-Key is that to its first request.
import { isDeepStrictEqual } from "node:util";
import type { CitedViolation } from "../contract/citation.js";
import { type Exchange, toViolations } from "./exchange.js";

const REPLAYED_MS = 23 * 3_600_000; // a little less than a response is stored (D-60)
const MAX_KEYS = 1000;

export function createCheckReplay(): (exchange: Exchange) => CitedViolation[] {
  const firsts = new Map<string, { exchange: Exchange; at: number }>();

  return function checkReplay(exchange) {
    const { headers, responseHeaders, status = 0, target, requestBody, responseBody } = exchange;
    const key = String(headers["idempotency-key"] ?? "");
    const replay = responseHeaders["idempotency-replay"]?.[0];
    if (key === "")
      return toViolations([
        [replay !== undefined, "header.idempotency-replay", "is sent for a request without a key", "D-61"],
      ]);
    if ([401, 409, 429].includes(status) || status >= 500) return []; // not recorded
    const first = findFirst(`${headers.authorization}\n${key}`, exchange);
    const isOther = first.target !== target || JSON.stringify(first.requestBody) !== JSON.stringify(requestBody);
    if (isOther && status === 422) return [];
    const isRepeated = first !== exchange && !isOther;
    // Of requests at the same time, either may have been the first.
    const isMarked = replay === "true" || first.responseHeaders["idempotency-replay"] !== undefined;
    const isEcho = responseHeaders["idempotency-key"]?.[0] === key;
    const isSameBody = isDeepStrictEqual(first.responseBody, responseBody);
    return toViolations([
      [isOther, "status", `${status} for a key that was used for another request`, "D-59"],
      [isRepeated && !isMarked, "header.idempotency-replay", "is missing on a repeated request", "D-61"],
      [isRepeated && first.status !== status, "status", `${status}, the first response had ${first.status}`, "D-61"],
      [isRepeated && !isSameBody, "body", "differs from the first response", "D-61"],
      [!isEcho, "header.idempotency-key", "is not the request's", "D-61"],
    ]);
  };

  /** The first exchange with a key, or this one. */
  function findFirst(place: string, exchange: Exchange): Exchange {
    const first = firsts.get(place);
    if (first && Date.now() - first.at < REPLAYED_MS) return first.exchange;
    if (exchange.status === 422) return exchange; // of another request, from before
    firsts.delete(place); // to the end
    firsts.set(place, { exchange, at: Date.now() });
    const [oldest = ""] = firsts.keys();
    if (firsts.size > MAX_KEYS) firsts.delete(oldest);
    return exchange;
  }
}
