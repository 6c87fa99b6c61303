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
  text,
  withoutMember,
  withParameter,
} from "./contract-edit.js";

/** Whom a change breaks. Requests that are accepted no longer, and responses that are new, break clients; the reverse, implementations. */
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

/** Whom the same edit breaks when it is undone, unless a row says otherwise. */
const UNDONE: Readonly<Partial<Record<Verdict, Verdict>>> = { clients: "implementations", implementations: "clients" };

/** Rows with an edit and the same edit undone. */
type TwoWays = [
  ...[there: string, back: string, Edit, want: EditRow["want"]],
  more?: { wantBack?: EditRow["want"] } & Pick<EditRow, "base" | "unproven">,
];

export const list = "listNotifications";
export const update = "updatePreferences";
export const query = `${list}:request:query`;
export const body = `${update}:request:body`;
export const page = `${list}:response:200/body`;
export const preferences = `${update}:response:200/body`;

export type KeywordRow = [place: string, value: unknown, where: string, Verdict];

export function toKeywordEdit([place, value, where, verdict]: KeywordRow): [string, Edit, EditRow["want"]] {
  const id = `${where}:${place.split("/").at(-1)}`;
  if (value === undefined) return [`${place} is removed`, drop(place), { [id]: verdict }];
  return [`${place} is ${JSON.stringify(value)}`, change(place, value), { [id]: verdict }];
}

/** Edits of one keyword: its place, its value (undefined removes it), where it shows in messages, and whom it breaks. */
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
  [
    `${S}/WorkflowReference/properties/slug/minLength`,
    undefined,
    `${preferences}.workflows[].workflow.slug`,
    "clients",
  ],
  [`${S}/Timestamp/format`, undefined, `${preferences}.workflows[].workflow.updatedAt`, "clients"],
  [`${S}/GlobalPreferences/additionalProperties`, true, `${preferences}.global`, "clients"],
  [`${P}/search/allowReserved`, undefined, `${query}.search`, "clients"],
];

const TWO_WAYS: TwoWays[] = [
  [
    "required query parameter added",
    "required query parameter removed",
    withParameter({ ...PARAMETER, required: true }),
    { [`${list}:request:query.status:existence`]: "both" },
  ],
  [
    "header parameter removed",
    "header parameter added",
    listed("LIST/parameters", (all) => all.slice(0, -1)),
    { [`${list}:request:header.idempotency-key:existence`]: "neither" },
  ],
  [
    "text becomes a number",
    "number becomes a text",
    change(`${P}/topicKey/schema`, { type: "integer" }),
    { [`${list}:request:query.topicKey:type`]: "clients" },
  ],
  [
    "body member removed",
    "body member added",
    drop(`${BODY}/properties/workflowId`),
    { [`${update}:request:body.workflowId:properties`]: "clients" },
  ],
  [
    "required response member removed",
    "required response member added",
    all(
      withoutMember(`${S}/NotificationTopic`, "topicKey"),
      change(`${S}/NotificationTopic/examples`, [{ _topicId: "66e4d0010c4b3d5e6f708401" }]),
      change("LIST/responses/200/content/application~1json/examples", {}),
    ),
    { [`${list}:response:200/body.data[].topics[].topicKey:properties`]: "both" },
  ],
  [
    "required response header removed",
    "required response header added",
    drop("components/responses/InProgress/headers/Retry-After"),
    { [`${update}:response:409/header.retry-after:existence`]: "both" },
    { wantBack: { [`${update}:response:409/header.retry-after:existence`]: "implementations" } },
  ],
  [
    "a list is written with commas",
    "a list is no longer written with commas",
    change(`${P}/emails/explode`, false),
    { [`${list}:request:query.emails:explode`]: "both" },
    { unproven: "the reference server reads repeated parameters alone" },
  ],
  [
    "no key is required any more",
    "a key is required where there was none",
    change("security", []),
    { [`${update}:request:the/operation:security`]: "implementations" },
    { unproven: "the reference server's key check is not read from the contract" },
  ],
];

function toTwoWays(row: KeywordRow): TwoWays {
  const [title, edit, want] = toKeywordEdit(row);
  return [title, `${title}, undone`, edit, want];
}

const ONE_WAY: EditRow[] = [
  {
    title: "path renamed",
    edit: moved("paths/~1v1~1notifications", "paths/~1v3~1notifications"),
    want: {
      [`${list}:request:GET//v1/notifications:existence`]: "clients",
      [`${list}:request:GET//v3/notifications:existence`]: "implementations",
    },
  },
  {
    title: "media type changed",
    edit: moved(`${CONTENT}/application~1json`, `${CONTENT}/application~1merge-patch+json`),
    want: {
      [`${update}:request:body/as/application/json:content`]: "clients",
      [`${update}:request:body/as/application/merge-patch+json:content`]: "implementations",
    },
    unproven: "the reference server reads application/json alone, whatever the contract says",
  },
  {
    title: "a plus sign becomes a blank",
    edit: drop(`${P}/after/x-literal-plus`),
    want: { [`${list}:request:query.after:x-literal-plus`]: "both" },
  },
  {
    title: "example changed",
    edit: change(`${P}/limit/example`, 20),
    want: { [`text:${P}/limit/example`]: "editorial" },
  },
  {
    title: "operationId changed: a name in generated code",
    edit: change("LIST/operationId", "getNotifications"),
    want: { "text:paths//v1/notifications/get/operationId": "editorial" },
  },
  {
    title: "a schema renamed changes nothing on the wire",
    edit: all(moved(`${S}/ErrorResponse`, `${S}/Failure`), ({ get, set }) => {
      const responses = JSON.stringify(get("components/responses"));
      set("components/responses", JSON.parse(responses.replaceAll("/ErrorResponse", "/Failure")));
    }),
    want: { equivalent: "equivalent" },
  },
  {
    title: "a server's address becomes a variable of the same default",
    edit: change("servers/0", { url: "{base_url}", variables: { base_url: { default: "http://127.0.0.1:4010" } } }),
    want: { "servers:{base_url}": "neither" },
  },
  {
    title: "a server more",
    edit: change("servers/1", { url: "https://elsewhere.example" }),
    want: { "servers:https://elsewhere.example": "neither" },
  },
  {
    title: "a required response member renamed in one of two places",
    edit: moved(`${S}/NotificationPage/properties/hasMore`, `${S}/NotificationPage/properties/more`),
    want: {
      [`${list}:response:200/body.hasMore:properties`]: "implementations",
      [`${list}:response:200/body.more:properties`]: "undecided",
    },
  },
  {
    title: "a response may have members of some names",
    edit: change(`${S}/GlobalPreferences/patternProperties`, { "^x-": text }),
    want: { [`${update}:response:200/body.global:patternProperties`]: "clients" },
  },
];

export const BASIC_EDITS: EditRow[] = [
  ...[...KEYWORDS.map(toTwoWays), ...TWO_WAYS].flatMap(
    ([there, back, edit, want, { base = asItIs, wantBack, ...more } = {}]): EditRow[] => {
      const both = all(base, edit);
      const undone = Object.entries(want).map(([id, verdict]) => [id, UNDONE[verdict] ?? verdict]);
      return [
        { title: there, base, edit: both, want, ...more },
        { title: back, base: both, edit: base, want: wantBack ?? Object.fromEntries(undone), ...more },
      ];
    },
  ),
  ...ONE_WAY,
];
