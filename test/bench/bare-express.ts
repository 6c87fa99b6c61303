// Express 5 as it comes, with the same bytes as the reference server: recorded from it before the comparison.
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import express from "express";
import type { RecordedResponses } from "./workload.js";

const [, , path = ""] = process.argv;
const { pages, preferences }: RecordedResponses = JSON.parse(readFileSync(path, "utf8"));
const app = express();

app.use(express.json());
app.get("/v1/notifications", (request, response, next) => {
  const page = pages[request.originalUrl];
  if (page === undefined) next();
  else response.json(page);
});
app.patch("/v2/subscribers/:subscriberId/preferences", (_request, response) => {
  response.json(preferences);
});
const server = app.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.once("SIGTERM", () => process.exit());
