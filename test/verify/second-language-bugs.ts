// Bugs of a backend that was written in another language from the contract alone: each was missed once.
import { type Backend, pause, Rejection } from "./backend.js";
import { around, type Bug, CRAFTED, inPages, type Json } from "./plant.js";

const BURST = 30;

/** Another reading of the query, before the backend's own. */
const rewrite = (change: (text: string) => string) =>
  around("readQuery", (original) => (text) => original(change(text)));

const pairsOf = (text: string) => text.split("&").map((pair) => pair.split(/=(.*)/s) as [string, string?]);

const ROWS: [group: string, title: string, plant: (backend: Backend) => void][] = [
  [
    "text",
    "a pair with a semicolon is left out of the query",
    rewrite((text) =>
      text
        .split("&")
        .filter((pair) => !pair.includes(";"))
        .join("&"),
    ),
  ],
  ["text", "a value is cut at a semicolon", rewrite((text) => text.replaceAll(/;[^&]*/g, ""))],
  ["text", "a value is cut at its second equals sign", rewrite((text) => text.replaceAll(/(=[^=&]*)=[^&]*/g, "$1"))],
  ["text", "a value is cut at a question mark", rewrite((text) => text.replaceAll(/\?[^&]*/g, ""))],
  ["text", "a value in quotes is unquoted", rewrite((text) => text.replaceAll(/'/g, ""))],
  [
    "text",
    "commas split values",
    rewrite((text) =>
      pairsOf(text)
        .flatMap(([name, value]) =>
          (value ?? "").split(/,|%2C/i).map((part) => (value === undefined ? name : `${name}=${part}`)),
        )
        .join("&"),
    ),
  ],
  [
    "text",
    "commas split channels",
    rewrite((text) =>
      text.replaceAll(/channels=([a-z_,]+)/g, (_all, names) => `channels=${names.split(",").join("&channels=")}`),
    ),
  ],
  [
    "text",
    "steps that are no channels are channels",
    around(
      "isValid",
      (original) => (name, value) =>
        original(name, value) || (name === "channels" && /^(digest|delay|custom|trigger|throttle)$/.test(value)),
    ),
  ],
  [
    "http",
    "a response is cached by its URL alone",
    around("respond", (original, backend) => async (request) => {
      if (request.method !== "GET") return original(request);
      backend.memory.cache ??= new Map<string, unknown>();
      const cached = backend.memory.cache.get(request.url) ?? (await original(request));
      backend.memory.cache.set(request.url, cached);
      return cached;
    }),
  ],
  [
    "http",
    "a GET after a HEAD of its URL is empty",
    around("handle", (original, backend) => async (request, response) => {
      backend.memory.heads ??= new Set();
      const isEmpty = request.method === "GET" && backend.memory.heads.has(request.url);
      if (request.method === "HEAD") backend.memory.heads.add(request.url);
      if (!isEmpty) return original(request, response);
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
      response.end();
    }),
  ],
  [
    "http",
    "a HEAD after a GET of its URL is 304",
    around("handle", (original, backend) => async (request, response) => {
      backend.memory.gets ??= new Set();
      if (request.method === "HEAD" && backend.memory.gets.has(request.url)) return void response.writeHead(304).end();
      if (request.method === "GET") backend.memory.gets.add(request.url);
      return original(request, response);
    }),
  ],
  [
    "http",
    "the key and another word is accepted",
    around("authenticate", (original) => (headers) => {
      const [scheme, key] = (headers.authorization ?? "").split(" ");
      return original({ ...headers, authorization: `${scheme} ${key}` });
    }),
  ],
  [
    "http",
    "a key in the query is repeated in the error",
    around("toError", (original) => (status, request) => ({ ...original(status, request), path: request.url })),
  ],
  [
    "http",
    "a body that is no object is 400",
    around("checkUpdate", (original) => (body, headers, query) => {
      if (typeof body !== "object" || body === null || Array.isArray(body)) throw new Rejection(400);
      return original(body, headers, query);
    }),
  ],
  [
    "concurrency",
    "a burst of connections kills the process",
    around("handle", (original, backend) => async (request, response) => {
      backend.memory.sockets ??= new Set();
      const { sockets } = backend.memory;
      if (!sockets.has(request.socket)) request.socket.on("close", () => sockets.delete(request.socket));
      sockets.add(request.socket);
      backend.memory.isDead ||= sockets.size > BURST;
      if (backend.memory.isDead) return void request.socket.destroy();
      return original(request, response);
    }),
  ],
  [
    "concurrency",
    "requests at the same time share a variable",
    around("respond", (original, backend) => async (request) => {
      if (request.method !== "GET") return original(request);
      backend.memory.url = request.url;
      await pause(2);
      return original(Object.assign(request, { url: backend.memory.url }));
    }),
  ],
  [
    "laws",
    "a critical workflow is updated by its _id",
    around("findWorkflow", (original) => (workflows, text) => {
      const workflow = original(workflows, text);
      return workflow && workflow.identifier !== text && workflow.lock === "critical"
        ? { ...workflow, lock: "code" }
        : workflow;
    }),
  ],
  [
    "empty",
    "empty values count towards the 20 of a list",
    around("checkQuery", (original, backend) => (query) => {
      const counts = pairsOf(backend.memory.raw)
        .map(([name]) => name)
        .filter((name) => ["emails", "channels", "templates", "subscriberIds"].includes(name));
      const isOver = counts.some((name) => counts.filter((other) => other === name).length > 20);
      return isOver ? { "query.emails": { messages: ["too many"] } } : original(query);
    }),
  ],
  ["laws", "every violation is listed, however many", around("limitErrors", () => (errors) => errors)],
  [
    "time",
    "the plan's hour of grace is left out",
    around("checkDates", (original, backend) => (query) => {
      const earliest = backend.now().getTime() - 9999 * 86_400_000;
      if (
        [backend.bound(query, "after"), backend.bound(query, "before")].some((at) => at !== undefined && at < earliest)
      )
        throw new Rejection(402);
      original(query);
    }),
  ],
  [
    "laws",
    "null stands for an optional member without a value",
    inPages(({ data }) => ({ data: data.map((record: Json) => ({ subscriber: null, ...record })) })),
  ],
];

export const SECOND_LANGUAGE: Bug[] = ROWS.map(([group, title, plant]) => [group, title, plant, CRAFTED]);
