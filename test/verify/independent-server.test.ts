// A server that others might have built: correct, and then with one of five bugs. The suite tells them apart.
import { afterEach, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { groupFailures, type Report } from "../../src/verify/report.js";
import { verify } from "../../src/verify/verify.js";
import { type Bug, startIndependentServer } from "./independent-server.js";

const contract = await loadContract();
let close = async () => {};
afterEach(() => close());

async function run(bug?: Bug, only: string[] = []): Promise<Report> {
  const server = await startIndependentServer("their-key", bug);
  close = server.close;
  const data = { subscriber: "ada", otherSubscriber: "grace", workflow: "welcome", unlistedWorkflows: [] };
  const can = ["stateful", "listing", "checks-key"] as const;
  const target = { url: server.url, apiKey: "their-key", can, except: [], ...data };
  return verify({ contract, target, seed: 3, runs: 60, only });
}

describe("an independent server", () => {
  test("without bugs conforms to the contract", async () => {
    const report = await run();
    expect(groupFailures(report).map(({ first }) => [first.id, first.failure])).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "error")).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(500);
  });

  test.each([
    ["limit", 'listNotifications › query.limit › maximum › "51"'],
    ["hasMore", "listNotifications › hasMore › true exactly when the next page has a record"],
    ["partial", "updatePreferences › a channel that is not named keeps its value"],
    ["auth", "listNotifications › key › Bearer"],
    ["allow", "listNotifications › method › POST"],
  ] as [Bug, string][])("with a bug in %s fails %s", async (bug, id) => {
    const failed = (await run(bug)).results.filter(({ outcome }) => outcome === "fail").map((result) => result.id);
    expect(failed).toContain(id);
  });
});
