// Where the mock or the fetch handler may differ from the reference, each with its reason: what state, plan, clock or the
// form of a request decide. A row holds for every
// request of its title, and each of them has to differ in just this way; a row that is no longer true fails the test.
export interface AcceptedDifference {
  /** Of the request; a pattern stands for several. */
  title: string | RegExp;
  /** What the other responds, then the reference, as comparison.ts words it. */
  difference: string;
  reason: string;
}

export const MOCK_DIFFERENCES: AcceptedDifference[] = [
  {
    title: "updatePreferences › example unknownSubscriber",
    difference: "status 200, reference 404",
    reason:
      "Who is a subscriber stands in the state; the mock has none. `Prefer: example=unknownSubscriber` asks for it.",
  },
  {
    title: /^updatePreferences › subscriberId › unknown /,
    difference: "status 200, reference 404",
    reason: "The same, for each odd text that is a subscriberId all the same (D-69).",
  },
  {
    title: "updatePreferences › example unknownWorkflow",
    difference: "status 200, reference 404",
    reason: "Which workflows there are stands in the state. `Prefer: example=unknownWorkflow` asks for it.",
  },
  {
    title: "updatePreferences › example criticalWorkflow",
    difference: "status 200, reference 400",
    reason: "Whether a workflow is critical stands in the state. `Prefer: example=criticalWorkflow` asks for it.",
  },
  {
    title: "updatePreferences › idempotency-key › sent again",
    difference: 'idempotency-replay absent, reference "true"',
    reason: "A replay is the record of an earlier request (D-61); the mock keeps none and responds anew.",
  },
  {
    title: "updatePreferences › idempotency-key › reused with another body",
    difference: "status 200, reference 422",
    reason:
      "That a key was used before is known from the record of it (D-59). `Prefer: example=keyReused` asks for it.",
  },
  {
    title: "listNotifications › example outsidePlan",
    difference: "status 200, reference 402",
    reason: "How far back a list may go is the plan's and the clock's matter (D-42), and the mock has neither.",
  },
];

const NO_PAGES =
  "The server's pages and files are none of the interface; the fetch handler has the two operations alone.";

export const FETCH_DIFFERENCES: AcceptedDifference[] = [
  {
    title: 'updatePreferences › content encoding "br"',
    difference: "status 415, reference 400",
    reason:
      "Browsers decompress gzip and deflate alone (DecompressionStream). The body is not Brotli, which is the 400.",
  },
  {
    title: /^path \/(docs|openapi\.yaml|openapi\.json|health|favicon\.ico)?( by HEAD)?$/,
    difference: "status 404, reference 200",
    reason: NO_PAGES,
  },
  {
    title: /^path \/(docs|openapi\.yaml|openapi\.json|health|favicon\.ico)? without a key$/,
    difference: "status 401, reference 200",
    reason: NO_PAGES,
  },
];

/** Whether a Request can be such a request: it knows no TRACE, and its URL is in normal form, without a fragment. */
export function isExpressible({ method, target }: { method?: string; target: string }): boolean {
  const { pathname, search } = new URL(target, "http://api.example.com");
  return method !== "TRACE" && pathname + search === target;
}
