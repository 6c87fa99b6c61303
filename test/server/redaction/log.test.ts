// What a request leaves in the log: no key, and nothing that a client could write into it.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../../src/start-server.js";
import { createLogLines } from "../../support/log-lines.js";
import { sendTo } from "../../support/socket-request.js";

describe("the log", () => {
  const { log, lines, records, logged } = createLogLines();
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ log, seed: "empty" });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    lines.splice(0);
    records.splice(0);
  });

  test.each([
    ["a bound", "?limit=51&page=x", "GET /v1/notifications?limit=51&page=x 422: query.limit must be at most 50"],
    [
      "an unknown name",
      "?chanels=a-long-value",
      /chanels=a-long-value 422: query\.chanels is unknown\. Did you mean channels\?$/,
    ],
    ["a name that may hold a secret", "?pass=hidden", /\?pass=… 422/],
    ["the name of a header", "?idempotency-key=hidden", /\?idempotency-key=… 422/],
    ["a short word or number, which is no key", "?sort=desc&n=5&x=a1b2", /\?sort=desc&n=5&x=… 422/],
    ["the key as a name", "?demo-key=1&limit=1", /^GET \/v1\/notifications\?…=…&limit=1 422: query\.… is unknown/],
    ["the key as a name, encoded", "?%64emo%2Dkey=1", /^GET \/v1\/notifications\?…=… 422: query\.… is unknown/],
    ["a control character", "?%1b[31m=1", /422: query\.�\[31m is unknown/],
    ["the key", "?search=a%20demo-key", /^GET \/v1\/notifications\?search=(a%20)?… 200$/],
    ["the key, encoded", "?search=a%20%64emo%2Dkey", /^GET \/v1\/notifications\?search=(a%20)?… 200$/],
    ["the key in base64", "?search=a%20ZGVtby1rZXk=", /^GET \/v1\/notifications\?search=(a%20)?… 200$/],
  ])("has the first violation and the contract's values, no key, and nothing else: %s", async (_title, query, line) => {
    await fetch(`${server.url}/v1/notifications${query}`, { headers: { authorization: "ApiKey demo-key" } });
    expect(await logged(/ (200|422)/)).toMatch(line);
  });

  test.each([
    ["a carriage return", "/a\rINFO: forged"],
    ["a C1 control sequence introducer", "/?\u009b2J=1"],
    ["one in a header", "/", "User-Agent: \u001b[31mred\r\nX-Y: \u0000\r\n"],
  ])("%s is no request, and makes no line", async (_title, target, headers = "") => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`, "latin1");
    await once(socket.resume(), "close");
    await sendTo(server.url, { target: "/health" });
    await logged(/\/health/);
    expect(lines).toEqual(["GET /health 200"]);
  });

  test("has every reason in a member of its own, which a success lacks", async () => {
    for (const query of ["?limit=51&page=-1", "?limit=1"])
      await fetch(`${server.url}/v1/notifications${query}`, { headers: { authorization: "ApiKey demo-key" } });
    await logged(/ 200/);
    expect(records.map(({ reasons }) => reasons)).toEqual([
      ["query.limit must be at most 50", "query.page must be at least 0"],
      undefined,
    ]);
  });

  test("what is encoded stays so", async () => {
    await sendTo(server.url, { target: "/%0d%0aINFO:%20forged%1b[31m?%0a=1" });
    await logged(/forged/);
    expect(lines).toEqual([expect.stringMatching(/^GET \/%0d%0aINFO:%20forged%1b\[31m\?%0a=… 401: Missing auth/)]);
  });
});
