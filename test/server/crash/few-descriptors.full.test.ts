// For a while, no file can be opened, as when a process has too many open: whatever fails then works again afterwards.
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ROOT, runToEnd } from "../../support/command.js";

const PROGRAM = `
import { closeSync, openSync } from "node:fs";
import { Agent, request } from "node:http";
const { startServer } = await import(${JSON.stringify(pathToFileURL(`${ROOT}dist/start-server.js`).href)});
const server = await startServer();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const send = (method, path, body) => new Promise((resolve, reject) => {
  const headers = { authorization: "ApiKey demo-key", ...(body && { "content-type": "application/json" }) };
  const sent = request(server.url + path, { agent, method, headers }, (response) => {
    response.resume().on("end", () => resolve(response.statusCode));
  });
  sent.on("error", reject).end(body);
});
const statuses = async () => [
  await send("GET", "/v1/notifications"),
  await send("PATCH", "/v2/subscribers/ines-moreau/preferences", '{"channels":{"email":false}}'),
  await send("GET", "/_control/ready"),
  await send("POST", "/_control/environments", '{"seed":"empty"}'),
  await send("POST", "/_control/environments", "{}"),
];
await send("GET", "/v1/notifications"); // the one connection
const files = [];
try {
  for (;;) files.push(openSync(process.execPath));
} catch (error) {
  if (error.code !== "EMFILE") throw error;
}
const during = await statuses();
for (const file of files) closeSync(file);
console.log(JSON.stringify({ during, after: await statuses() }));
agent.destroy();
await server.close();
`;

test.skipIf(process.platform === "win32")("lists and updates continue, and the control plane works again", async () => {
  // Node reads modules side by side, and may need over 80 descriptors for that alone.
  const script = 'ulimit -n 512 && exec "$0" --input-type=module --eval "$1"';
  const { code, output } = await runToEnd("bash", ["-c", script, process.execPath, PROGRAM]);
  const { during, after } = JSON.parse(output) as { during: number[]; after: number[] };
  expect(during.slice(0, 2)).toEqual([200, 200]);
  expect(after).toEqual([200, 200, 200, 201, 201]);
  expect(code).toBe(0);
});
