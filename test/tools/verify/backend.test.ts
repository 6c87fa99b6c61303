// The second independent implementation conforms; with any of the planted bugs, it does not. Prints the case that detects
// each. The quick size has one bug, the full one a sample of them, and one framework.
import { afterAll, describe, expect, test } from "vitest";
import type { Case } from "../../../src/tools/verify/case.js";
import { TARGETS, type Target } from "../../../src/tools/verify/declared-target.js";
import { groupFailures } from "../../../src/tools/verify/report/causes.js";
import { countOutcomes, type Report } from "../../../src/tools/verify/report/report.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import { findFailingCase } from "../../support/failing-case.js";
import { isFull, isWeekly, SIZES } from "../../support/sizes.js";
import { type Backend, startBackend } from "./backend.js";
import { BACKEND_TARGET, TARGET_DATA } from "./backend-data.js";
import { asService, withManyRecords } from "./backend-variants.js";
import { BUGS, RACES } from "./planted-bugs.js";
import { CONFORMING, drawVariations, PREFIX } from "./variations.js";
import { type BackendRun, loadBackendContract, verifyBackend } from "./verify-backend.js";

const CHOSEN = BUGS.filter((_bug, index) => index % SIZES.everyBug === 0);
const contract = await loadBackendContract();
const suite = createSuite(contract);
const table: string[] = [];
afterAll(() => console.log(table.toSorted().join("\n")));

/** What the cases that detect a kind of bugs have in their names. */
const TOPICS: Readonly<Record<string, string>> = {
  keys: "› key ›",
  replays: "idempotency-key",
  names: "that is no",
  slugs: "slug",
};
/** Cases that take longest. */
const SLOW = /concurrent|idempotency-key|random|reference model|any text/;

/**
 * Sorts the cases that share words with the bug to the front, since a bug takes as long as the cases before its
 * detection. A word that few cases have counts most.
 */
function rankCases(kind: string, title: string): Case[] {
  // Words count without their endings.
  const words = (`${kind} ${title}`.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.slice(0, 6));
  const ranks = new Map(suite.map(({ id }) => [id, id.includes(TOPICS[kind] ?? kind) ? 1 : SLOW.test(id) ? -0.01 : 0]));
  for (const word of words) {
    const having = suite.filter(({ id }) => id.toLowerCase().includes(word));
    for (const { id } of having) ranks.set(id, (ranks.get(id) ?? 0) + 1 / having.length);
  }
  for (const { id } of suite.slice(-1)) ranks.set(id, -1); // it needs the others before it
  return suite.toSorted((one, other) => (ranks.get(other.id) ?? 0) - (ranks.get(one.id) ?? 0));
}

const run = (plant?: (backend: Backend) => void, target: Partial<Target> = {}, options: BackendRun = {}) =>
  verifyBackend(plant, { seed: 3, runs: SIZES.verifyRequests, target: { ...BACKEND_TARGET, ...target }, ...options });

function expectConforming(report: Report): void {
  expect(groupFailures(report).map(({ first }) => [first.id, first.failure])).toEqual([]);
  expect(report.results.filter(({ outcome }) => outcome === "error")).toEqual([]);
  expect(report.results.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(500);
}

describe(`a second independent implementation (${CHOSEN.length} of ${BUGS.length} bugs)`, () => {
  const rows = CONFORMING.slice(0, isWeekly ? undefined : 1).flatMap(({ name, ...variant }) => {
    return Array.from({ length: SIZES.verifyFrameworks }, (_, seed) => [name, seed, variant] as const);
  });
  test.runIf(isFull).each(rows)(
    "as %s responds it conforms, seed %i; exceptions that excuse nothing are named",
    async (_name, seed, variant) => {
      const warnings: Error[] = [];
      const onWarning = (warning: Error) => void warnings.push(warning); // such as of too many listeners
      process.on("warning", onWarning);
      const except = [
        ...variant.except.map((match) => ({ match, reason: "the framework responds itself" })),
        { match: "D-23.3", reason: "a bug that was fixed" },
        { match: "no such case", reason: "misspelled" },
        { match: "D-24", reason: "a ticket", until: "2026-01-31" },
      ];
      const report = await run(variant.plant, { except }, { seed, prefix: PREFIX });
      process.off("warning", onWarning);
      expect(warnings).toEqual([]);
      expectConforming(report);
      expect(report.changed.filter((sentence) => sentence.includes("exception"))).toEqual([
        "The exception D-23.3 is not needed: nothing that it names fails. Remove it.",
        "The exception no such case names no case. Remove it.",
        "The exception D-24 has expired (2026-01-31), so it excuses nothing.",
      ]);
    },
  );

  test.concurrent.each(Array.from({ length: SIZES.verifyVariations }, (_, index) => index))(
    "with conforming variations it conforms, seed %i",
    async (seed) => {
      const { titles, plant } = drawVariations(seed);
      const { results } = await run(plant, {}, { seed });
      const wrong = results.filter(({ outcome }) => outcome === "fail" || outcome === "error");
      expect({ titles, wrong: wrong.map(({ id, failure, reason }) => [id, failure ?? reason]) }).toEqual({
        titles,
        wrong: [],
      });
      expect(results.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(500);
    },
    600_000, // all of them at once
  );

  test("with more records than a run reads it conforms: queries are limited to those that were read", async () => {
    const only = ["listNotifications › random", "topicKey › returns what the reference model returns"];
    const { results } = await run(withManyRecords, {}, { only, runs: 3 });
    const wrong = results.filter(({ outcome }) => outcome === "fail" || outcome === "error");
    expect(wrong.map(({ id, failure, reason }) => [id, failure ?? reason])).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(1);
  });

  test.runIf(isWeekly)("as different as the live service it conforms as that target", async () => {
    expectConforming(await run(asService, TARGETS.service));
    expect(countOutcomes(await run(asService, {}, { only: ["D-03", "D-28"] })).fail).toBeGreaterThan(20);
  });

  test.runIf(isWeekly).each(Object.entries(RACES))("only --thorough shows %s", async (_title, plant) => {
    const only = ["concurrent › 4,000"];
    expect((await run(plant, {}, { only, thorough: true })).results.map(({ outcome }) => outcome)).toEqual(["fail"]);
    expect((await run(plant, {}, { only })).results).toEqual([]);
  });

  // Most of a case's time is a backend that takes its time over an update: several wait at once.
  test.concurrent.each(CHOSEN)("$kind: $title", async ({ kind, title, plant }) => {
    const backend = await startBackend(plant);
    const target = { ...TARGETS.implementation, ...TARGET_DATA, ...BACKEND_TARGET, url: backend.url };
    const random = { seed: 3, runs: SIZES.verifyRequests };
    const killedBy = await findFailingCase(rankCases(kind, title), { contract, target, random }).finally(backend.close);
    table.push(`${kind.padEnd(15)} ${title} — ${killedBy ?? "SURVIVED"}`);
    expect(killedBy).toBeDefined();
  });
});
