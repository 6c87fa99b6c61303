// Where the key of a request stands, alone or beside another one.
import { type Any, type Construct, ERROR, json, whole } from "./construct.js";

export const KEY = "cups-4711";

const PLACES = {
  bearer: { type: "http", scheme: "bearer" },
  inQuery: { type: "apiKey", in: "query", name: "api_key" },
  inCookie: { type: "apiKey", in: "cookie", name: "sid" },
  inHeader: { type: "apiKey", in: "header", name: "X-Cup-Key" },
  tenant: { type: "apiKey", in: "header", name: "X-Tenant" },
};

/** An operation that needs a key at each of these places. */
function secured(title: string, names: (keyof typeof PLACES)[], tries: Construct["tries"]): Construct {
  const security: Any = [Object.fromEntries(names.map((name) => [name, []]))];
  const responses = { 200: { description: "ok", ...json(whole) }, 401: ERROR };
  return { title, item: { get: { security, responses } }, components: { securitySchemes: PLACES }, tries };
}

export const SECURITY: Construct[] = [
  secured(
    "a bearer",
    ["bearer"],
    [
      [{ headers: { authorization: `bearer ${KEY}` } }, 200],
      [{ headers: { authorization: `Bearer ${KEY}` } }, 200],
    ],
  ),
  secured("a key in the query", ["inQuery"], [[`?api_key=${KEY}`, 200]]),
  secured("a key in a cookie", ["inCookie"], [[{ headers: { cookie: `a=b; sid=${KEY}` } }, 200]]),
  secured("a key in a header", ["inHeader"], [[{ headers: { "x-cup-key": KEY } }, 200]]),
  secured(
    "a key, and the name of a tenant",
    ["inHeader", "tenant"],
    [[{ headers: { "x-cup-key": KEY, "x-tenant": "acme" } }, 200]],
  ),
  secured(
    "the name of a tenant, and a key",
    ["tenant", "inQuery"],
    [[{ target: `?api_key=${KEY}`, headers: { "x-tenant": "acme" } }, 200]],
  ),
];
