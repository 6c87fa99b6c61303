// Operations that only a proposal has are held to their contract, and to none of the laws of the two known ones.
import { expect, test } from "vitest";
import { toProposal } from "../../proposals/proposals.js";
import { AUTHORIZED, exchanged } from "./proxied.js";

const ERROR = { type: "object", required: ["reason"], properties: { reason: { type: "string" } } };
const contract = toProposal({
  edit(document) {
    const json = (schema: object) => ({ description: "-", content: { "application/json": { schema } } });
    document.paths["/v1/topics"] = {
      post: {
        operationId: "addTopic",
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: {
          200: json({ type: "object" }),
          202: { description: "-" },
          204: { description: "-" },
          409: { description: "-", content: { "text/plain": {} } },
          404: json(ERROR),
          410: { description: "-", content: { "application/problem+json": { schema: ERROR } } },
        },
      },
    };
  },
});

test.each([
  ["a success whose body shows nothing of the request", 200, "application/json", "{}", []],
  ["no body", 202, undefined, "", []],
  ["a body where none is declared", 202, "text/plain", "later", ["header.content-type"]],
  ["no content", 204, undefined, "", []],
  ["text", 409, "text/plain; charset=utf-8", "There is one.", []],
  ["another type of text", 409, "text/html", "There is one.", ["header.content-type"]],
  ["nothing in place of text", 409, "text/plain", "", ["body"]],
  ["an error of its own", 404, "application/json", '{"reason":"none"}', []],
  ["an error of another shape", 404, "application/json", "{}", ["body.reason"]],
  ["a problem", 410, "application/problem+json", '{"reason":"gone"}', []],
  ["a problem of another shape", 410, "application/problem+json", "{}", ["body.reason"]],
  ["a status that is not declared", 418, "application/json", "{}", ["status"]],
])("%s", async (_title, status, type, body, locations) => {
  const headers = { ...AUTHORIZED, "content-type": "application/json", "idempotency-key": "once" };
  const proxy = await exchanged(
    (_request, response) => response.writeHead(status, type ? { "content-type": type } : {}).end(body),
    { contract },
    ({ url }) => fetch(`${url}/v1/topics`, { method: "POST", headers, body: '{"channels":{"email":true}}' }),
  );
  expect(proxy.entries.map(({ location }) => location)).toEqual(locations);
  expect(proxy.summary().internalErrors).toBe(0);
});
