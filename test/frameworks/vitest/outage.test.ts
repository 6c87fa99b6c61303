import { type OperationId, toKeepContract } from "notifications-contract/check";
import { createClient } from "notifications-contract/client";
import { createControl } from "notifications-contract/control";
import { createFetchHandler } from "notifications-contract/fetch";
import demo from "notifications-contract/seeds/demo";
import { expect, test, vi } from "vitest";

declare const __NC_URL__: string;

expect.extend({ toKeepContract });
declare global {
  namespace Chai {
    interface Assertion {
      toKeepContract(operation: OperationId): Promise<void>;
    }
  }
}

test("the page uses the control plane", async () => {
  const control = createControl({ baseUrl: __NC_URL__ });
  const { name, apiKey } = await control.createEnvironment({ ttlSeconds: 600 });
  await control.addFault(name, { operation: "listNotifications", status: 503 });
  const result = await createClient({ baseUrl: __NC_URL__, apiKey }).listNotifications();
  expect(result.status).toBe(503);
});

test("a stubbed fetch", async () => {
  vi.stubGlobal("fetch", createFetchHandler({ seed: demo }).fetch);
  const result = await createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" }).listNotifications();
  await expect(result.data).toKeepContract("listNotifications");
});
