// The requests that a narrowed fault affects, in the server and the fetch handler.
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { NewFault } from "../../src/browser/client/control.js";
import { createFetchHandler } from "../../src/browser/fetch/fetch-handler.js";
import { findSeedPath } from "../../src/server/store/seed.js";
import { startControlled } from "../support/controlled.js";

const MENTION_ID = "66e0f1a20c4b3d5e6f708101";
const update = (subscriberId: string, body: object): [string, RequestInit] => [
  `PATCH /v2/subscribers/${subscriberId}/preferences`,
  { body: JSON.stringify(body) },
];
const REQUESTS: Record<string, [what: string, init?: RequestInit]> = {
  read: update("ines-moreau", { channels: {} }),
  emailOff: update("ines-moreau", { channels: { email: false } }),
  emailOn: update("ines-moreau", { channels: { email: true } }),
  ofWorkflow: update("ines-moreau", { channels: { email: false }, workflowId: "comment-mention" }),
  ofAnother: update("lucas-moreau", { channels: { email: false } }),
  listAll: ["GET /v1/notifications"],
  listTwo: ["GET /v1/notifications?subscriberIds=lucas-moreau&subscriberIds=ines-moreau"],
  listOfWorkflow: [`GET /v1/notifications?templates=${MENTION_ID}`],
};
const UPDATES = ["emailOff", "emailOn", "ofWorkflow", "ofAnother"];
const OF_INES = ["read", "emailOff", "emailOn", "ofWorkflow", "listTwo"];

const server = await startControlled({}, afterAll);
const seed = JSON.parse(readFileSync(findSeedPath("demo"), "utf8"));

const TARGETS: Record<string, (fault: NewFault) => Promise<(what: string, init?: RequestInit) => Promise<number>>> = {
  async server(fault) {
    const mine = await server.createEnvironment();
    expect((await mine.control("POST /faults", fault)).body).toMatchObject(fault);
    return async (what, init) => (await mine.request(what, init)).status;
  },
  async "fetch handler"(fault) {
    const handler = createFetchHandler({ seed, faults: [fault] });
    const headers = { authorization: "ApiKey demo-key", "content-type": "application/json" };
    return async (what, init) => {
      const [method = "", target = ""] = what.split(" ");
      const response = await handler.fetch(`https://api.example.com${target}`, { method, headers, ...init });
      return response.status;
    };
  },
};

describe.each(Object.entries(TARGETS))("%s", (_name, open) => {
  test.each<[string, NewFault, string[]]>([
    ["updates that set a channel", { isUpdate: true }, UPDATES],
    ["a subscriber", { when: { subscriberId: "ines-moreau" } }, OF_INES],
    ["updates of a subscriber", { isUpdate: true, when: { subscriberId: "lucas-moreau" } }, ["ofAnother"]],
    ["lists of a subscriber", { operation: "listNotifications", when: { subscriberId: "ines-moreau" } }, ["listTwo"]],
    ["a workflow", { when: { workflowId: "comment-mention" } }, ["ofWorkflow"]],
    ["a workflow's list", { when: { workflowId: MENTION_ID } }, ["listOfWorkflow"]],
  ])("%s", async (_title, fault, wanted) => {
    const send = await open({ status: 503, ...fault });
    const affected: string[] = [];
    for (const [name, [what, init]] of Object.entries(REQUESTS)) {
      const status = await send(what, init);
      expect(status).toBeOneOf([200, 503]);
      if (status === 503) affected.push(name);
    }
    expect(affected).toEqual(wanted);
  });

  test("count and skip count the requests that match", async () => {
    const send = await open({ status: 503, isUpdate: true, skip: 1, count: 1 });
    const names = ["read", "emailOff", "read", "listAll", "emailOn", "emailOff"];
    const statuses: number[] = [];
    for (const name of names) statuses.push(await send(...(REQUESTS[name] as [string, RequestInit?])));
    expect(statuses).toEqual([200, 200, 200, 200, 503, 200]);
  });
});

describe("an error by a fault, and by Prefer, has the time, path and names of its request", () => {
  const path = "/v2/subscribers/ada/preferences";
  const WORKFLOW = { channels: { email: false }, workflowId: "digest" };
  test.each([
    ["unknownSubscriber", WORKFLOW, "Subscriber with id: ada is not found."],
    ["unknownWorkflow", WORKFLOW, "Workflow cannot be found: digest."],
    ["unavailable", WORKFLOW, "The service is unavailable."],
    ["unavailable", { channels: {} }, "The preferences could not be read."],
  ])("%s of %j", async (example, body, message) => {
    const mine = await server.createEnvironment({ now: "2031-05-05T12:00:00Z" });
    const handler = createFetchHandler({ seed, now: "2031-05-05T12:00:00Z", faults: [{ example }] });
    await mine.control("POST /faults", { example });
    const init = () => {
      const headers = { authorization: "ApiKey demo-key", "content-type": "application/json" };
      return { method: "PATCH", headers, body: JSON.stringify(body) };
    };
    const responses = [
      await mine.request(`PATCH ${path}`, { body: JSON.stringify(body) }),
      await mine.request(`PATCH ${path}`, { body: JSON.stringify(body), headers: { prefer: `example=${example}` } }),
      { body: await (await handler.fetch(`https://a.example${path}`, init())).json() },
    ];
    const expected = { timestamp: "2031-05-05T12:00:00.000Z", path, message: expect.stringContaining(message) };
    for (const response of responses) expect(response.body).toMatchObject(expected);
  });
});
