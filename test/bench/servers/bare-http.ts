// The least that a server in Node can do: node:http, the body read and parsed, the answer written.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listen, loadRecordedAnswers, toPageKey } from "./recorded-answers.js";

const answers = loadRecordedAnswers(process.argv[2]);

listen(
  createServer(async (request, response) => {
    if (request.method === "PATCH") await json(request);
    const answer = request.method === "PATCH" ? answers.preferences : answers.pages[toPageKey(request.url ?? "")];
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.end(JSON.stringify(answer ?? {}));
  }),
);
