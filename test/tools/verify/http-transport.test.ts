// Connections to a target: timeouts, certificates, rate limits, and when it counts as down.
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { afterEach, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { DEMO_DATA } from "../../../src/tools/verify/declared-target.js";
import { NoResponseError, openTransport, TargetDownError } from "../../../src/tools/verify/http-transport.js";
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

function send(url: URL, connection = {}): Promise<unknown> {
  const transport = openTransport({ url, connection });
  return transport.send(REQUEST).finally(transport.close);
}

test("a response that is never finished is given up", async () => {
  const url = await start((_request, response) => void response.write("{"));
  await expect(send(url, { timeoutMs: 50 })).rejects.toThrow("did not respond within 0.05 s");
});

test("a response that is late because this process was busy is waited for", async () => {
  const url = await start((_request, response) => {
    response.end("{}");
    for (const until = performance.now() + 150; performance.now() < until; );
  });
  expect(await send(url, { timeoutMs: 50 })).toMatchObject({ status: 200 });
});

test("a certificate has to be trusted", async () => {
  const pem = readFileSync(new URL("../proxy/localhost.pem", import.meta.url), "utf8");
  server = createTlsServer({ key: pem, cert: pem }, (_request, response) => response.end("{}"));
  const url = new URL((await listen(server)).replace("http://127.0.0.1", "https://localhost"));
  await expect(send(url)).rejects.toThrow(/^No TLS connection to https:\/\/localhost:\d+: .* Set NODE_EXTRA_CA_CERTS/);
});

test("headers are added, and a 429 is waited for", async () => {
  const seen: unknown[] = [];
  const url = await start(({ headers }, response) => {
    seen.push(headers["x-tenant"]);
    response.writeHead(seen.length === 1 ? 429 : 200, { "retry-after": "0" }).end("{}");
  });
  const waits: number[] = [];
  const transport = openTransport({ url, connection: { headers: { "x-tenant": "7" } } }, (ms) => waits.push(ms));
  expect((await transport.send(REQUEST)).status).toBe(200);
  transport.close();
  expect([seen, waits.length]).toEqual([["7", "7"], 1]);
});

test("a connection that the target closes as it is used again is replaced", async () => {
  const used = new WeakSet<object>();
  const url = await start(({ socket }, response) => {
    if (used.has(socket)) socket.destroy();
    else response.end("{}");
    used.add(socket);
  });
  const transport = openTransport({ url });
  await transport.breakOff(REQUEST, 1000); // its response comes first
  for (let count = 0; count < 4; count++) expect((await transport.send(REQUEST)).status).toBe(200);
  transport.close();
});

test("a target that closes every connection without a response is not asked again and again", async () => {
  let requests = 0;
  const url = await start(({ socket }) => {
    requests += 1;
    socket.destroy();
  });
  await expect(send(url)).rejects.toThrow("The server closed the connection without a response.");
  expect(requests).toBe(1);
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
  const { results } = await verify({ contract: await loadContract(), target, seed: 1 });
  const failures = results.flatMap(({ failure }) => failure?.sentence ?? []);
  expect(failures).toContain(`Nothing responds at ${url.origin} (ECONNREFUSED). Start the server, or correct --url.`);
  expect(results.filter(({ reason }) => reason === "the target was down").length).toBeGreaterThan(100);
  expect(results.filter(({ outcome }) => outcome === "error")).toEqual([]);
});

test("a target that responds to no request counts as down after some", async () => {
  const url = await start(() => {});
  const transport = openTransport({ url, connection: { timeoutMs: 50 } });
  const errors: unknown[] = [];
  for (let count = 0; count < 8; count++) {
    errors.push(await transport.send(REQUEST).catch((error) => error));
  }
  transport.close();
  expect(errors.slice(0, 7).every((error) => error instanceof NoResponseError)).toBe(true);
  expect(errors[7]).toBeInstanceOf(TargetDownError);
});
