// Contract mutants that may live, and why. One that is listed here and dies is an error too: the list stays true.

export const SURVIVORS: [title: RegExp, reason: string][] = [
  [
    /RateLimit-(Limit|Remaining|Reset|Policy)/,
    "rate limits are off unless switched on, so no answer has these headers",
  ],
  [/subscriberVariables/, "no workflow of the demo seed reads members of the subscriber, so no answer has them"],
  [
    /parameters › (subscriberId|idempotencyKey|ignoredIdempotencyKey|search|transactionId|topicKey|after|before) › schema › type: (removed|string or null)/,
    "paths, headers and queries hold text: no value breaks `type: string`",
  ],
  [
    /parameters › (templates|emails|subscriberIds) › schema › items › type: (removed|string or null)/,
    "the same for lists",
  ],
  [/schemas › Channel › type: (removed|string or null)/, "`enum` beside it lets the same values pass"],
  [/parameters › (after|before) › schema › pattern: open at the end/, "`format` beside it refuses what comes behind"],
  [
    /parameters › subscriberId › schema › minLength/,
    "without it the path would be another, which has no operation: 404 either way",
  ],
];
