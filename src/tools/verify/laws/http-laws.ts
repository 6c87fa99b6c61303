// Laws of methods, paths, HEAD and Accept. Decisions D-51, D-65, D-66, D-68.
import type { Contract } from "../../../contract/contract.js";
import { allowedMethods } from "../../../contract/operation.js";
import { splitTarget } from "../../../contract/target.js";
import type { Query } from "../../model/notifications.js";
import { KNOWN_OPERATIONS, knownNameOf, toPlainPath } from "../../model/operations.js";
import { hasIdEverywhere } from "../../model/response-laws.js";
import { type Case, createCases, law } from "../case.js";
import { assume, expectSame, expectStatus, expectThat } from "../expectation.js";
import { operationOf, type TestRequest, UNROUTABLE } from "../test-request.js";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Sends each method that an operation does not have. */
export function createMethodCases({ operations }: Contract): Case[] {
  return operations.flatMap((operation): Case[] => {
    const { id } = operation;
    const name = knownNameOf(operation);
    if (!name) return [];
    const ofPath = operations.filter(({ path }) => toPlainPath(path) === toPlainPath(operation.path));
    const allowed = [...allowedMethods(ofPath), "OPTIONS"].toSorted();
    const rejected = METHODS.filter((method) => !allowed.includes(method));
    return rejected.map((method) => ({
      id: `${id} › method › ${method}`,
      cites: [name === "updatePreferences" ? "§4.1" : "§4.2", "D-51.1"],
      operations: [name],
      async run({ send }) {
        const { headers } = expectStatus(await send({ operation: id, method }), 405);
        const declared = operation.method.toUpperCase();
        const overriding = Object.fromEntries(OVERRIDES.map((header) => [header, declared]));
        expectStatus(await send({ operation: id, method, headers: overriding, query: { _method: declared } }), 405);
        const names = String(headers.allow).split(",");
        const sent = names.map((text) => text.trim()).toSorted();
        expectSame("header.allow", allowed.join(", "), sent.join(", "));
      },
    }));
  });
}

/** Headers that frameworks read as the method or the path; they read a parameter `_method`, too. */
const OVERRIDES = ["x-http-method-override", "x-http-method", "x-method-override"];
const OTHER_PATHS = ["x-original-url", "x-rewrite-url", "x-forwarded-path"];

const LACKING_PATHS = {
  "/v1/subscribers/x/preferences": "§9.1",
  "/v2/notifications": "§9.2",
  "/v1/nothing-here": "§4",
};
/** No other case requests these URLs, so that a server that caches by the URL alone gets HEAD first. */
const HEAD_QUERIES: [query: Query, status: number][] = [
  [{ limit: 33 }, 200],
  [{ limit: 0, page: 33 }, 422],
  [{ emails: "nobody-33" }, 200],
];
const ACCEPTS = [
  "*/*",
  "application/json",
  "application/*",
  "text/html",
  "application/xml",
  "image/png",
  "text/html,application/xhtml+xml",
  "application/json; charset=utf-16",
  "application/vnd.api+json",
  "nonsense",
  "application/json;q=0",
  "text/plain, */*;q=0.1",
];
const OTHER_ACCEPTS = { "accept-charset": "iso-8859-1", "accept-encoding": "gzip, br", "accept-language": "ar" };

export const HTTP_LAWS = createCases({ topic: "HTTP" }, [
  ...Object.entries(LACKING_PATHS).map(([url, cite]) =>
    law(`${url} does not exist`, [cite], async ({ contract, send }) => {
      const { path } = operationOf(contract, "listNotifications");
      for (const headers of [{}, Object.fromEntries(OTHER_PATHS.map((name) => [name, path]))])
        expectStatus(await send({ url, headers }), 404);
    }),
  ),
  ...KNOWN_OPERATIONS.map((operation) =>
    law(`OPTIONS of ${operation} is not 405, since Allow names it`, ["D-51.1"], async ({ send }) => {
      const { status } = await send({ operation, method: "OPTIONS" });
      const sentence = "OPTIONS is rejected with 405, although Allow names it.";
      expectThat(status !== 405, { what: "status", expected: "another than 405", actual: status, sentence });
    }),
  ),
  law("a path that is nearly the contract's does not exist", ["§4.1", "§4.2"], async (context) => {
    const { contract, target, send, restart } = context;
    const update = { method: "PATCH", body: { channels: {} } };
    const preferences = operationOf(contract, "updatePreferences").path;
    const path = preferences.replace(/{[^}]+}/, encodeURIComponent(target.subscriber));
    for (const url of createNearPaths(operationOf(contract, "listNotifications").path).filter(isLacking(contract)))
      expectStatus(await send({ url, isUnroutable: true }), ...UNROUTABLE);
    for (const url of createNearPaths(path).filter(isLacking(contract))) {
      restart();
      expectStatus(await send({ url, isUnroutable: true, ...update }), ...UNROUTABLE);
    }
  }),
  law("each response has its own request id", ["D-66.1"], async ({ contract, send, can }) => {
    assume(hasIdEverywhere(contract), "the contract has responses without X-Request-Id");
    const list = { operation: "listNotifications" };
    const requests: TestRequest[] = [list, list, { ...list, query: { limit: 0 } }, { url: "/v1/nothing-here" }];
    const ids: unknown[] = [];
    for (const request of requests) ids.push((await send(request)).headers["x-request-id"]);
    const hasIds = can("exact-headers") || ids.some((id) => id !== undefined);
    assume(hasIds, "the target sends no X-Request-Id");
    const isUnique = ids.every(Boolean) && new Set(ids).size === ids.length;
    const sentence = "Two responses have the same request id, or one has none.";
    const values = { what: "header.x-request-id", expected: "an id of its own in each", actual: ids };
    expectThat(isUnique, { ...values, sentence });
  }),
  law("Accept does not change the media type", ["D-68.1", "D-68.2", "D-68.3"], async ({ list, update }) => {
    for (const headers of [...ACCEPTS.map((accept) => ({ accept })), OTHER_ACCEPTS]) {
      expectStatus(await list({}, { headers }), 200);
      expectStatus(await list({ limit: 0 }, { headers }), 422);
      expectStatus(await update({ channels: {} }, { headers }), 200, 404);
    }
  }),
  law("HEAD responds like GET, without a body", ["D-65.1"], async ({ list }) => {
    for (const [query, status] of HEAD_QUERIES) {
      const head = expectStatus(await list(query, { method: "HEAD" }), status);
      expectSame("the body of HEAD", "", head.text);
      const get = expectStatus(await list(query), status);
      const names = ["content-type", ...(get.status === 200 ? ["content-length"] : [])];
      for (const name of names)
        if (get.headers[name] && head.headers[name])
          expectSame(`header.${name}`, get.headers[name], head.headers[name], head.request);
    }
  }),
]);

/** Keeps the paths that a proposal does not define. */
function isLacking({ findPath }: Contract): (url: string) => boolean {
  return (url) => findPath(splitTarget(url).path) === undefined;
}

function createNearPaths(path: string): string[] {
  const upper = path.replace(/^\/v\d\/\w+/, (start) => start.toUpperCase());
  const longer = ["/", "//", ".", "%20", ".json", ";x=1", "%2F", "/x"].map((end) => `${path}${end}`);
  const segments = path.split("/").slice(1);
  const replaced = segments.map((_segment, at) => `/${segments.with(at, "nothing-here").join("/")}`); // nobody's path
  const otherSlashes = path.replaceAll(/(?!^)\//g, "%5C");
  return [...longer, ...replaced, otherSlashes, `/x${path}`, `/${path}`, path.replace(/^(\/v\d)/, "$1/"), upper];
}
