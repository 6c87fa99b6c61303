// Laws of methods, paths, HEAD and Accept. Decisions D-51, D-65, D-66, D-68.
import type { Contract } from "../../contract/contract.js";
import { allowedMethods } from "../../contract/operations.js";
import { type Case, type Law, law, toCases } from "../case.js";
import { ExpectationError, expectSame, expectStatus, NotApplicable } from "../expectation.js";
import type { TestRequest } from "../test-request.js";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

export function createHttpLaws({ operations }: Contract): Case[] {
  const methods = operations.flatMap((operation) => {
    const allowed = [...allowedMethods([operation]), "OPTIONS"];
    return METHODS.filter((method) => !allowed.includes(method)).map(
      (method): Case => ({
        id: `${operation.id} › method › ${method}`,
        cites: [operation.id === "updatePreferences" ? "§4.1" : "§4.2", "D-51"],
        covers: { operation: operation.id, place: "method", keyword: method, status: 405 },
        async run(context) {
          const response = expectStatus(await context.send({ operation, method }), 405);
          const names = String(response.headers.allow)
            .split(",")
            .map((name) => name.trim());
          expectSame("header.allow", allowed.toSorted(), names.toSorted(), response.request);
        },
      }),
    );
  });
  return [...methods, ...toCases("HTTP", [...PATHS, ...HEADS])];
}

const PATHS: Law[] = [
  ...[
    ["/v1/subscribers/x/preferences", "§9.1"],
    ["/v2/notifications", "§9.2"],
    ["/v1/nothing-here", "§4"],
  ].map(([url = "", cite = ""]) =>
    law(`${url} does not exist`, [cite], async (context) =>
      expectStatus(await context.send({ operation: undefined, url }), 404),
    ),
  ),
  law("a path that is nearly the contract's does not exist", ["§4.1", "§4.2"], async (context) => {
    const update = context.operation("updatePreferences");
    const preferences = update.path.replace(/{[^}]+}/, encodeURIComponent(context.target.subscriber));
    const { path } = context.operation("listNotifications");
    for (const url of toNearPaths(path)) {
      context.restart();
      expectStatus(await context.send({ url }), 404);
    }
    for (const url of toNearPaths(preferences)) {
      context.restart();
      expectStatus(await context.send({ url, method: "PATCH", rawBody: '{"channels":{}}', headers: JSON_TYPE }), 404);
    }
  }),
  law("each response has its own request id", ["D-66"], async ({ send, operation, target }) => {
    const list = operation("listNotifications");
    const requests: TestRequest[] = [
      { operation: list },
      { operation: list },
      { operation: list, query: { limit: 0 } },
    ];
    const responses = [];
    for (const request of [...requests, { url: "/v1/nothing-here" }]) responses.push(await send(request));
    const ids = responses.map(({ headers }) => headers["x-request-id"]);
    if (ids.every((id) => id === undefined) && !target.can.includes("exact-headers"))
      throw new NotApplicable("the target sends no X-Request-Id");
    for (const { headers, request } of responses) {
      const isUnique = ids.filter((id) => id === headers["x-request-id"]).length === 1;
      if (headers["x-request-id"] && isUnique) continue;
      const difference = { expected: "an id of its own", actual: headers["x-request-id"] };
      throw new ExpectationError({ what: "header.x-request-id", ...difference, request });
    }
  }),
  law("Accept does not change the media type of a response", ["D-68"], async (context) => {
    const list = context.operation("listNotifications");
    for (const accept of ACCEPTS) {
      expectStatus(await context.send({ operation: list, headers: { accept } }), 200);
      expectStatus(await context.send({ operation: list, query: { limit: 0 }, headers: { accept } }), 422);
      expectStatus(
        await context.send({
          operation: context.operation("updatePreferences"),
          body: { channels: {} },
          headers: { accept },
        }),
        200,
        404,
      );
    }
  }),
];

const JSON_TYPE = { "content-type": "application/json" };
const ACCEPTS = [
  ...["*/*", "application/json", "application/*", "text/html", "application/xml", "image/png"],
  ...["text/html,application/xhtml+xml"],
  ...["application/json;q=0", "text/plain, */*;q=0.1", "application/vnd.api+json", "nonsense"],
  ...["application/json; charset=utf-16"],
];

function toNearPaths(path: string): string[] {
  const upper = path.replace(/^\/v\d\/\w+/, (start) => start.toUpperCase());
  return [
    `${path}/`,
    `${path}//`,
    `/${path}`,
    path.replace(/^(\/v\d)/, "$1/"),
    upper,
    `${path}.json`,
    `${path};x=1`,
    `${path}%2F`,
    `${path}/x`,
  ];
}

const HEADS: Law[] = [{}, { limit: 1 }, { limit: 0 }, { emails: "nobody" }].map((query: Record<string, unknown>) =>
  law(`HEAD responds like GET, without a body › ${JSON.stringify(query)}`, ["D-65"], async (context) => {
    const operation = context.operation("listNotifications");
    const get = await context.send({ operation, query });
    const head = await context.send({ operation, query, method: "HEAD" });
    expectSame("status", get.status, head.status, head.request);
    expectSame("text", "", head.text, head.request);
    const names = ["content-type", ...(get.status === 200 ? ["content-length"] : [])];
    for (const name of names)
      expectSame(`header.${name}`, get.headers[name], head.headers[name] ?? get.headers[name], head.request);
  }),
);
