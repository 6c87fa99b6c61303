// The reference server in this process, on the demo seed with the clock at its `asOf`, and a client that checks every
// response against the contract.

import type { Express } from "express";
import pino from "pino";
import supertest from "supertest";
import { expect } from "vitest";
import { type Contract, loadContract } from "../../src/contract/contract.js";
import { CONTROL_CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { splitTarget } from "../../src/contract/target.js";
import { createControlPlane } from "../../src/control/control-app.js";
import type { Plan } from "../../src/core/domain/notifications.js";
import type { Seed } from "../../src/core/domain/state.js";
import { type ChangeLog, createStoredEnvironment, type Environment } from "../../src/core/state/environment.js";
import * as pages from "../../src/pages/docs/server-pages.js";
import { serveProposal } from "../../src/proposals/proposal.js";
import { createApp } from "../../src/server/app.js";
import { servingOf } from "../../src/server/serving.js";
import { openStore, type Store } from "../../src/server/store/environments.js";
import { loadSeed } from "../../src/server/store/seed.js";
import { contract as ours } from "./contract.js";
import { operationsAt } from "./operations-at.js";

export const API_KEY = "test-key";

export interface Reference {
  app: Express;
  contract: Contract;
  store: Store;
  seed: Seed;
  /** The adjustable present. */
  clock: { now: () => Date; set: (instant: Date | string) => void };
  /**
   * Sends a request with the key (unless `headers.authorization` is null) and checks the response against the contract.
   */
  send: (request: TestRequest) => Promise<TestResponse>;
  /** Restores the seed, for tests that share a reference. Creating one takes twenty times as long. */
  reset: () => Promise<void>;
}

export interface TestRequest {
  method?: string;
  /** Path and query as on the wire. */
  url: string;
  headers?: Record<string, string | null>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  rawBody?: string | Buffer;
}

export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies, which `send` has checked against the contract
  body: any;
  text: string;
}

const demo = await loadSeed("demo", ours);

/**
 * @param options.log replaces the disk by a log that the test can delay or fail.
 * @param options.folder stores the state; the caller must close the store.
 * @param options.now the initial time; default: the seed's.
 */
export async function createReference(
  options: Partial<Pick<Reference, "contract" | "seed">> & {
    plan?: Plan;
    log?: ChangeLog;
    folder?: string;
    now?: Date;
  } = {},
): Promise<Reference> {
  const contract = options.contract ?? ours;
  const serving = servingOf(contract, serveProposal);
  const seed = options.seed ?? demo;
  let present = options.now ?? new Date(seed.asOf);
  const set = (instant: Date | string) => {
    present = new Date(instant);
  };
  const clock = { now: () => new Date(present), set };
  const openSeed = async () => seed;
  const opened = await openStore({ contract, folder: options.folder, apiKey: API_KEY, seed: openSeed, clock });
  const store = options.log ? withLog(opened, options.log) : opened;
  const environment = store.environments[0] as Environment; // the default one
  const initial = environment.state.toData();
  const log = pino({ level: "silent" });
  const parts = { store, log, apiKey: API_KEY, seed: openSeed, controlKey: undefined };
  const facts = { startedAt: clock.now(), seed: "tests", dataFolder: undefined };
  const control = createControlPlane(
    { contract: () => contract, records: () => serving.records, facts, ...parts },
    () => loadContract(CONTROL_CONTRACT_PATH),
  );
  const plan = options.plan ?? "enterprise";
  const app = createApp({ pages, serving, contract, store, clock, log, plan, control, checkResponses: true });
  return {
    app,
    contract,
    store,
    seed,
    clock,
    send: (request) => send(app, request),
    reset: () => environment.transact(() => ({ result: undefined, changes: [{ type: "replaced", data: initial }] })),
  };
}

function withLog(store: Store, log: ChangeLog): Store {
  const environment = createStoredEnvironment({ ...(store.environments[0] as Environment), log });
  return { ...store, environmentOf: (apiKey) => (apiKey === API_KEY ? environment : undefined) };
}

async function send(app: Express, request: TestRequest): Promise<TestResponse> {
  const { method = "GET", url, headers = {}, body, rawBody } = request;
  const all = { authorization: `ApiKey ${API_KEY}`, ...(body === undefined ? {} : JSON_TYPE), ...headers };
  // supertest has a function for each method.
  const test = supertest(app)[method.toLowerCase() as "get"](url);
  test.serialize((text) => text as unknown as string); // sends bytes as they are
  for (const [name, value] of Object.entries(all)) if (value !== null) test.set(name, value);
  const response = await test.send(rawBody ?? (body === undefined ? undefined : JSON.stringify(body))).ok(() => true);
  const result = { status: response.status, headers: response.headers, body: response.body, text: response.text };
  expectInContract(method, url, result);
  return result;
}

const JSON_TYPE = { "content-type": "application/json" };

/** Fails unless the contract allows the whole response: status, headers, media type and body. */
export function expectInContract(method: string, url: string, response: TestResponse): void {
  const { path } = splitTarget(url);
  if (!path.startsWith("/v1/") && !path.startsWith("/v2/")) return;
  if (method === "OPTIONS") return;
  const operation = ours.findOperation(method, path) ?? operationsAt(ours, path)[0]; // a 405 is declared by all
  const judge = response.status === 401 && !operation ? ours.operations[0] : operation;
  const body = method === "HEAD" ? undefined : response.body;
  expect(ours.checkResponse(judge, { ...response, body })).toEqual([]);
}
