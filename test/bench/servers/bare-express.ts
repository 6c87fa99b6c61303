// Express 5 as it comes. With a contract as second argument, express-openapi-validator checks each request by it first.
import { createServer } from "node:http";
import express, { type ErrorRequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import { listen, loadRecordedResponses, toPageKey } from "./recorded-responses.js";

const [, , responsesPath, contractPath] = process.argv;
const { pages, preferences } = loadRecordedResponses(responsesPath);
const app = express();

app.use(express.json());
if (contractPath !== undefined) app.use(OpenApiValidator.middleware({ apiSpec: contractPath }));
app.get("/v1/notifications", (request, response, next) => {
  const page = pages[toPageKey(request.originalUrl)];
  if (page === undefined) next();
  else response.json(page);
});
app.patch("/v2/subscribers/:subscriberId/preferences", (_request, response) => {
  response.json(preferences);
});
const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message });
};
app.use(answerError);

listen(createServer(app));
