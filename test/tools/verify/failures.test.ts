// What a failure says: the status that the case expects first, then what follows from it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/target.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { type Backend, startBackend } from "./backend.js";
import { MAIN_KEY, TARGET_DATA } from "./backend-data.js";
import { around, inPages, type Json } from "./plant.js";

const contract = await loadContract();

test("a failure names the expectation of its case, against a server that responds with 200 {} to everything", async () => {
  const backend = await startBackend((created) => {
    created.respond = async () => [200, {}];
  });
  const target = { ...DEMO_DATA, ...TARGETS.implementation, url: backend.url, apiKey: MAIN_KEY };
  const only = ["query.limit › minimum", 'query.limit › accepts › "1"', "a critical workflow"];
  const { results } = await verify({ contract, target, seed: 1, only }).finally(backend.close);
  const failures = Object.fromEntries(results.map(({ id, failure }) => [id, failure]));
  expect(failures['listNotifications › query.limit › minimum › "-1"']).toMatchObject({
    what: "status",
    expected: "422",
    actual: 200,
  });
  expect(failures['listNotifications › query.limit › accepts › "1"']).toMatchObject({ what: "response" });
});

test("a page of a gateway fails by its status", async () => {
  const backend = await startBackend((created) => {
    created.handle = async (_request, response) => void response.writeHead(502).end("<h1>Bad gateway</h1>");
  });
  const target = { ...DEMO_DATA, ...TARGETS.implementation, url: backend.url, apiKey: MAIN_KEY };
  const run = verify({ contract, target, seed: 1, only: ["query.limit › maximum"] }).finally(backend.close);
  const [result] = (await run).results;
  expect(result?.failure).toMatchObject({ what: "status", expected: "422", actual: "502 <h1>Bad gateway</h1>" });
});

describe("a failure begins with what is probably wrong, and its command shows it", () => {
  test.each<[title: string, plant: (backend: Backend) => void, only: string[], hypothesis: RegExp | undefined]>([
    ["hasMore is always false", inPages(() => ({ hasMore: false })), ["hasMore ›"], undefined],
    ["topicKey is not applied", around("isTopic", () => () => true), ["topicKey › returns"], undefined],
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
