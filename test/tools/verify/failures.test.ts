// Failures say the status that their case expects first, then what follows from it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { TARGETS } from "../../../src/tools/verify/target.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { type Backend, startBackend } from "./backend.js";
import { MAIN_KEY, TARGET_DATA } from "./backend-data.js";
import { around, inPages, type Json } from "./plant.js";
import { verifyBackend } from "./verify-backend.js";

const contract = await loadContract();

test("a failure names the expectation of its case, against a server that responds with 200 {} to everything", async () => {
  const only = ["query.limit › minimum", 'query.limit › accepts › "1"'];
  const { results } = await verifyBackend(
    around("respond", () => async () => [200, {}]),
    { only },
  );
  const failures = Object.fromEntries(results.map(({ id, failure }) => [id, failure]));
  const minimum = { what: "status", expected: "422", actual: 200 };
  expect(failures['listNotifications › query.limit › minimum › "-1"']).toMatchObject(minimum);
  expect(failures['listNotifications › query.limit › accepts › "1"']).toMatchObject({ what: "response" });
});

test("a page of a gateway fails by its status", async () => {
  const plant = around("handle", () => async (_request, response) => {
    response.writeHead(502).end("<h1>Bad gateway</h1>");
  });
  const [result] = (await verifyBackend(plant, { only: ["query.limit › maximum"] })).results;
  expect(result?.failure).toMatchObject({
    what: "status",
    expected: "422",
    actual: 502,
    received: { status: 502, body: "<h1>Bad gateway</h1>" },
  });
});

describe("a failure begins with what is probably wrong, and its command shows it", () => {
  test.each<[title: string, plant: (backend: Backend) => void, only: string[], hypothesis: RegExp | undefined]>([
    ["hasMore is always false", inPages(() => ({ hasMore: false })), ["hasMore ›"], undefined],
    ["filters are not applied", around("isMatch", () => () => true), ["topicKey › returns"], undefined],
    [
      "a limit of 50 is rejected",
      around("isValid", (original) => (name, value) => value !== "50" && original(name, value)),
      ["random", "maximum"],
      /^A valid request was rejected, because of query\.limit\.$/,
    ],
    ["an inverted range is accepted", around("checkDates", () => () => {}), ["D-41"], undefined],
    ["updates are not stored", around("apply", () => () => {}), ["any sequence of updates"], undefined],
  ])("%s", async (_title, plant, only, hypothesis) => {
    const backend = await startBackend(plant);
    const target = { ...TARGET_DATA, ...TARGETS.implementation, url: backend.url };
    try {
      const report = await verify({ contract, target, seed: 5, runs: 60, only });
      const failures = report.results.flatMap(({ failure }) => failure ?? []);
      expect(failures.length).toBeGreaterThan(0);
      for (const { what, expected, actual, curl = "", hypothesis: sentence } of failures) {
        if (hypothesis) expect(sentence).toMatch(hypothesis);
        const { stdout } = await promisify(execFile)("sh", ["-c", curl], {
          env: { ...process.env, NC_API_KEY: MAIN_KEY },
        });
        const last = stdout.slice(stdout.lastIndexOf("HTTP/1.1 "));
        const [status = "", body = ""] = [last.slice(9, 12), last.slice(last.indexOf("\r\n\r\n") + 4)];
        if (what === "status") expect(status).toBe(String(actual).slice(0, 3));
        else if (/^(records|body\.data)/.test(what)) expect(idsIn(body)).not.toEqual(expected);
        else expect(`${what} ${valueAt(JSON.parse(body), what)}`).toBe(`${what} ${actual}`);
      }
    } finally {
      await backend.close();
    }
  });
});

const idsIn = (body: string) => (JSON.parse(body).data as { _id: string }[]).map(({ _id }) => _id);

function valueAt(body: Json, what: string): unknown {
  return what
    .split(".")
    .slice(1)
    .reduce((place, name) => place?.[name], body);
}
