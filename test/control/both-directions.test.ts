// The control plane and its contract, in both directions: each response that the contract declares is obtained, and
// each response that is obtained is declared (the client of these tests checks that).
import { afterAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTROL_CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { startControlled } from "../support/controlled.js";

const { operations, document } = await loadContract(CONTROL_CONTRACT_PATH);
const server = await startControlled({}, afterAll);

type Row = [status: number, method: string, target: string, body?: object | undefined];

const ENVIRONMENT = "/environments/default";
const NOWHERE = "/environments/nowhere";
const SUBSCRIBER = { subscriberId: "new" };
const WORKFLOW = { identifier: "new", name: "New" };

/**
 * The rows of an operation run in their order. Without a 404 of its own, an operation of an environment also has one
 * for an environment that does not exist.
 */
const ROWS = withUnknownEnvironment({
  getReadiness: [[200, "GET", "/ready"]],
  listEnvironments: [
    [200, "GET", "/environments"],
    [422, "GET", "/environments?waitMs=x"],
  ],
  createEnvironment: [
    [201, "POST", "/environments", { name: "mine" }],
    [409, "POST", "/environments", { name: "mine" }],
    [422, "POST", "/environments", { name: "A b" }],
  ],
  getEnvironment: [[200, "GET", ENVIRONMENT]],
  deleteEnvironment: [
    [204, "DELETE", "/environments/mine"],
    [404, "DELETE", NOWHERE],
    [409, "DELETE", ENVIRONMENT],
  ],
  resetEnvironment: [
    [200, "POST", `${ENVIRONMENT}/reset`, {}],
    [422, "POST", `${ENVIRONMENT}/reset`, { seed: "nothing" }],
  ],
  exportEnvironment: [[200, "GET", `${ENVIRONMENT}/seed`]],
  listWorkflows: [[200, "GET", `${ENVIRONMENT}/workflows`]],
  addWorkflow: [
    [201, "POST", `${ENVIRONMENT}/workflows`, WORKFLOW],
    [409, "POST", `${ENVIRONMENT}/workflows`, WORKFLOW],
    [422, "POST", `${ENVIRONMENT}/workflows`, {}],
  ],
  removeWorkflow: [
    [204, "DELETE", `${ENVIRONMENT}/workflows/new`],
    [404, "DELETE", `${ENVIRONMENT}/workflows/new`],
  ],
  listSubscribers: [
    [200, "GET", `${ENVIRONMENT}/subscribers`],
    [422, "GET", `${ENVIRONMENT}/subscribers?page=x`],
  ],
  addSubscriber: [
    [201, "POST", `${ENVIRONMENT}/subscribers`, SUBSCRIBER],
    [409, "POST", `${ENVIRONMENT}/subscribers`, SUBSCRIBER],
    [422, "POST", `${ENVIRONMENT}/subscribers`, {}],
  ],
  removeSubscriber: [
    [204, "DELETE", `${ENVIRONMENT}/subscribers/new`],
    [404, "DELETE", `${ENVIRONMENT}/subscribers/new`],
  ],
  addNotifications: [
    [201, "POST", `${ENVIRONMENT}/notifications`, { subscriberId: "ines-moreau" }],
    [422, "POST", `${ENVIRONMENT}/notifications`, { subscriberId: "nobody" }],
  ],
  removeNotification: [
    [204, "DELETE", `${ENVIRONMENT}/notifications/{notification}`],
    [404, "DELETE", `${ENVIRONMENT}/notifications/nothing`],
  ],
  getClock: [[200, "GET", `${ENVIRONMENT}/clock`]],
  setClock: [
    [200, "PUT", `${ENVIRONMENT}/clock`, { mode: "frozen" }],
    [422, "PUT", `${ENVIRONMENT}/clock`, { mode: "stopped" }],
  ],
  resetClock: [[200, "DELETE", `${ENVIRONMENT}/clock`]],
  advanceClock: [
    [200, "POST", `${ENVIRONMENT}/clock/advance`, { milliseconds: 1 }],
    [422, "POST", `${ENVIRONMENT}/clock/advance`, {}],
  ],
  listFaults: [[200, "GET", `${ENVIRONMENT}/faults`]],
  addFault: [
    [201, "POST", `${ENVIRONMENT}/faults`, { status: 503 }],
    [422, "POST", `${ENVIRONMENT}/faults`, {}],
  ],
  updateFault: [
    [200, "PATCH", `${ENVIRONMENT}/faults/{fault}`, { paused: true }],
    [404, "PATCH", `${ENVIRONMENT}/faults/nothing`, { paused: true }],
    [422, "PATCH", `${ENVIRONMENT}/faults/{fault}`, {}],
  ],
  removeFault: [
    [204, "DELETE", `${ENVIRONMENT}/faults/{fault}`],
    [404, "DELETE", `${ENVIRONMENT}/faults/nothing`],
  ],
  clearFaults: [[204, "DELETE", `${ENVIRONMENT}/faults`]],
  listRequests: [
    [200, "GET", "/requests"],
    [422, "GET", "/requests?operation=nothing"],
  ],
  clearRequests: [[204, "DELETE", "/requests"]],
});

function withUnknownEnvironment(rowsById: Record<string, Row[]>): Record<string, Row[]> {
  const entries = Object.entries(rowsById).map(([id, rows]) => {
    const [[, method, target, body]] = rows as [Row];
    const isComplete = !target.startsWith(ENVIRONMENT) || rows.some(([status]) => status === 404);
    const unknown: Row = [404, method, target.replace(ENVIRONMENT, NOWHERE), body];
    return [id, isComplete ? rows : [...rows, unknown]];
  });
  return Object.fromEntries(entries);
}

test("each operation and each status of the contract has a row, and each row is in the contract", () => {
  const declared = operations.flatMap(({ id, responses }) => responses.map(({ key }) => `${id} ${key}`));
  const listed = Object.entries(ROWS).flatMap(([id, rows]) => rows.map(([status]) => `${id} ${status}`));
  expect(declared.filter((name) => !name.endsWith("default")).toSorted()).toEqual(listed.toSorted());
});

/** Fills in the ids that the server has drawn. */
async function toTarget(target: string): Promise<string> {
  if (!target.includes("{")) return target;
  const isFault = target.includes("{fault}");
  const { body } = isFault
    ? await server.control(`GET ${ENVIRONMENT}/faults`)
    : await server.control(`POST ${ENVIRONMENT}/notifications`, { subscriberId: "ines-moreau" });
  return target.replace(/{\w+}/, isFault ? body.faults[0].id : body.notifications[0]._id);
}

describe.each(operations.map(({ id }) => id).toSorted(byTable))("%s", (id) => {
  test.each(ROWS[id] ?? [])("%d of %s %s", async (status, method, target, body) => {
    const response = await server.control(`${method} ${await toTarget(target)}`, body);
    expect([response.status, response.body?.message]).toEqual([status, status < 400 ? undefined : expect.any(String)]);
  });

  test("an unknown parameter, and a body that is no JSON, are rejected as declared", async () => {
    const [, method = "", target = ""] = ROWS[id]?.[0] ?? [];
    expect((await server.control(`${method} ${target}?unknown=1`)).status).toBe(422);
    if (operations.find((operation) => operation.id === id)?.body)
      expect((await server.control(`${method} ${target}`, {}, { "content-type": "text/plain" })).status).toBe(415);
  });
});

/** In the order of the table, where later rows rest on what earlier ones have created. */
function byTable(one: string, other: string): number {
  const ids = Object.keys(ROWS);
  return ids.indexOf(one) - ids.indexOf(other);
}

describe("the presets of faults", () => {
  const { enum: presets = [] } = document.components.schemas.FaultPreset as { enum?: string[] };
  const OTHERS = { delayMs: 1, status: 503, count: 2, share: 0.5, skip: 3 };
  /** Where another status is rejected. */
  const REJECTED: Record<string, string> = { "rate-limited": "body.status", "no-response": "body" };
  const rows = presets.flatMap((preset) =>
    Object.entries(OTHERS).map(
      ([name, value]) => [preset, name, value, name === "status" && REJECTED[preset]] as const,
    ),
  );
  test.each(rows)("%s with another %s (%d): rejected: %j", async (preset, name, value, place) => {
    const { status, body } = await server.control(`POST ${ENVIRONMENT}/faults`, { preset, [name]: value });
    if (place) expect([status, Object.keys(body.errors)]).toEqual([422, [place]]);
    else expect([status, body[name]]).toEqual([201, value]);
  });
});
