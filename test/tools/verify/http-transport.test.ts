// How a target is reached: what is not waited for, which certificate is trusted, at what pace, and when it counts as down.
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { afterEach, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import {
  NoResponseError,
  openPacedTransport,
  openTransport,
  TargetDownError,
} from "../../../src/tools/verify/http-transport.js";
import { DEMO_DATA, type Target } from "../../../src/tools/verify/target.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { listen } from "../../support/listen.js";

const REQUEST = { method: "GET", target: "/", headers: {} };

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function start(listener: RequestListener): Promise<URL> {
  server = createServer(listener);
  return new URL(await listen(server));
}

function failureOf(url: URL, options = {}): Promise<string> {
  const transport = openTransport(url, options);
  return transport
    .send(REQUEST)
    .then(
      () => "none",
      (error: Error) => error.message,
    )
    .finally(transport.close);
}

test("a response without end is cut", async () => {
  const url = await start((_request, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1 << 20)));
      if (!response.destroyed) response.once("drain", write);
    };
    write();
  });
  expect(await failureOf(url)).toBe("more than 33554432 bytes");
});

test("a response that is never finished is given up", async () => {
  const url = await start((_request, response) => void response.write("{"));
  expect(await failureOf(url, { timeoutMs: 50 })).toBe("none within 0.05 s");
});

test("a certificate has to be trusted, and --ca trusts one", async () => {
  const pem = readFileSync(new URL("../proxy/localhost.pem", import.meta.url), "utf8");
  server = createTlsServer({ key: pem, cert: pem }, (_request, response) => response.end("{}"));
  const url = new URL((await listen(server)).replace("http://127.0.0.1", "https://localhost"));
  expect(await failureOf(url)).toMatch(/^No TLS connection to https:\/\/localhost:\d+: .* Use --ca <file>/);
  expect(await failureOf(url, { ca: pem })).toBe("none");
});

test("headers, and no more requests in a second than --rate", async () => {
  const seen: unknown[] = [];
  const url = await start(({ headers }, response) => {
    seen.push(headers["x-tenant"]);
    response.end("{}");
  });
  const connection = { headers: { "x-tenant": "7" }, ratePerSecond: 50 };
  const transport = openPacedTransport({ url, connection } as unknown as Target);
  const started = performance.now();
  await Promise.all(Array.from({ length: 6 }, () => transport.send(REQUEST)));
  transport.close();
  expect(performance.now() - started).toBeGreaterThan(95);
  expect(seen).toEqual(Array(6).fill("7"));
});

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
  const rest = results.slice(last + 1);
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
    errors.push(await transport.send(REQUEST).catch((error) => error));
  }
  transport.close();
  expect(errors.slice(0, 7).every((error) => error instanceof NoResponseError)).toBe(true);
  expect(errors[7]).toBeInstanceOf(TargetDownError);
});
