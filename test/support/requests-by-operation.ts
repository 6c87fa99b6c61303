// A valid request for each operation of the contract, for tests that send one to all of them. A new operation gets its row here.
import type { Operation } from "../../src/contract/model.js";
import type { TestRequest } from "./reference.js";

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
