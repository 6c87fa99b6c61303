// Whether the response to a repeated Idempotency-Key is that to its first request.
import { isDeepStrictEqual } from "node:util";
import { at, type BehaviorCheck, type Exchange } from "./judged-exchange.js";
import { createRecentMap } from "./recent-map.js";

const REPLAYED_MS = 23 * 3_600_000; // a little less than a response is stored (D-60)

export function createReplayCheck(): BehaviorCheck {
  const keyed = createRecentMap<Exchange>(REPLAYED_MS);
  return function checkReplay(exchange) {
    const { headers, responseHeaders, status, target, sent, received } = exchange;
    const key = String(headers["idempotency-key"] ?? "");
    if (key === "") {
      const isMarked = responseHeaders["idempotency-replay"] !== undefined;
      return isMarked ? [at("header.idempotency-replay", "is sent for a request without a key", "D-61")] : [];
    }
    if ([401, 409, 429].includes(status) || status >= 500) return []; // not recorded
    const place = `${headers.authorization}\n${key}`;
    const first = keyed.get(place);
    const isEcho = responseHeaders["idempotency-key"]?.[0] === key;
    const wrongEcho = isEcho ? [] : [at("header.idempotency-key", "is not the request's", "D-61")];
    if (!first) {
      if (status !== 422) keyed.set(place, exchange);
      return wrongEcho;
    }
    const isSame = first.target === target && JSON.stringify(first.sent) === JSON.stringify(sent);
    if (!isSame) {
      if (status === 422) return [];
      return [at("status", `${status} for a key that was used for another request`, "D-59"), ...wrongEcho];
    }
    const isReplay = responseHeaders["idempotency-replay"]?.[0] === "true";
    // Of requests at the same time, either may have been the first.
    if (!isReplay && first.responseHeaders["idempotency-replay"] === undefined)
      return [at("header.idempotency-replay", "is missing on a repeated request", "D-61"), ...wrongEcho];
    if (first.status !== status) return [at("status", `${status}, the first response had ${first.status}`, "D-61")];
    if (isDeepStrictEqual(first.received, received)) return wrongEcho;
    return [at("body", "differs from the first response", "D-61")];
  };
}
