// The reference server and the mock cause no false alarm, whatever the seed. VERIFY_RUNS sets how many seeds are tried.
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "../../../src/browser/client/client.js";
import { createControl } from "../../../src/browser/client/control.js";
import { loadContract } from "../../../src/contract/contract.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { startServer } from "../../../src/start-server.js";
import { scalarOf } from "../../../src/tools/verify/cases/values.js";
import { DEMO_DATA, TARGETS, type Target } from "../../../src/tools/verify/declared-target.js";
import { groupFailures } from "../../../src/tools/verify/report/causes.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { isWeekly, SIZES } from "../../support/sizes.js";

const RUNS = SIZES.verifyRuns;
const contract = await loadContract();

const { url, apiKey, close } = await startServer();
afterAll(close);
const client = createClient({ baseUrl: url, apiKey });
const outcome = await client.updatePreferences("ines-moreau", { channels: {} });
const listedWorkflows = outcome.ok ? outcome.data.workflows.map(({ workflow }) => workflow) : [];
const furtherSubscribers = ["eleni-papadaki"];
const data = { ...DEMO_DATA, apiKey, furtherSubscribers, listedWorkflows };
const target: Target = { ...TARGETS.reference, ...data, url: new URL(url) };

const NO_OTHER_ATTRIBUTE = "no other attribute of a record has a value that channels allows";

describe("the reference server", () => {
  test.each(Array.from({ length: RUNS }, (_, index) => 1000 + index))(
    "conforms to the contract in temporary environments, where all laws but one apply; none remains, others are not touched, seed %i",
    async (seed) => {
      const control = createControl({ baseUrl: url });
      const before = await control.listEnvironments();
      const history = await control.listRequests();
      const own = { ...target, apiKey: "none", control: {} };
      const report = await verify({ contract, target: own, seed, runs: SIZES.verifyRequests });
      const others = report.results.filter(({ outcome }) => outcome !== "pass");
      expect(others.map(({ id, outcome, failure, reason }) => [id, outcome, failure ?? reason])).toEqual([
        ["listNotifications › channels › matches no other attribute of a record", "not applicable", NO_OTHER_ATTRIBUTE],
      ]);
      expect(report.changed).toEqual(["All cases ran in temporary environments, which were deleted."]);
      expect((await control.listEnvironments()).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
      const { requests } = await control.listRequests({ environment: "default", after: history.latest, limit: 1000 });
      expect(requests).toEqual([]);
    },
    240_000,
  );

  test("with a key, what needs a second one or a clock is not applicable, and preferences are restored", async () => {
    const keyed = ["after 24 hours", "the same", "concurrent", "another body", "what never"];
    const quick = ["updatePreferences › a", "records of one key", ...keyed.map((law) => `idempotency-key › ${law}`)];
    const only = isWeekly ? [] : quick;
    const report = await verify({ contract, target, seed: 1, runs: SIZES.verifyRequests, only });
    expect(groupFailures(report).map(({ first }) => [first.id, first.failure])).toEqual([]);
    const reasons = report.results.flatMap(({ outcome, reason }) => (outcome === "pass" ? [] : [reason]));
    const wanted = [
      "needs NC_OTHER_API_KEY (`keys.otherApiKey`)",
      "needs a target with a clock that can be moved",
      ...(isWeekly ? ["the key is too short, or has no letters", NO_OTHER_ATTRIBUTE] : []), // for a form of it in other letters
    ];
    expect(new Set(reasons)).toEqual(new Set(wanted));
    expect(report.changed[0]).toMatch(/^The preferences of (.*, )?ines-moreau(, .*)? were changed and restored\.$/);
    expect(report.changed.filter((sentence) => sentence.includes("could not"))).toEqual([]);
  });

  test("a later run with another subscriber is no false alarm", async () => {
    for (const subscriber of [DEMO_DATA.subscriber, DEMO_DATA.otherSubscriber]) {
      const run = { contract, target: { ...target, subscriber }, only: ["header.idempotency-key"], seed: 1, runs: 4 };
      expect(groupFailures(await verify(run)).map(({ first }) => [first.id, first.failure])).toEqual([]);
    }
  });

  test("a clock that is frozen in the past is no false alarm", async () => {
    const frozen = await startServer({ now: "2025-01-02T09:00:00Z" });
    const here = { ...target, url: new URL(frozen.url), apiKey: frozen.apiKey };
    const only = ["edge of the plan", "the whole plan", "own timestamp", "the clock"];
    const report = await verify({ contract, target: here, only, seed: 1, runs: 4 }).finally(frozen.close);
    expect(groupFailures(report).map(({ first }) => [first.id, first.failure])).toEqual([]);
    expect(report.results.map(({ outcome }) => outcome)).toContain("pass");
  });

  test("without declared capabilities, no case depends on its data", async () => {
    const only = isWeekly ? [] : ["hasMore", "concurrent", "D-30"];
    const { results, changed } = await verify({ contract, target: { ...target, can: [] }, seed: 1, runs: 20, only });
    expect(results.filter(({ outcome }) => outcome === "fail" || outcome === "error").map(({ id }) => id)).toEqual([]);
    const outcomes = results.filter(({ id }) => id.includes("hasMore")).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["not applicable"]);
    expect(changed).toEqual([]);
  });
});

test.each(Array.from({ length: RUNS }, (_, index) => 1 + index))(
  "the mock conforms to the contract within its declared capabilities, seed %i",
  async (seed) => {
    const mock = await startMock();
    const own = { ...DEMO_DATA, ...TARGETS.mock, url: new URL(mock.url), apiKey: mock.apiKey };
    const only = isWeekly || process.env.VERIFY_RUNS ? [] : ["query.limit", "› key ›"];
    const report = await verify({ contract, target: own, seed, runs: 4, only }).finally(mock.close);
    expect(groupFailures(report).map(({ first, alike }) => [first.id, first.failure, alike.length])).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "error")).toEqual([]);
  },
);

test("a random time is of the past, in every offset: before one of the future, a target lists more than it shows", () => {
  const times = fc.sample(scalarOf({ type: "string", format: "date-time" }), { numRuns: 3000, seed: 1 });
  const late = times.filter((time) => Date.parse(String(time).replace(" ", "T")) > Date.now());
  expect(late).toEqual([]);
});
