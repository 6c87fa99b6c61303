// Counts the files and functions through which a PATCH and a GET run on a reference server with its state on disk.
// `node test/support/stations.js` prints them, after a build.

import { mkdtemp, rm } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../dist/start-server.js";

const DIST = new URL("../../dist/", import.meta.url).href;
const headers = { Authorization: "ApiKey demo-key", "Content-Type": "application/json" };
const ROUNDS = 20;
const REQUESTS = {
  PATCH: ["/v2/subscribers/ines-moreau/preferences", { method: "PATCH", body: '{"channels":{"email":false}}' }],
  GET: ["/v1/notifications?limit=2&channels=email", { method: "GET" }],
};

const dataFolder = await mkdtemp(join(tmpdir(), "stations-"));
const server = await startServer({ dataFolder });
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const stations = {};
for (const [name, [path, init]] of Object.entries(REQUESTS)) {
  await send(path, init); // the first request also loads and caches
  // Functions of timers are not in every measurement.
  const measurements = [];
  for (let round = 0; round < ROUNDS; round++) {
    await session.post("Profiler.takePreciseCoverage"); // resets the counts
    await send(path, init);
    measurements.push(toStations((await session.post("Profiler.takePreciseCoverage")).result));
  }
  const [first, ...others] = measurements;
  const list = [...first].filter(([file]) => others.every((other) => other.has(file)));
  const functions = list.reduce((sum, [, count]) => sum + count, 0);
  stations[name] = { files: list.length, functions, list: Object.fromEntries(list) };
}
await server.close();
await rm(dataFolder, { recursive: true });
process.stdout.write(`${JSON.stringify(stations, null, 2)}\n`);

async function send(path, init) {
  const response = await fetch(server.url + path, { ...init, headers });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
  await new Promise(setImmediate); // lets work after the response finish
}

/** Counts the functions that ran, by file. The function at offset 0 is the module itself. */
function toStations(scripts) {
  const files = scripts
    .filter(({ url }) => url.startsWith(DIST))
    .map(({ url, functions }) => {
      const calls = functions.filter(({ ranges: [range] }) => range.startOffset > 0 && range.count > 0);
      return [url.slice(DIST.length).replace(/\.js$/, ".ts"), calls.length];
    });
  return new Map(files.filter(([, functions]) => functions > 0).toSorted());
}
