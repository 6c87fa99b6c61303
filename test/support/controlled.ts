// A server with its control plane, and a client that checks every response against the control plane's contract.

import { expect, onTestFinished } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTROL_CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { findResponse, mainMedia } from "../../src/contract/operation.js";
import { type RunningServer, type ServerOptions, startServer } from "../../src/start-server.js";
import { operationsAt } from "./operations-at.js";

const contract = await loadContract(CONTROL_CONTRACT_PATH);

export interface Controlled extends RunningServer {
  /** Sends a request such as `control("POST /environments", { seed: "demo" })`. */
  control: (what: string, body?: unknown, headers?: Record<string, string>) => Promise<ControlResponse>;
  /** Sends a request to the API. */
  request: (apiKey: string, what: string, init?: RequestInit) => Promise<ControlResponse>;
  /** Creates an environment for one test. */
  createEnvironment: (settings?: object) => Promise<IsolatedEnvironment>;
}

export interface IsolatedEnvironment {
  name: string;
  apiKey: string;
  /**
   * Sends a request such as `control("POST /faults", { status: 503 })`; a method alone addresses the environment
   * itself.
   */
  control: (what: string, body?: unknown) => Promise<ControlResponse>;
  request: (what: string, init?: RequestInit) => Promise<ControlResponse>;
}

export interface ControlResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies, which are checked against the contract
  body: any;
}

/** A connection for each request: an idle one may end while a reload keeps this process busy. */
const CLOSE = { connection: "close" };

/** Starts a server, by default in memory. Closes it when the test ends, or with `afterAll` when the file ends. */
export async function startControlled(
  options: ServerOptions = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<Controlled> {
  const server = await startServer({ checkResponses: true, ...options });
  atEnd(server.close);
  const controlled: Controlled = {
    ...server,
    async control(what, body, headers = {}) {
      const [method = "GET", target = ""] = what.split(" ");
      const response = await fetch(`${server.url}/_control${target}`, {
        method,
        headers: { ...CLOSE, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const parsed = text === "" ? undefined : JSON.parse(text);
      const result = { status: response.status, headers: response.headers, body: parsed };
      expectInControlContract(method, `/_control${target}`, result);
      return result;
    },
    async request(apiKey, what, init = {}) {
      const [method = "GET", target = ""] = what.split(" ");
      const headers = {
        ...CLOSE,
        authorization: `ApiKey ${apiKey}`,
        "content-type": "application/json",
        ...init.headers,
      };
      const response = await fetch(server.url + target, { ...init, method, headers });
      return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    },
    async createEnvironment(settings = {}) {
      const { name, apiKey } = (await controlled.control("POST /environments", settings)).body;
      return {
        name,
        apiKey,
        control(what, body) {
          const [method, path = ""] = what.split(" ");
          return controlled.control(`${method} /environments/${name}${path}`, body);
        },
        request: (what, init) => controlled.request(apiKey, what, init),
      };
    },
  };
  return controlled;
}

/** Fails unless the contract declares the status and the body is valid. */
function expectInControlContract(method: string, target: string, { status, body }: ControlResponse): void {
  const [path = ""] = target.split("?");
  const operation = operationsAt(contract, path).find((candidate) => candidate.method === method.toLowerCase());
  if (!operation) {
    expect(contract.schemas.get("ErrorResponse")?.check(body, ["body"])).toEqual([]);
    return;
  }
  const response = findResponse(operation, status);
  expect(response, `${status} of ${operation.id}`).toBeDefined();
  if (body === undefined) expect(status).toBe(204);
  else if (status >= 400) expect(contract.schemas.get("ErrorResponse")?.check(body, ["body"])).toEqual([]);
  else {
    expect(mainMedia(response)?.schema?.check(body, ["body"])).toEqual([]);
  }
}
