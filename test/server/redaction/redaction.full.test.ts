// The server tells no key: not in what it prints, logs, sends or stores, nor in the list of processes. And only the
// server writes into the log.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../src/start-server.js";
import { serve, stop } from "../../support/command.js";
import { createLogLines } from "../../support/log-lines.js";
import { sendTo } from "../../support/socket-request.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const KEYS = { api: "api-key-1f0c", control: "control-key-2e9d", other: "other-key-3a8b", wrong: "wrong-key-4b7a" };
const CONTROL = "/_control/environments";
const LIST = "/v1/notifications";
const UPDATE = "/v2/subscribers/ines-moreau/preferences";

test("a server that is used for a while tells no key", async () => {
  const folder = await createTemporaryFolder();
  const args = ["--port", "0", "--data", folder, "--api-key", KEYS.api, "--control-key", KEYS.control];
  const server = await serve(args);
  onTestFinished(async () => void (await stop(server)));
  const processes = execFileSync("ps", ["-ww", "-o", "args=", "-p", String(server.child.pid)], { encoding: "utf8" });

  const request = async (key: string, method: string, target: string, body?: string) => {
    const headers = { authorization: `ApiKey ${key}`, "content-type": "application/json", "idempotency-key": "once" };
    return sendTo(server.url, { method, target, headers, ...(body === undefined ? {} : { body }) });
  };
  const creation = await sendTo(server.url, {
    method: "POST",
    target: CONTROL,
    headers: { authorization: `ControlKey ${KEYS.control}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "other", apiKey: KEYS.other, durable: true }),
  });
  const responses = [
    await request(KEYS.api, "PATCH", UPDATE, '{"channels":{"email":false}}'),
    await request(KEYS.other, "PATCH", UPDATE, '{"channels":{"email":1}}'),
    await request(KEYS.api, "GET", `${LIST}?limit=0`),
    await request(KEYS.wrong, "GET", LIST),
    await sendTo(server.url, { target: LIST, headers: { authorization: KEYS.api } }),
    await sendTo(server.url, { target: CONTROL, headers: { authorization: `ControlKey ${KEYS.wrong}` } }),
    await sendTo(server.url, { target: `${LIST}?apiKey=${KEYS.api}` }),
  ];
  expect([creation, ...responses].map(({ status }) => status)).toEqual([201, 200, 422, 422, 401, 401, 401, 401]);
  expect(await stop(server)).toBe(0);

  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(files.length).toBeGreaterThanOrEqual(2);
  expect(server.output()).toContain("apiKey"); // the log is there, and has the name
  const sent = responses.map((response) => JSON.stringify(response));
  const texts = [processes, server.output(), ...files, ...sent].join("\n");
  for (const key of Object.values(KEYS)) expect(texts).not.toContain(key);
});

test.each(["NC_API_KEY", "NC_CONTROL_KEY"])("%s is not in the help", async (variable) => {
  const server = await serve(["--port", "0", "--ephemeral"], { env: { NC_API_KEY: KEYS.api, [variable]: KEYS.api } });
  expect(await stop(server)).toBe(0);
  expect(server.output()).not.toContain(KEYS.api);
});

test.each([
  ["a bound", "?limit=51&page=x", "GET /v1/notifications?limit=51&page=x 422: query.limit must be at most 50"],
  [
    "an unknown name",
    "?chanels=a-long-value",
    /chanels=a-long-value 422: query\.chanels is unknown\. Did you mean channels\?$/,
  ],
  ["a name that may hold a secret", "?pass=hidden", /\?pass=… 422/],
  ["a short word or number, which is no key", "?sort=desc&n=5&x=a1b2", /\?sort=desc&n=5&x=… 422/],
  ["the key as a name", "?demo-key=1&limit=1", /^GET \/v1\/notifications\?…=…&limit=1 422: query\.… is unknown/],
  ["the key as a name, encoded", "?%64emo%2Dkey=1", /^GET \/v1\/notifications\?…=… 422: query\.… is unknown/],
  ["a control character", "?%1b[31m=1", /422: query\.�\[31m is unknown/],
])(
  "of a 422, the log has the first violation and the contract's values, without what else a client sent: %s",
  async (_title, query, line) => {
    const { log, logged } = createLogLines();
    const server = await startServer({ log });
    onTestFinished(server.close);
    await fetch(`${server.url}/v1/notifications${query}`, { headers: { authorization: "ApiKey demo-key" } });
    expect(await logged(/ 422/)).toMatch(line);
  },
);

test.each([
  ["as it is", "demo-key", "demo-key"],
  ["encoded", "demo-key", "%64emo%2Dkey"],
  ["in base64", "demo-key", "ZGVtby1rZXk="],
])("of a 200, the log has no key in a value: %s", async (_title, apiKey, value) => {
  const { log, logged } = createLogLines();
  const server = await startServer({ log, apiKey });
  onTestFinished(server.close);
  const target = `${LIST}?search=a%20${value}`;
  await fetch(`${server.url}${target}`, { headers: { authorization: `ApiKey ${apiKey}` } });
  expect(await logged(/ 200/)).toMatch(/^GET \/v1\/notifications\?search=(a%20)?… 200$/);
});

describe("what a client sends cannot make a line of the log, nor steer a terminal that shows it", () => {
  test.each([
    ["a carriage return", "/a\rINFO: forged"],
    ["a C1 control sequence introducer", "/\u009b31mred"],
    ["one in the name of a parameter", "/?\u009b2J=1"],
    ["one in a header", "/", "GET", "User-Agent: \u001b[31mred\r\nX-Y: \u0000\r\n"],
  ])("%s: it is no request", async (_title, target, method = "GET", headers = "") => {
    const { log, lines, logged } = createLogLines();
    const server = await startServer({ log });
    onTestFinished(server.close);
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`, "latin1");
    await once(socket.resume(), "close");
    await sendTo(server.url, { target: "/health" });
    await logged(/\/health/);
    expect(lines).toEqual(["GET /health 200"]);
  });

  test("what is encoded stays so", async () => {
    const { log, lines, logged } = createLogLines();
    const server = await startServer({ log });
    onTestFinished(server.close);
    await sendTo(server.url, { target: "/%0d%0aINFO:%20forged%1b[31m?%0a=1" });
    await logged(/forged/);
    expect(lines).toEqual([expect.stringMatching(/^GET \/%0d%0aINFO:%20forged%1b\[31m\?%0a=… 401: Missing auth/)]);
  });
});
