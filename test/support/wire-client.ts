// A client of a running server, over its socket. Every answer is held against the contract.
import { expectInContract, type TestAnswer } from "./reference.js";

export interface WireClient {
  /** Sends updatePreferences; `text` of the answer is what came over the wire. */
  update(subscriberId: string, body: object, idempotencyKey?: string): Promise<TestAnswer>;
  list(query?: string): Promise<TestAnswer>;
}

export function createWireClient(url: string, apiKey: string): WireClient {
  async function send(method: string, path: string, headers: Record<string, string>, body?: string) {
    const init = { method, headers: { authorization: `ApiKey ${apiKey}`, ...headers }, ...(body ? { body } : {}) };
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: JSON.parse(text),
    };
    expectInContract(method, path, answer);
    return answer;
  }

  return {
    update(subscriberId, body, idempotencyKey) {
      const headers = {
        "content-type": "application/json",
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      };
      const path = `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
      return send("PATCH", path, headers, JSON.stringify(body));
    },
    list: (query = "") => send("GET", `/v1/notifications${query}`, {}),
  };
}
