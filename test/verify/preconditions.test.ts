// What is missing is told before the run, in one message; and the limits within which a target is read.

import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { startServer } from "../../src/server.js";
import { loadExceptions } from "../../src/verify/config-file.js";
import { openPacedTransport, openTransport } from "../../src/verify/http-transport.js";
import { assertPreconditions, recognizeTarget } from "../../src/verify/preconditions.js";
import { isInForce, TARGETS, type Target } from "../../src/verify/target.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY, OTHER_KEY } from "./backend-data.js";

const contract = await loadContract();
let backend: Awaited<ReturnType<typeof startBackend>>;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend.close());

async function check(changes: Partial<Target>): Promise<string> {
  const target: Target = {
    ...TARGETS.implementation,
    url: backend.url,
    apiKey: MAIN_KEY,
    subscriber: "ada",
    otherSubscriber: "grace-42",
    workflow: "zebra-welcome",
    unlistedWorkflows: [],
    ...changes,
  };
  const transport = openPacedTransport(target);
  return assertPreconditions(contract, target, transport)
    .then(
      () => "",
      ({ message }: Error) => message,
    )
    .finally(transport.close);
}

describe("preconditions", () => {
  test.each<[string, () => Partial<Target>, string]>([
    [
      "another key",
      () => ({ apiKey: "nope" }),
      "The API key is rejected (401). Set NC_API_KEY to a key of the target.",
    ],
    [
      "another path",
      () => ({ url: new URL("/api", backend.url) }),
      "/api/v1/notifications does not exist (404). Check the path in --url.",
    ],
    [
      "an unknown subscriber",
      () => ({ subscriber: "x" }),
      "The subscriber x does not exist (404). Create it, or name another with --subscriber.",
    ],
    [
      "another unknown subscriber",
      () => ({ otherSubscriber: "y" }),
      "The subscriber y does not exist (404). Create it, or name another with --other-subscriber.",
    ],
    ["one subscriber twice", () => ({ otherSubscriber: "ada" }), "--subscriber and --other-subscriber are the same."],
    [
      "an unknown workflow",
      () => ({ workflow: "w" }),
      "The workflow w does not exist (404). Name another with --workflow.",
    ],
    [
      "an inactive workflow",
      () => ({ workflow: "newsletter" }),
      "The workflow newsletter is not listed: it is inactive, critical or read-only. Name another with --workflow.",
    ],
    [
      "another second key",
      () => ({ otherApiKey: "nope" }),
      "The second API key is rejected (401). Correct NC_OTHER_API_KEY, or unset it.",
    ],
    ["one key twice", () => ({ otherApiKey: MAIN_KEY }), "NC_OTHER_API_KEY is the same key as NC_API_KEY."],
  ])("%s", async (_title, toChanges, expected) => {
    expect(await check(toChanges())).toBe(`The target cannot be tested yet:\n  ${expected}`);
  });

  test("all that is missing is one message", async () => {
    const message = await check({ subscriber: "x", otherSubscriber: "y", otherApiKey: "nope" });
    expect(message.split("\n")).toHaveLength(4);
  });

  test("with all of them there is none", async () => {
    expect(await check({ otherApiKey: OTHER_KEY })).toBe("");
  });
});

test("our own server is recognized, another is not", async () => {
  const server = await startServer();
  const kinds = [];
  for (const url of [new URL(server.url), backend.url]) {
    const transport = openTransport(url);
    kinds.push(await recognizeTarget(url, transport).finally(transport.close));
  }
  await server.close();
  expect(kinds).toEqual(["reference", "implementation"]);
});

describe("the connection", () => {
  let server: Server;
  afterEach(() => void server.close());
  const listen = async (own: Server): Promise<number> => {
    server = own;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const request = { method: "GET", target: "/", headers: {} };
  const start = async (listener: RequestListener) =>
    new URL(`http://127.0.0.1:${await listen(createServer(listener))}`);
  const failureOf = async (url: URL, options = {}) => {
    const transport = openTransport(url, options);
    const message = await transport.send(request).then(
      () => "none",
      (error: Error) => error.message,
    );
    transport.close();
    server.closeAllConnections();
    return message;
  };

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
    const port = await listen(createTlsServer({ key: pem, cert: pem }, (_request, response) => response.end("{}")));
    const url = new URL(`https://localhost:${port}`);
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
    await Promise.all(Array.from({ length: 6 }, () => transport.send(request)));
    transport.close();
    expect(performance.now() - started).toBeGreaterThan(95);
    expect(seen).toEqual(Array(6).fill("7"));
  });
});

describe("exceptions", () => {
  const write = async (content: unknown) => {
    const { writeFile } = await import("node:fs/promises");
    const path = `${await createTemporaryFolder()}/exceptions.json`;
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };

  test("have a reason, and may expire", async () => {
    const [one, other] = loadExceptions(
      await write([
        { match: "D-24", reason: "a bug", until: "2026-01-31" },
        { match: "D-25", reason: "another" },
      ]),
    );
    expect(
      one && [isInForce(one, new Date("2026-01-31T23:00:00Z")), isInForce(one, new Date("2026-02-01T00:00:00Z"))],
    ).toEqual([true, false]);
    expect(other && isInForce(other)).toBe(true);
  });

  test.each([
    ["no JSON", "{", "cannot be read: Expected property name"],
    ["no list", {}, "file must be array"],
    ["no reason", [{ match: "D-24" }], "file.0.reason is missing"],
    ["no match", [{ reason: "x" }], "file.0.match is missing"],
    [
      "a misspelled until",
      [{ match: "D-24", reason: "x", untill: "2026-01-31" }],
      "file.0.untill is not a known member",
    ],
    ["no date", [{ match: "D-24", reason: "x", until: "soon" }], 'file.0.until must match format "date"'],
  ])("a file with %s is rejected", async (_title, content, message) => {
    const path = await write(content);
    expect(() => loadExceptions(path)).toThrow(message);
  });
});
