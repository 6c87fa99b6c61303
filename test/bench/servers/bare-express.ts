// Express 5 as it comes.
import { createServer } from "node:http";
import express from "express";
import { listen, loadRecordedResponses, toPageKey } from "./recorded-responses.js";

const { pages, preferences } = loadRecordedResponses(process.argv[2]);
const app = express();

app.use(express.json());
app.get("/v1/notifications", (request, response, next) => {
  const page = pages[toPageKey(request.originalUrl)];
  if (page === undefined) next();
  else response.json(page);
});
app.patch("/v2/subscribers/:subscriberId/preferences", (_request, response) => {
  response.json(preferences);
});
listen(createServer(app));
