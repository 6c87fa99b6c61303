// Where mock and reference may differ, each with its reason: what state, plan or clock decide. A row holds for every
// request of its title, and each of them has to differ in just this way; a row that is no longer true fails the test.
export interface AcceptedDifference {
  /** Of the request; a pattern stands for several. */
  title: string | RegExp;
  /** What the mock answers, then the reference, as comparison.ts words it. */
  difference: string;
  reason: string;
}

export const ACCEPTED_DIFFERENCES: AcceptedDifference[] = [
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
    reason: "A replay is the record of an earlier request (D-61); the mock keeps none and answers anew.",
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
