// The built server, or the built mock, in a process of its own, which says how much memory it holds and what is wrong
// with its log.
import { Writable } from "node:stream";
import pino from "pino";
import { startMock } from "../../../dist/mock/mock-server.js";
import { DEFAULT_API_KEY } from "../../../dist/server/config.js";
import { startServer } from "../../../dist/start-server.js";

const logFaults = [];
const log = pino(
  new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trimEnd().split("\n")) {
        const fault = faultOf(line);
        if (fault && logFaults.length < 10) logFaults.push(`${fault}: ${line}`);
      }
      done();
    },
  }),
);

const start = { server: startServer, mock: startMock }[process.argv[2]];
const server = await start({ ...JSON.parse(process.argv[3]), log });
process.send({ url: server.url, port: server.port });
process.on("message", () => {
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send({ heapUsed, external, rss, logFaults });
});
process.once("disconnect", () => server.close().then(() => process.exit()));

/** A line is one JSON object in printable ASCII, Unicode or escapes, without the key, and reports no bug. */
function faultOf(line) {
  if (/\p{Cc}/u.test(line)) return "a control character";
  if (line.includes(DEFAULT_API_KEY)) return "the key";
  try {
    return JSON.parse(line).level >= pino.levels.values.error ? "an error" : undefined;
  } catch {
    return "not JSON";
  }
}
