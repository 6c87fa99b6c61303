// A client of a running server. Checks every response against the contract.
import { expectInContract, type TestResponse } from "./reference.js";

export interface WireClient {
  /** Sends updatePreferences. */
  update(subscriberId: string, body: object, idempotencyKey?: string): Promise<TestResponse>;
  list(query?: string): Promise<TestResponse>;
}

export function createWireClient(url: string, apiKey: string): WireClient {
  async function send(method: string, path: string, headers: Record<string, string>, body?: string) {
    const init = { method, headers: { authorization: `ApiKey ${apiKey}`, ...headers }, ...(body ? { body } : {}) };
    const received = await fetch(`${url}${path}`, init);
    const text = await received.text();
    const shown = Object.fromEntries(received.headers);
    const response = { status: received.status, headers: shown, text, body: JSON.parse(text) };
    expectInContract(method, path, response);
    return response;
  }

  return {
    update(subscriberId, body, idempotencyKey) {
      const key = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
      const headers = { "content-type": "application/json", ...key };
      const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
      return send("PATCH", path, headers, JSON.stringify(body));
    },
    list: (query = "") => send("GET", `/v1/notifications${query}`, {}),
  };
}
