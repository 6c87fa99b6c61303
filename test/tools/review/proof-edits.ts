// Edits that a search of values alone judges wrongly: the same thing written in another way, what only a proof decides,
// and what nobody can decide.
import { all, BODY, change, drop, type Edit, moved, P, S, text, withParameter } from "./contract-edit.js";
import { body, type EditRow, type EditTuple, list, page, query, toEditRow, update } from "./contract-edits.js";

const SIZES = { minimum: 1, maximum: 50, default: 10 };
const PAGE = `${S}/NotificationPage/properties/page`;
const SEARCH = `${P}/search/schema`;
const LIMIT = `${P}/limit/schema`;

/** Both contracts allow the same messages: one change at most, and no version. */
const EQUIVALENT: [title: string, edit: Edit, base?: Edit][] = [
  [
    "a schema is moved into a component",
    ({ get, set }) => {
      set(`${S}/Page`, get(PAGE));
      set(PAGE, { $ref: "#/components/schemas/Page", "x-source": ["§4.2", "§8"] });
    },
    change(PAGE, { type: "integer", minimum: 0, "x-source": ["§4.2", "§8"] }),
  ],
  ["numbers without a fraction", change(LIMIT, { ...SIZES, type: "number", multipleOf: 1 })],
  ["alternatives", change(SEARCH, { anyOf: [text, { type: "null" }] }), change(SEARCH, { type: ["string", "null"] })],
  [
    "two patterns for one",
    change(SEARCH, { type: "string", allOf: [{ pattern: "^a" }, { pattern: "b$" }] }),
    change(SEARCH, { type: "string", pattern: "^a[^]*b$|^ab$" }),
  ],
  ["an exclusive bound instead", all(change(`${LIMIT}/exclusiveMinimum`, 0), drop(`${LIMIT}/minimum`))],
  ["one alternative that is the schema itself", change(`${P}/transactionId/schema/oneOf`, [{ type: "string" }])],
];

const addMembers =
  (count: number): Edit =>
  ({ get, set }) => {
    const members = Array.from({ length: count }, (_, index) => [`extra${index}`, { type: "string" }]);
    const own = get(`${S}/Notification/properties`) as object;
    set(`${S}/Notification/properties`, { ...own, ...Object.fromEntries(members) });
  };

/** A second scheme, beside the contract's key or in place of it. */
const withScheme = (scheme: object, security: object[] = [{ apiKey: [] }, { second: [] }]) =>
  all(change("components/securitySchemes/second", scheme), change("security", security));
const withTokensFrom = (tokenUrl: string) =>
  withScheme({ type: "oauth2", flows: { clientCredentials: { tokenUrl, scopes: {} } } });
const SECOND = { type: "apiKey", in: "header", name: "X-Second-Key" };
const SECURITY = `${update}:request:the/operation:security`;
const ONE_KEY = { unproven: "the reference server reads one key" };

const FIRST = `${P}/channels/schema/prefixItems`;
const WRITE_ONLY = `${S}/NotificationPage/properties/hasMore/writeOnly`;
const FILTER = { name: "filter", schema: { type: "object", properties: { a: text } } };

const JUDGED: EditTuple[] = [
  [
    "a query's first channel is fixed",
    change(FIRST, [{ const: "email" }]),
    { [`${query}.channels:prefixItems`]: "clients" },
    { unproven: "the reference server does not check it" },
  ],
  [
    "a member that only requests have",
    change(WRITE_ONLY, true),
    { [`${page}.hasMore:writeOnly`]: "both" },
    { unproven: "the reference server returns it" },
  ],
  ["a key beside the first", withScheme(SECOND, [{ apiKey: [], second: [] }]), { [SECURITY]: "clients" }, ONE_KEY],
  ["a token or the key", withScheme({ type: "http", scheme: "bearer" }), { [SECURITY]: "implementations" }, ONE_KEY],
  [
    "tokens come from elsewhere",
    withTokensFrom("https://b.example/token"),
    { [SECURITY]: "undecided" },
    { base: withTokensFrom("https://a.example/token") },
  ],
  [
    "a status becomes a range",
    ({ get, set }) => {
      const { 422: invalid, ...others } = get("LIST/responses") as Record<string, unknown>;
      set("LIST/responses", { ...others, "4XX": invalid });
    },
    { [`${list}:response:4XX:existence`]: "neither" },
  ],
  ["three hundred new members are one change", addMembers(300), { [`${page}.data[].extra0:properties`]: "clients" }],
  [
    "links to other operations break nobody",
    change("UPDATE/responses/200/links/list", { operationId: list }),
    { "text:paths//v2/subscribers/{subscriberId}/preferences/patch/responses/200/links/list": "neither" },
  ],
  [
    "a list of objects contains one of a kind",
    change(`${S}/NotificationPage/properties/data/contains`, {
      ...{ type: "object", required: ["subscriber"], properties: { status: { const: "x" } } },
    }),
    { [`${page}.data:contains`]: "implementations" },
  ],
  ["a parameter that is an object", withParameter(FILTER), { [`${query}.filter:existence`]: "implementations" }],
  [
    "a body split into alternatives, of which none has workflowId",
    ({ get, set, remove }) => {
      const { properties } = get(BODY) as { properties: Record<string, object> };
      const closed = { type: "object", additionalProperties: false };
      const { workflowId: _workflowId, ...others } = properties;
      for (const keyword of ["properties", "required", "additionalProperties"]) remove(`${BODY}/${keyword}`);
      set(`${BODY}/oneOf`, [
        { ...closed, required: ["channels"], properties: others },
        { ...closed, required: ["channels"], properties: others, maxProperties: 0 },
      ]);
    },
    { [`${body}:oneOf`]: "clients" },
  ],
  [
    "a pattern without a character beyond ASCII",
    change(`${SEARCH}/pattern`, "^[a-z]$"),
    { [`${query}.search:pattern`]: "clients" },
    { base: change(`${SEARCH}/pattern`, "^[a-zé]$") },
  ],
  [
    "a condition with a consequence",
    all(
      change(`${BODY}/if`, { required: ["workflowId"] }),
      change(`${BODY}/then`, { properties: { channels: { minProperties: 1 } } }),
    ),
    { [`${body}:if`]: "clients" },
  ],
  [
    "another status for success",
    moved("LIST/responses/200", "LIST/responses/201"),
    { [`${list}:response:200:existence`]: "implementations", [`${list}:response:201:existence`]: "clients" },
  ],
  [
    "a response for all other statuses",
    change("LIST/responses/default", { description: "Any other.", "x-decision": "D-48" }),
    { [`${list}:response:default:existence`]: "clients" },
    { unproven: "the reference server sends no such status" },
  ],
];

export const PROOF_EDITS: EditRow[] = [
  ...EQUIVALENT.map(([title, edit, base]) => ({
    title: `means the same: ${title}`,
    edit,
    want: { equivalent: "equivalent" } as const,
    ...(base ? { base } : {}),
  })),
  ...JUDGED.map(toEditRow),
];
