// An operation is found by method and path. The body of each response is the name of its operation.
import { type Any, type Construct, ERROR, type Expected, json, ref, type Try, text, whole } from "./construct.js";
import { KEY } from "./security.js";

const operation = (name: string, parts: Record<string, object> = {}) => ({
  parameters: Object.entries(parts).map(([part, schema]) => ({ name: part, in: "path", required: true, schema })),
  responses: { 200: { description: "ok", ...json({ const: name }) }, default: ERROR },
});
const get = (name: string, parts?: Record<string, object>) => ({ get: operation(name, parts) });
const found = (target: string, body: string): Try => [target, { body }];
/** With a key: other constructs need one, so a server asks for it before it says that there is no such operation. */
const by = (method: string, target: string, outcome: number | Expected): Try => [
  { method, target, headers: { authorization: `Bearer ${KEY}` } },
  outcome,
];
const PREFLIGHT = {
  method: "OPTIONS",
  headers: { origin: "http://a.example", "access-control-request-method": "GET" },
};
const missing = (target: string) => by("GET", target, 404);

export const PATHS: Construct[] = [
  {
    title: "a path beside one with a parameter in its place",
    path: "/{id}",
    item: get("any", { id: text }),
    paths: { "/latest": get("latest"), "/{id}.json": get("file", { id: text }) },
    tries: [
      found("/7", "any"),
      found("/late", "any"),
      found("/latest", "latest"),
      found("/latest?", "latest"),
      found("/%6c%41test", "any"),
      found("/%6Cat%65st", "latest"),
      found("/7.json", "file"),
      found("/7%2ejson", "file"),
      found("/a%2Fb", "any"),
      found("/a%2fb%2Ejson", "file"),
      by("HEAD", "/latest", { text: /^$/ }),
      by("PUT", "/latest", 405),
      missing("/"),
      missing("/7/8"),
    ],
  },
  {
    title: "the more concrete of two paths with parameters",
    path: "/{a}/{b}",
    item: get("both", { a: text, b: text }),
    paths: { "/x/{b}": get("second", { b: text }), "/x/{b}/{c}": get("third", { b: text, c: text }) },
    tries: [found("/y/1", "both"), found("/x/1", "second"), found("/x/1/2", "third"), missing("/y/1/2")],
  },
  {
    title: "verbs behind a colon",
    path: "/{id}",
    item: { ...get("one", { id: text }), delete: operation("delete", { id: text }) },
    paths: { "/{id}:wash": { post: operation("wash", { id: text }) }, ":batch": { post: operation("batch") } },
    tries: [
      found("/7", "one"),
      by("DELETE", "/7", { body: "delete" }),
      by("POST", "/7:wash", { body: "wash" }),
      by("POST", ":batch", { body: "batch" }),
      by("POST", "/7", 405),
      by("GET", ":batch", 405),
    ],
  },
  {
    title: "two parameters in a part of a path",
    path: "/{from}-{to}",
    item: get("range", { from: whole, to: whole }),
    paths: { "/@{user}": get("user", { user: text }) },
    tries: [
      found("/1-2", "range"),
      ["/a-2", "path.from"],
      found("/@ann", "user"),
      found("/@ann-bob", "user"),
      missing("/12"),
    ],
  },
  {
    title: "methods of a path",
    item: Object.fromEntries(["get", "put", "patch", "delete"].map((method) => [method, operation(method)])),
    tries: [
      ...["get", "put", "patch", "delete"].map((method) => by(method.toUpperCase(), "", { body: method })),
      by("POST", "", { status: 405, headers: { allow: "GET, HEAD, PUT, PATCH, DELETE, OPTIONS" } }),
    ],
  },
  {
    title: "OPTIONS that is declared",
    item: { ...get("get"), options: { ...operation("options"), operationId: "construct-options" } },
    tries: [
      found("", "get"),
      by("OPTIONS", "", { body: "options" }),
      [PREFLIGHT, { status: 204, text: /^$/, headers: { "content-length": undefined } }],
      by("POST", "", { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } }),
    ],
  },
  {
    title: "encoded paths",
    path: "/ö rt",
    item: get("umlaut"),
    paths: { "/a%20b": get("space"), "/(x)/{id}": get("brackets", { id: text }) },
    tries: [found("/%C3%B6%20rt", "umlaut"), found("/a%20b", "space"), found("/(x)/1", "brackets")],
  },
  {
    title: "paths that differ in case and in a slash",
    path: "/Cups",
    item: get("upper"),
    paths: { "/cups/": get("slash") },
    tries: [found("/Cups", "upper"), found("/cups/", "slash"), missing("/cups"), missing("/Cups/")],
  },
  {
    title: "a path item by a reference of a reference",
    item: get("own"),
    paths: { "/other": ref("AliasItem", "pathItems") },
    components: {
      pathItems: {
        AliasItem: ref("SharedItem", "pathItems"),
        SharedItem: { parameters: [{ name: "n", in: "query", schema: whole }], ...get("shared") } as Any,
      },
    },
    tries: [found("/other?n=1", "shared"), ["/other?n=a", { status: 422, places: ["query.n"] }]],
  },
];
