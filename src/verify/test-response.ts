// A response as cases see it.
import type { RequestSpec } from "../client/request-spec.js";
import { ExpectationError } from "./expectation.js";
import type { RawResponse } from "./http-transport.js";

export interface TestResponse extends RawResponse {
  /** Parsed; undefined when there is none. */
  body: unknown;
  request: RequestSpec<Buffer>;
}

/** @throws ExpectationError when the body is not JSON. */
export function toTestResponse(raw: RawResponse, request: RequestSpec<Buffer>): TestResponse {
  const { text } = raw;
  if (text === "") return { ...raw, body: request.method === "HEAD" ? undefined : "", request };
  try {
    return { ...raw, body: JSON.parse(text), request };
  } catch {
    throw new ExpectationError({ what: "body", expected: "JSON", actual: text.slice(0, 200), request });
  }
}
