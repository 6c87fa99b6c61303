// The server tells no key: not in what it prints, logs, sends or stores, nor in the list of processes.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serve, stop } from "../../support/command.js";
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
