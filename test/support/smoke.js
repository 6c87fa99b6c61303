// `npm start -- --port 0 --json start.json -- node test/support/smoke.js`: sends one update and one list to the server
// that was just started. The smoke test of systems on which the suite does not run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const { url, apiKey } = JSON.parse(readFileSync("start.json", "utf8"));
const headers = { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" };
const body = JSON.stringify({ channels: { sms: false } });
const update = await fetch(`${url}/v2/subscribers/ines-moreau/preferences`, { method: "PATCH", headers, body });
assert.equal((await update.json()).global.channels.sms, false);
const list = await fetch(`${url}/v1/notifications?limit=1`, { headers });
assert.equal((await list.json()).data.length, 1);
console.log(`${process.platform}, Node ${process.version}: stored and listed`);
