// Where the mock and Prism's command line differ, each with its reason. A row that matches nothing any more fails the test.
export interface PrismDifference {
  /** Of the request. */
  title: RegExp;
  /** Both statuses, or the first place at which the bodies of one status differ. */
  difference: string;
  reason: string;
}

export const PRISM_DIFFERENCES: PrismDifference[] = [
  {
    title: /^listNotifications › (example (firstPage)|limit › valid )/,
    difference: "body.pageSize of 200",
    reason: "The mock gives the requested page of the example; Prism gives the whole example.",
  },
  {
    title: /^listNotifications › example lastPage$/,
    difference: "body.page of 200",
    reason: "The same.",
  },
  {
    title: /^listNotifications › example invertedRange$/,
    difference: "status 400, Prism 200",
    reason: "No schema can compare two parameters (D-41); the mock does.",
  },
  {
    title: /^listNotifications › (after|before) › valid .*\+\d\d:\d\d$/,
    difference: "status 200, Prism 422",
    reason: "In a timestamp a `+` is a plus sign (D-67); Prism reads it as a blank.",
  },
  {
    title: /^updatePreferences › example (otherScheme|unknownKey)$/,
    difference: "status 401, Prism 422",
    reason: "Prism takes every value of Authorization for a key, and goes on to the missing body.",
  },
  {
    title: /^listNotifications › example (otherScheme|unknownKey)$/,
    difference: "status 401, Prism 200",
    reason: "The same, where nothing else is wrong.",
  },
  {
    title: /^updatePreferences › example malformedJson$/,
    difference: "body.statusCode of 400",
    reason: "Prism rejects it before it looks into the contract, with a body of its own.",
  },
  {
    title: /› example wrongMethod$/,
    difference: "body.statusCode of 405",
    reason: "Prism has a body of its own for methods that the path does not have.",
  },
  {
    title: /^updatePreferences › example tooLarge$/,
    difference: "status 413, Prism 200",
    reason: "Prism's limit of a body's size is another (D-52).",
  },
  {
    title: /^updatePreferences › example missingChannels$/,
    difference: "body.message of 422",
    reason: "Prism gives the first 422 of the contract, whatever is wrong with the request.",
  },
  {
    title: /^listNotifications › example notATimestamp$/,
    difference: "body.path of 422",
    reason: "The same.",
  },
  {
    title: /› accept "text\/html"$/,
    difference: "status 200, Prism 406",
    reason:
      "There is one media type, and it is sent whatever is accepted (RFC 9110 §12.5.1 allows that); Prism has a 406.",
  },
  {
    title: /› accept "application\/xml, \*\/\*;q=0"$/,
    difference: "body of 200",
    reason: "The same; here Prism sends an empty body.",
  },
  {
    title: /› accept "x"$/,
    difference: "status 200, Prism ends",
    reason: "It throws over a value of Accept that is no media type.",
  },
  {
    title: /› prefer code=999$/,
    difference: "status 400, Prism 404",
    reason: "A code that the contract does not have is an invalid preference (D-71).",
  },
];
