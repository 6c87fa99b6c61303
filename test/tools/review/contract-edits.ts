// Edits of the contract, each with what it means to a client. `base` makes the old contract where today's does not have
// what is to be taken away. A breaking edit needs a counterexample that servers confirm.
import {
  all,
  asItIs,
  BODY,
  CONTENT,
  change,
  drop,
  type Edit,
  listed,
  moved,
  P,
  PARAMETER,
  S,
  withoutMember,
  withParameter,
} from "./contract-edit.js";

/**
 * Whom a change breaks. Requests that are accepted no longer, and responses that are new, break clients; the reverse,
 * implementations.
 */
export type Verdict = "clients" | "implementations" | "both" | "neither" | "undecided" | "editorial" | "equivalent";

export interface EditRow {
  title: string;
  base?: Edit;
  edit: Edit;
  /** The ids of the changes must be these, and whom they break. */
  want: Record<string, Verdict>;
  /** Exactly the reasons to reject it, where they are what the row is about. */
  reasons?: string[];
  /** Why no server shows what the counterexample says. */
  unproven?: string;
}

/** Whom the same edit breaks when it is undone. */
const UNDONE: Readonly<Partial<Record<Verdict, Verdict>>> = { clients: "implementations", implementations: "clients" };

type EditTuple = [title: string, Edit, want: EditRow["want"], more?: Pick<EditRow, "base" | "unproven">];

export const list = "listNotifications";
export const update = "updatePreferences";
export const query = `${list}:request:query`;
export const body = `${update}:request:body`;
export const page = `${list}:response:200/body`;
export const preferences = `${update}:response:200/body`;
export const workflow = `${preferences}.workflows[].workflow`;
export const retryAfter = `${update}:response:409/header.retry-after`;

const toEditRow = ([title, edit, want, more]: EditTuple): EditRow => ({ title, edit, want, ...more });

type KeywordRow = [place: string, value: unknown, where: string, Verdict, unproven?: string];

function toKeywordEdit([place, value, where, verdict, unproven]: KeywordRow): EditTuple {
  const id = `${where}:${place.split("/").at(-1)}`;
  const more = unproven === undefined ? {} : { unproven };
  if (value === undefined) return [`${place} is removed`, drop(place), { [id]: verdict }, more];
  return [`${place} is ${JSON.stringify(value)}`, change(place, value), { [id]: verdict }, more];
}

/**
 * Edits of one keyword: its place, its value (undefined removes it), where it shows in messages, and whom it breaks.
 */
const KEYWORDS: KeywordRow[] = [
  [`${P}/transactionId/required`, true, `${query}.transactionId`, "clients"],
  [`${P}/limit/schema/maximum`, 20, `${query}.limit`, "clients"],
  [`${P}/limit/schema/multipleOf`, 5, `${query}.limit`, "clients"],
  [`${P}/subscriberId/schema/pattern`, "^[0-9]+$", `${update}:request:path.subscriberId`, "clients"],
  [`${P}/transactionId/schema/format`, "uuid", `${query}.transactionId`, "clients"],
  [`${P}/topicKey/schema/enum`, ["project:lighthouse"], `${query}.topicKey`, "clients"],
  [`${P}/emails/schema/maxItems`, 2, `${query}.emails`, "clients"],
  [`${BODY}/additionalProperties`, true, body, "implementations"],
  [`${BODY}/properties/workflowId/default`, "comment-mention", `${body}.workflowId`, "both"],
  [`${S}/NotificationPage/properties/page/minimum`, undefined, `${page}.page`, "clients"],
  [`${S}/WorkflowReference/properties/slug/minLength`, undefined, `${workflow}.slug`, "clients"],
  [`${S}/Timestamp/format`, undefined, `${workflow}.updatedAt`, "clients"],
  [`${S}/GlobalPreferences/additionalProperties`, true, `${preferences}.global`, "clients"],
  [`${P}/search/allowReserved`, undefined, `${query}.search`, "clients", "the reference server accepts them anyway"],
  [`${P}/topicKey/schema/type`, "integer", `${query}.topicKey`, "clients"],
  [`${P}/emails/explode`, false, `${query}.emails`, "both"],
  ["security", [], `${update}:request:the/operation`, "implementations", "the reference server has its own check"],
];

const TWO_WAYS: EditTuple[] = [
  ["a required parameter", withParameter({ ...PARAMETER, required: true }), { [`${query}.status:existence`]: "both" }],
  [
    "header parameter removed",
    listed("LIST/parameters", (all) => all.slice(0, -1)),
    { [`${list}:request:header.idempotency-key:existence`]: "neither" },
  ],
  ["body member removed", drop(`${BODY}/properties/workflowId`), { [`${body}.workflowId:properties`]: "clients" }],
  [
    "required response member removed",
    all(
      withoutMember(`${S}/NotificationTopic`, "topicKey"),
      change(`${S}/NotificationTopic/examples`, [{ _topicId: "66e4d0010c4b3d5e6f708401" }]),
      change("LIST/responses/200/content/application~1json/examples", {}),
    ),
    { [`${page}.data[].topics[].topicKey:properties`]: "both" },
  ],
];

const NO_HEADER = drop("components/responses/InProgress/headers/Retry-After");

const ONE_WAY: EditTuple[] = [
  ["required header removed", NO_HEADER, { [`${retryAfter}:existence`]: "both" }],
  ["required header added", asItIs, { [`${retryAfter}:existence`]: "implementations" }, { base: NO_HEADER }],
  [
    "path renamed",
    moved("paths/~1v1~1notifications", "paths/~1v3~1notifications"),
    {
      [`${list}:request:GET//v1/notifications:existence`]: "clients",
      [`${list}:request:GET//v3/notifications:existence`]: "implementations",
    },
  ],
  [
    "media type changed",
    moved(`${CONTENT}/application~1json`, `${CONTENT}/application~1merge-patch+json`),
    {
      [`${body}/as/application/json:content`]: "clients",
      [`${body}/as/application/merge-patch+json:content`]: "implementations",
    },
    { unproven: "the reference server reads application/json alone, whatever the contract says" },
  ],
  ["example changed", change(`${P}/limit/example`, 20), { [`text:${P}/limit/example`]: "editorial" }],
  [
    "operationId changed: a name in generated code",
    change("LIST/operationId", "getNotifications"),
    { "text:paths//v1/notifications/get/operationId": "neither" },
  ],
  [
    "a schema renamed changes nothing on the wire",
    all(moved(`${S}/ErrorResponse`, `${S}/Failure`), ({ get, set }) => {
      for (const part of ["components/responses", "paths"])
        set(part, JSON.parse(JSON.stringify(get(part)).replaceAll("/ErrorResponse", "/Failure")));
    }),
    { equivalent: "equivalent" },
  ],
  [
    "a server's address becomes a variable of the same default",
    change("servers/0", { url: "{base_url}", variables: { base_url: { default: "http://127.0.0.1:4010" } } }),
    { "servers:{base_url}": "neither" },
  ],
  ["a server more", change("servers/1", { url: "https://b.example" }), { "servers:https://b.example": "neither" }],
  [
    "a required response member renamed in one of two places",
    moved(`${S}/NotificationPage/properties/hasMore`, `${S}/NotificationPage/properties/more`),
    { [`${page}.hasMore:properties`]: "implementations", [`${page}.more:properties`]: "undecided" },
  ],
];

/** A second scheme, beside the contract's key. */
const withScheme = (scheme: object, security: object[]) =>
  all(change("components/securitySchemes/second", scheme), change("security", security));
const SECOND = { type: "apiKey", in: "header", name: "X-Second-Key" };
const SECURITY = `${update}:request:the/operation:security`;
const ONE_KEY = { unproven: "the reference server reads one key" };

const addMembers =
  (count: number): Edit =>
  ({ get, set }) => {
    const members = Array.from({ length: count }, (_, index) => [`extra${index}`, { type: "string" }]);
    const before = get(`${S}/Notification/properties`) as object;
    set(`${S}/Notification/properties`, { ...before, ...Object.fromEntries(members) });
  };

const FURTHER: EditTuple[] = [
  ["a key beside the first", withScheme(SECOND, [{ apiKey: [], second: [] }]), { [SECURITY]: "clients" }, ONE_KEY],
  [
    "a token or the key",
    withScheme({ type: "http", scheme: "bearer" }, [{ apiKey: [] }, { second: [] }]),
    { [SECURITY]: "implementations" },
    ONE_KEY,
  ],
  ["three hundred new members are one change", addMembers(300), { [`${page}.data[].extra0:properties`]: "clients" }],
  [
    "a parameter that is an object",
    withParameter({ name: "filter", schema: { type: "object", properties: { a: { type: "string" } } } }),
    { [`${query}.filter:existence`]: "implementations" },
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
    { [`${body}:oneOf`]: "clients" },
  ],
  [
    "critical is never of low severity",
    all(
      change(`${S}/Notification/if`, { properties: { critical: { const: true } }, required: ["critical"] }),
      change(`${S}/Notification/then`, { properties: { severity: { enum: ["high", "medium"] } } }),
    ),
    { [`${page}.data[]:if`]: "implementations" },
  ],
  [
    "an update returns nothing",
    drop("UPDATE/responses/200/content"),
    { [`${preferences}/as/application/json:content`]: "implementations", [`${preferences}:required`]: "clients" },
    { unproven: "an example needs a body" },
  ],
];

export const BASIC_EDITS: EditRow[] = [
  ...[...KEYWORDS.map(toKeywordEdit), ...TWO_WAYS].flatMap(
    ([title, edit, want, { base = asItIs, ...more } = {}]): EditRow[] => {
      const both = all(base, edit);
      const undone = Object.entries(want).map(([id, verdict]) => [id, UNDONE[verdict] ?? verdict]);
      return [
        { title, base, edit: both, want, ...more },
        { title: `${title}, undone`, base: both, edit: base, want: Object.fromEntries(undone), ...more },
      ];
    },
  ),
  ...[...ONE_WAY, ...FURTHER].map(toEditRow),
];
