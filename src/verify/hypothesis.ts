// What is probably wrong, in one sentence, where a failure's response gives a hint. It comes first in a report.
import type { TestResponse } from "./exchange.js";
import type { Difference } from "./expectation.js";

type Hint = (difference: Difference, response: TestResponse) => string | false | undefined;

const LONG_KEY = 200;

const HINTS: readonly Hint[] = [
  (_difference, { headers, body, text }) =>
    headers["content-encoding"] !== undefined &&
    body === undefined &&
    text !== "" &&
    `Content-Encoding: ${headers["content-encoding"]} was not requested.`,
  (_difference, { body }) => {
    const ids = ((body as { data?: { _id?: string }[] } | undefined)?.data ?? []).map?.(({ _id }) => _id) ?? [];
    const twice = ids.find((id, index) => id !== undefined && ids.indexOf(id) < index);
    return twice && `The record ${twice} occurs twice in the page.`;
  },
  ({ what, expected, actual }) =>
    what === "header.idempotency-key" &&
    typeof actual === "string" &&
    String(expected).startsWith(actual) &&
    `A key of ${String(expected).length} characters was cut to ${actual.length}.`,
  ({ what }, { status, body, request: { headers } }) => {
    const { length } = headers["idempotency-key"] ?? "";
    const isReused = status === 422 && JSON.stringify(body ?? "").includes('"header.idempotency-key"');
    return (
      what === "status" &&
      isReused &&
      length > LONG_KEY &&
      `A key of ${length} characters seems to be cut: another one was taken for it.`
    );
  },
  ({ what }, { status }) => what === "status" && status >= 500 && `The request led to an internal error (${status}).`,
  ({ what, expected }, { status, body }) => {
    if (what !== "status" || status !== 422 || !/^2/.test(String(expected))) return false;
    const [location] = Object.keys((body as { errors?: object } | undefined)?.errors ?? {});
    return `A valid request was rejected${location === undefined ? "" : `, because of ${location}`}.`;
  },
  ({ what, expected }, { status, request }) =>
    what === "status" &&
    status < 300 &&
    /^4/.test(String(expected)) &&
    `A ${request.method} that has to be rejected with ${expected} was accepted.`,
];

export function toHypothesis(difference: Difference, response: TestResponse | undefined): string | undefined {
  const { what, expected, actual } = difference;
  if (what === "response" && expected === "a response") return `There was no response: ${actual}.`;
  for (const hint of response ? HINTS : []) {
    const sentence = response && hint(difference, response);
    if (sentence) return sentence;
  }
  return undefined;
}
