// Edits that a search of values alone judges wrongly: the same thing written in another way, what only a proof decides, and
// what nobody can decide.
import { all, BODY, change, drop, type Edit, moved, P, S, withParameter } from "./contract-edit.js";
import { type EditRow, list, update } from "./contract-edits.js";

const SIZES = { minimum: 1, maximum: 50, default: 10 };
const PAGE = `${S}/NotificationPage/properties/page`;
const SEARCH = `${P}/search/schema`;

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
  ["numbers without a fraction", change(`${P}/limit/schema`, { ...SIZES, type: "number", multipleOf: 1 })],
  [
    "a list of types as alternatives",
    change(SEARCH, { anyOf: [{ type: "string" }, { type: "null" }] }),
    change(SEARCH, { type: ["string", "null"] }),
  ],
  [
    "two patterns for one",
    change(SEARCH, { type: "string", allOf: [{ pattern: "^a" }, { pattern: "b$" }] }),
    change(SEARCH, { type: "string", pattern: "^a[^]*b$|^ab$" }),
  ],
  [
    "an exclusive bound instead of the next whole number",
    all(change(`${P}/limit/schema/exclusiveMinimum`, 0), drop(`${P}/limit/schema/minimum`)),
  ],
  ["one alternative that is the schema itself", change(`${P}/transactionId/schema/oneOf`, [{ type: "string" }])],
];

const addMembers =
  (count: number): Edit =>
  ({ get, set }) => {
    const members = Array.from({ length: count }, (_, index) => [`extra${index}`, { type: "string" }]);
    const own = get(`${S}/Notification/properties`) as object;
    set(`${S}/Notification/properties`, { ...own, ...Object.fromEntries(members) });
  };

/** A second scheme beside the contract's key. */
const withScheme =
  (scheme: object, security: object[]): Edit =>
  ({ set }) => {
    set("components/securitySchemes/second", scheme);
    set("security", security);
  };
const tokensFrom = (tokenUrl: string) => ({ type: "oauth2", flows: { clientCredentials: { tokenUrl, scopes: {} } } });
const SECOND = { type: "apiKey", in: "header", name: "X-Second-Key" };

const JUDGED: [title: string, edit: Edit, want: EditRow["want"], more?: Partial<EditRow>][] = [
  [
    "the first channel of a query is fixed",
    change(`${P}/channels/schema/prefixItems`, [{ const: "email" }]),
    { "unchecked:components/parameters/channels/schema/prefixItems": "undecided" },
  ],
  [
    "a second key beside the first",
    withScheme(SECOND, [{ apiKey: [], second: [] }]),
    { [`${update}:request:the/operation:security`]: "clients" },
    { unproven: "the reference server reads one key" },
  ],
  [
    "a token or the key",
    withScheme({ type: "http", scheme: "bearer" }, [{ apiKey: [] }, { second: [] }]),
    { [`${update}:request:the/operation:security`]: "implementations" },
    { unproven: "the reference server reads one key" },
  ],
  [
    "tokens come from elsewhere",
    withScheme(tokensFrom("https://b.example/token"), [{ apiKey: [] }, { second: [] }]),
    { [`${update}:request:the/operation:security`]: "undecided" },
    { base: withScheme(tokensFrom("https://a.example/token"), [{ apiKey: [] }, { second: [] }]) },
  ],
  [
    "a status becomes a range",
    ({ get, set }) => {
      const { 422: invalid, ...others } = get("LIST/responses") as Record<string, unknown>;
      set("LIST/responses", { ...others, "4XX": invalid });
    },
    { [`${list}:response:4XX:existence`]: "neither" },
  ],
  [
    "three hundred new members are one change",
    addMembers(300),
    { [`${list}:response:200/body.data[].extra0:properties`]: "clients" },
  ],
  [
    "a rare text is excluded by a pattern that no automaton reads",
    change(SEARCH, { type: "string", pattern: "^(?!zebra7$)[^]*$" }),
    { [`${list}:request:query.search:pattern`]: "undecided" },
  ],
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
    { [`${list}:response:200/body.data:contains`]: "implementations" },
  ],
  [
    "a parameter that is an object",
    withParameter({ name: "filter", schema: { type: "object", properties: { a: { type: "string" } } } }),
    { [`${list}:request:query.filter:existence`]: "undecided" },
  ],
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
    { [`${update}:request:body:oneOf`]: "clients" },
  ],
  [
    "a reference that is resolved at run time",
    change(`${S}/ErrorContext/properties/clause`, { $dynamicRef: "#clause" }),
    { [`${update}:response:400/body.ctx.clause:schema`]: "undecided" },
  ],
  [
    "a condition with a consequence",
    all(
      change(`${BODY}/if`, { required: ["workflowId"] }),
      change(`${BODY}/then`, { properties: { channels: { minProperties: 1 } } }),
    ),
    { [`${update}:request:body:if`]: "clients" },
  ],
  [
    "another status for success",
    moved("LIST/responses/200", "LIST/responses/201"),
    { [`${list}:response:200:existence`]: "implementations", [`${list}:response:201:existence`]: "clients" },
  ],
  [
    "a member that only requests have",
    change(`${S}/NotificationPage/properties/hasMore/writeOnly`, true),
    { [`unchecked:${S}/NotificationPage/properties/hasMore/writeOnly`]: "undecided" },
  ],
  [
    "an empty value is a value",
    drop(`${P}/transactionId/allowEmptyValue`),
    { [`${list}:request:query.transactionId:allowEmptyValue`]: "both" },
    { unproven: "the reference server takes every empty value for none" },
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
  ...JUDGED.map(([title, edit, want, more]) => ({ title, edit, want, ...more })),
];
