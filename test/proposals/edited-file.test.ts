// A file that is edited while it is served: what says that a response is mocked, what a handler still does, and what
// its recorded responses become.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findProposalFacts } from "../../src/cli/start-message.js";
import { contract } from "../support/contract.js";
import { type IsolatedEnvironment, startControlled } from "../support/controlled.js";
import { DOCUMENT } from "../support/edited-contract.js";
import { createLogLines } from "../support/log-lines.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import type { Proposal } from "./proposals.js";

type Any = Parameters<Proposal["edit"]>[0];

const DIGEST = "/v2/subscribers/{subscriberId}/digest";
const PREFERENCES = "/v2/subscribers/{subscriberId}/preferences";
const updateOf = (document: Any) => document.paths[PREFERENCES].patch;

/** A third operation, a member of the body that has no effect, and a required member of each response. */
function edit(document: Any): void {
  const { Preferences, PreferencesUpdate } = document.components.schemas;
  document.paths[DIGEST] = {
    get: {
      operationId: "getDigest",
      parameters: updateOf(document).parameters.slice(0, 1),
      responses: { 200: updateOf(document).responses[200] },
    },
  };
  PreferencesUpdate.properties.reason = { type: "string" };
  Preferences.properties.revision = { type: "integer", minimum: 0, maximum: 1_000_000 };
  Preferences.required.push("revision");
}

function toText(change: Proposal["edit"]): string {
  const document = structuredClone(DOCUMENT);
  change(document);
  return JSON.stringify(document);
}

const contractPath = join(await createTemporaryFolder(afterAll), "openapi.json");
await writeFile(contractPath, toText(edit));
const logLines = createLogLines();
const SERVER = {
  ...(await startControlled({ contractPath, watch: true, log: logLines.log }, afterAll)),
  ...logLines,
};
const get = (own: IsolatedEnvironment) => own.request(`GET ${DIGEST.replace("{subscriberId}", "ines-moreau")}`);

function update(own: IsolatedEnvironment, subscriber: string, body: object, headers: Record<string, string> = {}) {
  const target = PREFERENCES.replace("{subscriberId}", subscriber);
  return own.request(`PATCH ${target}`, { body: JSON.stringify(body), headers });
}

test("a mocked response says so: in its header, the log, the request history; pages of other origins can read it", async () => {
  const own = await SERVER.createEnvironment({ seed: "demo" });
  const mocked = await get(own);
  expect([mocked.status, mocked.headers.get("x-mocked")]).toEqual([200, "not-implemented"]);
  expect(mocked.headers.get("access-control-expose-headers")?.split(",")).toContain("X-Mocked");
  expect(await SERVER.logged(/GET .*digest/)).toContain("200 (mocked)");
  const real = await update(own, "ines-moreau", { channels: {} });
  expect([real.status, real.headers.get("x-mocked")]).toEqual([200, null]);
  expect(await SERVER.logged(/PATCH .*preferences/)).not.toContain("mocked");
  const { requests } = (await SERVER.control(`GET /requests?environment=${own.name}`)).body;
  expect(requests.map(({ mocked }: { mocked?: boolean }) => mocked)).toEqual([true, undefined]);
});

test("requests to a new operation are found by its name, and have faults", async () => {
  const own = await SERVER.createEnvironment({ seed: "demo" });
  const fault = { operation: "getDigest", status: 200, count: 1 };
  expect((await own.control("POST /faults", fault)).status).toBe(201);
  expect((await get(own)).status).toBe(200);
  const { requests } = (await SERVER.control(`GET /requests?operation=getDigest&environment=${own.name}`)).body;
  expect(requests).toEqual([expect.objectContaining({ operation: "getDigest", fault: expect.any(String) })]);
  const wrong = await SERVER.control("GET /requests?operation=getDiges");
  const ids = [...contract.operations.map(({ id }) => id), "getDigest"];
  const messages = [`There is no operation getDiges; expected one of ${ids.join(", ")}.`];
  expect(wrong).toMatchObject({ status: 422, body: { errors: { "query.operation": { messages } } } });
});

test("the start message has a row for each kind of difference that there is", () => {
  const status = { implemented: ["a"], mocked: ["b", "c"], removed: [], cannotBeShown: ["g"] };
  expect(findProposalFacts(status)).toEqual({ Real: "a", Mocked: expect.stringMatching(/^b\n +c$/), Invalid: "g" });
});

test("an update is real, and what is filled belongs to the subscriber; one that sends a member without effect is mocked", async () => {
  const own = await SERVER.createEnvironment({ seed: "demo" });
  const mocked = await update(own, "ines-moreau", { channels: { email: true }, reason: "too much" });
  expect([mocked.status, mocked.headers.get("x-mocked")]).toEqual([200, "not-implemented"]);
  const off = await update(own, "ines-moreau", { channels: { email: false } });
  expect(off).toMatchObject({ status: 200, body: { global: { channels: { email: false } } } });
  const on = await update(own, "ines-moreau", { channels: { email: true } });
  expect(on.body).toMatchObject({ global: { channels: { email: true } }, revision: off.body.revision });
  const other = await update(own, "amara-okafor", { channels: {} });
  expect(other.body.revision).not.toBe(on.body.revision);
  expect(await update(own, "ines-moreau", { channels: {}, reason: 1 })).toMatchObject({ status: 422 });
});

test("an environment's file with a member that neither contract has is rejected with its place", async () => {
  const folder = await createTemporaryFolder();
  const [contractPath, dataFolder] = [join(folder, "openapi.json"), join(folder, "environments")];
  const addPriority = ({ components }: Any) =>
    (components.schemas.Notification.properties.priority = { type: "integer" });
  await writeFile(contractPath, toText(addPriority));
  const server = await startControlled({ contractPath, dataFolder, log: createLogLines().log });
  await server.close();
  const file = join(dataFolder, "default.json");
  const data = JSON.parse(await readFile(file, "utf8"));
  const write = (member: object) =>
    writeFile(file, JSON.stringify({ ...data, notifications: [{ ...data.notifications[0], ...member }] }));
  for (const [member, message] of [
    [{ urgency: 1 }, /notifications\.0\.urgency is unknown/],
    [{ priority: "1" }, /notifications\.0\.priority must be an integer/],
  ] as const) {
    await write(member);
    await expect(startControlled({ contractPath, dataFolder, log: createLogLines().log })).rejects.toThrow(message);
  }
  await write({ priority: 1 });
  const again = await startControlled({ contractPath, dataFolder, log: createLogLines().log });
  expect((await again.request(again.apiKey, "GET /v1/notifications")).body.data).toEqual([
    expect.objectContaining({ priority: 1 }),
  ]);
});

// Changes the contract, so it comes last.
test("a replay has the form that the contract asks for now", async () => {
  const own = await SERVER.createEnvironment({ seed: "demo" });
  const key = { "idempotency-key": "once" };
  const first = await update(own, "ines-moreau", { channels: { email: false } }, key);
  const edited = toText((document) => {
    edit(document);
    document.components.schemas.Preferences.properties.locale = { enum: ["en"] };
    document.components.schemas.Preferences.required.push("locale");
  });
  await writeFile(contractPath, edited);
  await SERVER.logged(/was reloaded/);
  const replay = await update(own, "ines-moreau", { channels: { email: false } }, key);
  expect(replay.headers.get("idempotency-replay")).toBe("true");
  expect(replay.body).toEqual({ ...first.body, locale: "en" });
});
