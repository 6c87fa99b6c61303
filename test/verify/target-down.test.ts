// A target that goes down, and one that never responds.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { NoResponseError, openTransport, TargetDownError } from "../../src/verify/http-transport.js";
import { DEMO_DATA } from "../../src/verify/target.js";
import { verify } from "../../src/verify/verify.js";

let server: Server;
afterEach(() => server.closeAllConnections());

async function start(listener: RequestListener): Promise<URL> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test("a target that goes down during the run fails, and the report says when", async () => {
  let requests = 0;
  const url = await start((_request, response) => {
    requests += 1;
    if (requests < 50) return response.writeHead(404).end();
    server.close();
    server.closeAllConnections();
  });
  const target = { ...DEMO_DATA, url, apiKey: "a-key", can: [], except: [] };
  const { results } = await verify({ contract: await loadContract(), target, seed: 1, concurrency: 1 });
  const last = results.findLastIndex(({ outcome }) => outcome === "fail");
  expect(results[last]?.failure).toMatchObject({
    what: "response",
    actual: `Nothing responds at ${url.origin} (ECONNREFUSED).`,
  });
  const [rest] = [results.slice(last + 1)];
  expect(rest.length).toBeGreaterThan(100);
  expect(new Set(rest.map(({ outcome, reason }) => `${outcome}: ${reason}`))).toEqual(
    new Set(["not applicable: the target was down"]),
  );
});

test("a target that responds to no request counts as down after some", async () => {
  const url = await start(() => {});
  const transport = openTransport(url, { timeoutMs: 50 });
  const errors: unknown[] = [];
  for (let count = 0; count < 8; count++) {
    errors.push(await transport.send({ method: "GET", target: "/", headers: {} }).catch((error) => error));
  }
  transport.close();
  server.close();
  expect(errors.slice(0, 7).every((error) => error instanceof NoResponseError)).toBe(true);
  expect(errors[7]).toBeInstanceOf(TargetDownError);
});
