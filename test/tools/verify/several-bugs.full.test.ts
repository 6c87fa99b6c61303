// Two to four bugs at once: the report shows about as many causes as there are bugs. Weekly.
import { afterAll, expect, test } from "vitest";
import { groupFailures } from "../../../src/tools/verify/report/causes.js";
import { isWeekly } from "../../support/sizes.js";
import { BACKEND_TARGET } from "./backend-data.js";
import { plantAll } from "./plant.js";
import { findBug } from "./planted-bugs.js";
import { verifyBackend } from "./verify-backend.js";

const COMBINATIONS = [
  ["hasMore is always false", "topicKey matches the beginning of a key"],
  ["oldest first", "errors have no timestamp"],
  ["errors have no timestamp", "unknown members are ignored", "HEAD needs no key"],
  ["an invalid body is 400", "after is inclusive"],
  ["filters are not applied", "the key is read from x-api-key"],
  ["brackets are read", "comments are skipped", "search is compared with case"],
  ["updates of a workflow are stored globally", "emails are compared without case"],
  ["a replay is not marked", "records are in the order of their _id"],
  ["an error has each value as a text", "a leap second is 500"],
  ["page 0 is omitted", "a slug has underscores", "identifiers are compared in compatible forms"],
  ["a global update leaves workflow values", "keys are compared without case"],
  ["hasMore counts all records", "transactionId matches the record's _id", "OPTIONS is 405, and in Allow"],
  ["the limit is applied before the filter", "a lower-case z is no time zone"],
  ["a page is read as a float", "channels matches every step, active or not"],
  [
    "before is inclusive",
    "blanks around a subscriberId are trimmed",
    "ten violations of a body are listed",
    "1 and 0 are booleans",
  ],
  ["only the first of several values counts", "only the latest 200 replays are kept"],
  ["a record with two topics is listed twice", "an error has the unknown workflow in lower case"],
  ["overrides has only what was set for the workflow", "a key is read without its scheme"],
  ["all records have the subscriber of the last", "sizes are counted in characters"],
  ["workflows are in another order each time", "search is a regular expression", "a rejected reuse takes effect"],
];

const MOST_TOO_MANY = 2;
const MOST_INEXACT = 3;

const differences: number[] = [];
afterAll(() => {
  expect(differences.filter((difference) => difference !== 0).length).toBeLessThanOrEqual(MOST_INEXACT);
});

test.runIf(isWeekly).each(COMBINATIONS.map((titles) => [titles] as const))(
  "%j",
  async (titles) => {
    const report = await verifyBackend(plantAll(...titles.map(findBug)), { seed: 3, runs: 12, target: BACKEND_TARGET });
    const causes = groupFailures(report).map(({ title, first }) => `${title} (${first.id})`);
    differences.push(causes.length - titles.length);
    expect(causes.length, causes.join("\n")).toBeLessThanOrEqual(titles.length + MOST_TOO_MANY);
  },
  60_000,
);
