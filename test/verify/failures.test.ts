// What a failure says: the status that the case expects first, then what follows from it.
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import { verify } from "../../src/verify/verify.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY } from "./backend-data.js";

const contract = await loadContract();

describe("a failure names the expectation of its case", () => {
  test("against a server that responds with 200 {} to everything", async () => {
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

  test("where a gateway's page has another status", async () => {
    const backend = await startBackend((created) => {
      created.handle = async (_request, response) => void response.writeHead(502).end("<h1>Bad gateway</h1>");
    });
    const target = { ...DEMO_DATA, ...TARGETS.implementation, url: backend.url, apiKey: MAIN_KEY };
    const { results } = await verify({ contract, target, seed: 1, only: ["query.limit › maximum"] }).finally(
      backend.close,
    );
    expect(results[0]?.failure).toMatchObject({ what: "status", expected: "422", actual: "502 <h1>Bad gateway</h1>" });
  });
});
