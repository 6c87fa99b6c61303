// The least that a server in Node can do: node:http, the body read and parsed, the response written.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listen, loadRecordedResponses, toPageKey } from "./recorded-responses.js";

const responses = loadRecordedResponses(process.argv[2]);

listen(
  createServer(async (request, response) => {
    if (request.method === "PATCH") await json(request);
    const body = request.method === "PATCH" ? responses.preferences : responses.pages[toPageKey(request.url ?? "")];
    response.statusCode = body === undefined ? 404 : 200;
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.end(JSON.stringify(body ?? {}));
  }),
);
