// Contract mutants that survive, and why. A listed mutant that is killed is an error too.

export const SURVIVORS: [title: RegExp, reason: string][] = [
  [
    /RateLimit-(Limit|Remaining|Reset|Policy)/,
    "rate limits are off unless switched on, so no response has these headers",
  ],
  [/subscriberVariables/, "no workflow of the demo seed reads members of the subscriber, so no response has them"],
  [
    /parameters › (subscriberId|idempotencyKey|ignoredIdempotencyKey|search|transactionId|topicKey|after|before) › schema › type: (removed|string or null)/,
    "paths, headers and queries hold text: no value breaks `type: string`",
  ],
  [
    /parameters › (templates|emails|subscriberIds) › schema › items › type: (removed|string or null)/,
    "the same for lists",
  ],
  [/schemas › Channel › type: (removed|string or null)/, "`enum` beside it accepts the same values"],
  [/parameters › (after|before) › schema › pattern: open at the end/, "`format` beside it rejects what follows"],
  [
    /parameters › subscriberId › schema › minLength/,
    "without it the path would be another, which has no operation: 404 either way",
  ],
];
