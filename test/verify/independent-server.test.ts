// A server that others might have built: right, and then broken in five ways. The suite judges each as it is.
import { afterEach, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { foldFailures, type Report } from "../../src/verify/report.js";
import { verify } from "../../src/verify/verify.js";
import { type Fault, startIndependentServer } from "./independent-server.js";

const contract = await loadContract();
let close = async () => {};
afterEach(() => close());

async function judge(fault?: Fault, only: string[] = []): Promise<Report> {
  const server = await startIndependentServer("their-key", fault);
  close = server.close;
  const data = { subscriber: "ada", otherSubscriber: "grace", workflow: "welcome", unlistedWorkflows: [] };
  const can = ["stateful", "listing", "checks-key"] as const;
  const target = { url: server.url, apiKey: "their-key", can, except: [], ...data };
  return verify({ contract, target, seed: 3, runs: 60, only });
}

describe("an independent server", () => {
  test("that is right is judged right", async () => {
    const report = await judge();
    expect(foldFailures(report).map(({ first }) => [first.id, first.failure])).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "broken")).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(500);
  });

  test.each([
    ["limit", 'listNotifications › query.limit › maximum › "51"'],
    ["hasMore", "listNotifications › hasMore › true exactly when the next page has a record"],
    ["partial", "updatePreferences › a channel that is not named keeps its value"],
    ["auth", "listNotifications › key › Bearer"],
    ["allow", "listNotifications › method › POST"],
  ] as [Fault, string][])("that is broken at %s is found by %s", async (fault, id) => {
    const failed = (await judge(fault)).results.filter(({ outcome }) => outcome === "fail").map((result) => result.id);
    expect(failed).toContain(id);
  });
});
