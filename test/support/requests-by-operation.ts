// A valid request for each operation of the contract, for tests that send one to all of them. A new operation gets its
// row here.
import type { Operation } from "../../src/contract/model.js";
import type { TestRequest } from "./reference.js";
import type { SocketRequest } from "./socket-request.js";

const REQUESTS: Readonly<Record<string, TestRequest>> = {
  listNotifications: { url: "/v1/notifications" },
  updatePreferences: {
    method: "PATCH",
    url: "/v2/subscribers/ines-moreau/preferences",
    body: { channels: { email: false } },
  },
};

/** @throws Error for an operation without a row, which names this file. */
export function requestOf({ id }: Pick<Operation, "id">): TestRequest {
  const request = REQUESTS[id];
  if (!request) throw new Error(`test/support/requests-by-operation.ts has no request for ${id}`);
  return request;
}

/** The same, as a client with this API key sends it; without one, its key is missing. */
export function socketRequestOf(operation: Pick<Operation, "id">, apiKey?: string): SocketRequest {
  const { method = "GET", url, body } = requestOf(operation);
  const key = apiKey === undefined ? {} : { authorization: `ApiKey ${apiKey}` };
  if (body === undefined) return { method, target: url, headers: key };
  return {
    method,
    target: url,
    headers: { ...key, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
