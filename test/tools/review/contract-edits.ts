// Edits of the contract, each with what it means to a client. `base` makes the old contract where today's does not have
// what is to be taken away. A breaking edit needs a counterexample that servers confirm.
import type { Edit } from "./contract-edit.js";

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

export const P = "components/parameters";
export const S = "components/schemas";
export const BODY = `${S}/PreferencesUpdate`;
const text = { type: "string" };
export const queryParameter = (more: object = {}) => ({
  ...{
    name: "status",
    in: "query",
    description: "By status.",
    schema: text,
    example: "completed",
    "x-decision": "D-01",
  },
  ...more,
});
export const asItIs: Edit = () => {};

/** Whom the same edit breaks when it is undone, unless a row says otherwise. */
const UNDONE: Readonly<Partial<Record<Verdict, Verdict>>> = { clients: "implementations", implementations: "clients" };

/** Rows with an edit and the same edit undone. */
type TwoWays = [
  ...[there: string, back: string, Edit, want: EditRow["want"]],
  more?: { wantBack?: EditRow["want"] } & Pick<EditRow, "base" | "unproven">,
];

export const change =
  (place: string, value: unknown): Edit =>
  ({ set }) =>
    set(place, value);
export const drop =
  (place: string): Edit =>
  ({ remove }) =>
    remove(place);
export const listed =
  (place: string, edit: (list: unknown[]) => unknown[]): Edit =>
  ({ get, set }) =>
    set(place, edit(get(place) as unknown[]));
export const lacking = (value: unknown) => (list: unknown[]) => list.filter((item) => item !== value);
export const having = (value: unknown) => (list: unknown[]) => [...list, value];

export const list = "listNotifications";
export const update = "updatePreferences";

export const RENAMED_SCHEMA: Edit = ({ get, set, remove }) => {
  set(`${S}/Failure`, get(`${S}/ErrorResponse`));
  remove(`${S}/ErrorResponse`);
  const responses = get("components/responses") as Record<string, object>;
  set("components/responses", JSON.parse(JSON.stringify(responses).replaceAll("/ErrorResponse", "/Failure")));
};

/** 422 as one of 4XX. */
export const RANGE_OF_STATUSES: Edit = ({ get, set, remove }) => {
  set("LIST/responses/4XX", get("LIST/responses/422"));
  remove("LIST/responses/422");
};

const TWO_WAYS: TwoWays[] = [
  [
    "required query parameter added",
    "required query parameter removed",
    listed("LIST/parameters", having(queryParameter({ required: true }))),
    { [`${list}:request:query.status:existence`]: "both" },
  ],
  [
    "header parameter removed",
    "header parameter added",
    listed("LIST/parameters", (all) => all.slice(0, -1)),
    { [`${list}:request:header.idempotency-key:existence`]: "neither" },
  ],
  [
    "query parameter becomes required",
    "query parameter becomes optional",
    change(`${P}/transactionId/required`, true),
    { [`${list}:request:query.transactionId:required`]: "clients" },
  ],
  [
    "parameter maximum lowered",
    "parameter maximum raised",
    change(`${P}/limit/schema/maximum`, 20),
    { [`${list}:request:query.limit:maximum`]: "clients" },
  ],
  [
    "parameter minimum raised",
    "parameter minimum lowered",
    change(`${P}/page/schema/minimum`, 1),
    { [`${list}:request:query.page:minimum`]: "clients" },
  ],
  [
    "parameter bound becomes exclusive",
    "parameter bound becomes inclusive",
    ({ set, remove }) => {
      remove(`${P}/limit/schema/maximum`);
      set(`${P}/limit/schema/exclusiveMaximum`, 50);
    },
    { [`${list}:request:query.limit:exclusiveMaximum`]: "clients" },
  ],
  [
    "parameter step set",
    "parameter step dropped",
    change(`${P}/limit/schema/multipleOf`, 5),
    { [`${list}:request:query.limit:multipleOf`]: "clients" },
  ],
  [
    "header length bounded more",
    "header length bounded less",
    change(`${P}/idempotencyKey/schema/maxLength`, 100),
    { [`${update}:request:header.idempotency-key:maxLength`]: "clients" },
  ],
  [
    "path parameter gets a pattern",
    "path parameter loses its pattern",
    change(`${P}/subscriberId/schema/pattern`, "^[0-9]+$"),
    { [`${update}:request:path.subscriberId:pattern`]: "clients" },
  ],
  [
    "parameter format set",
    "parameter format dropped",
    change(`${P}/transactionId/schema/format`, "uuid"),
    { [`${list}:request:query.transactionId:format`]: "clients" },
  ],
  [
    "text becomes a number",
    "number becomes a text",
    change(`${P}/topicKey/schema`, { type: "integer" }),
    { [`${list}:request:query.topicKey:type`]: "clients" },
  ],
  [
    "parameter gets a list of values",
    "parameter loses its list of values",
    change(`${P}/topicKey/schema/enum`, ["project:lighthouse"]),
    { [`${list}:request:query.topicKey:enum`]: "clients" },
  ],
  [
    "fewer items allowed",
    "more items allowed",
    change(`${P}/emails/schema/maxItems`, 2),
    { [`${list}:request:query.emails:maxItems`]: "clients" },
  ],
  [
    "items have to differ",
    "items may repeat",
    change(`${P}/subscriberIds/schema/uniqueItems`, true),
    { [`${list}:request:query.subscriberIds:uniqueItems`]: "clients" },
  ],
  [
    "empty value rejected",
    "empty value accepted",
    drop(`${P}/transactionId/allowEmptyValue`),
    { [`${list}:request:query.transactionId:allowEmptyValue`]: "clients" },
    { base: ({ set }) => set(`${P}/transactionId/schema/minLength`, 1) },
  ],
  [
    "body member removed",
    "body member added",
    drop(`${BODY}/properties/workflowId`),
    { [`${update}:request:body.workflowId:properties`]: "clients" },
  ],
  [
    "body opened",
    "body closed",
    change(`${BODY}/additionalProperties`, true),
    { [`${update}:request:body:additionalProperties`]: "implementations" },
  ],
  [
    "body member of another type",
    "body member of the type before",
    change(`${BODY}/properties/workflowId/type`, "integer"),
    { [`${update}:request:body.workflowId:type`]: "both" },
    {
      base: ({ remove, get, set }) => {
        remove(`${BODY}/properties/workflowId/minLength`);
        const shown = get("UPDATE/requestBody/content/application~1json/examples") as Record<string, object>;
        set("UPDATE/requestBody/content/application~1json/examples", { globalUpdate: shown.globalUpdate });
      },
    },
  ],
  [
    "body member gets a default",
    "body member loses its default",
    change(`${BODY}/properties/workflowId/default`, "comment-mention"),
    { [`${update}:request:body.workflowId:default`]: "both" },
  ],
  [
    "body needs a member of any name",
    "body needs none",
    change(`${BODY}/minProperties`, 2),
    { [`${update}:request:body:minProperties`]: "clients" },
  ],
  [
    "required response member removed",
    "required response member added",
    ({ get, set, remove }) => {
      remove(`${S}/NotificationTopic/properties/topicKey`);
      set(`${S}/NotificationTopic/required`, lacking("topicKey")(get(`${S}/NotificationTopic/required`) as unknown[]));
      set(`${S}/NotificationTopic/examples`, [{ _topicId: "66e4d0010c4b3d5e6f708401" }]);
      set("LIST/responses/200/content/application~1json/examples", {});
    },
    { [`${list}:response:200/body.data[].topics[].topicKey:properties`]: "both" },
  ],
  [
    "response bound dropped",
    "response bound set",
    drop(`${S}/NotificationPage/properties/page/minimum`),
    { [`${list}:response:200/body.page:minimum`]: "clients" },
  ],
  [
    "response text may be empty",
    "response text is never empty",
    drop(`${S}/WorkflowReference/properties/slug/minLength`),
    { [`${update}:response:200/body.workflows[].workflow.slug:minLength`]: "clients" },
  ],
  [
    "response format dropped",
    "response format set",
    drop(`${S}/Timestamp/format`),
    {
      [`${update}:response:200/body.workflows[].workflow.updatedAt:format`]: "clients",
    },
  ],
  [
    "response pattern widened",
    "response pattern narrowed",
    change(`${S}/ObjectId/pattern`, "^[0-9a-fA-F]{24}$"),
    { [`${list}:response:200/body.data[]._id:pattern`]: "clients" },
  ],
  [
    "response object opened",
    "response object closed",
    change(`${S}/GlobalPreferences/additionalProperties`, true),
    { [`${update}:response:200/body.global:additionalProperties`]: "clients" },
  ],
  [
    "required response header removed",
    "required response header added",
    drop("components/responses/InProgress/headers/Retry-After"),
    { [`${update}:response:409/header.retry-after:existence`]: "both" },
    { wantBack: { [`${update}:response:409/header.retry-after:existence`]: "implementations" } },
  ],
  [
    "response header may hold more",
    "response header may hold less",
    change("components/headers/Idempotency-Key/schema/maxLength", 300),
    { [`${update}:response:200/header.idempotency-key:maxLength`]: "clients" },
  ],
  [
    "a list is written with commas",
    "a list is no longer written with commas",
    change(`${P}/emails/explode`, false),
    { [`${list}:request:query.emails:explode`]: "both" },
    { unproven: "the reference server reads repeated parameters alone" },
  ],
  [
    "a list is written with blanks",
    "a list is no longer written with blanks",
    change(`${P}/emails/style`, "spaceDelimited"),
    { [`${list}:request:query.emails:style`]: "both" },
    { unproven: "the reference server reads repeated parameters alone" },
  ],
  [
    "reserved characters have to be encoded",
    "reserved characters may stand as they are",
    drop(`${P}/search/allowReserved`),
    { [`${list}:request:query.search:allowReserved`]: "clients" },
  ],
  [
    "no key is required any more",
    "a key is required where there was none",
    change("security", []),
    { [`${update}:request:the/operation:security`]: "implementations" },
    { unproven: "the reference server's key check is not read from the contract" },
  ],
];

const atPlaces = (...places: string[]) =>
  change("servers/0", { url: "{base_url}", variables: { base_url: { default: places[0], enum: places } } });

const ONE_WAY: EditRow[] = [
  {
    title: "path renamed",
    edit: ({ get, set, remove }) => {
      set("paths/~1v3~1notifications", get("paths/~1v1~1notifications"));
      remove("paths/~1v1~1notifications");
    },
    want: {
      [`${list}:request:GET//v1/notifications:existence`]: "clients",
      [`${list}:request:GET//v3/notifications:existence`]: "implementations",
    },
  },
  {
    title: "media type changed",
    edit: ({ get, set, remove }) => {
      set(
        "UPDATE/requestBody/content/application~1merge-patch+json",
        get("UPDATE/requestBody/content/application~1json"),
      );
      remove("UPDATE/requestBody/content/application~1json");
    },
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
    title: "source changed",
    edit: change(`${P}/limit/x-source`, "§8"),
    want: { [`text:${P}/limit/x-source`]: "editorial" },
  },
  {
    title: "summary changed",
    edit: change("LIST/summary", "Other"),
    want: { "text:paths//v1/notifications/get/summary": "editorial" },
  },
  {
    title: "operationId changed: a name in generated code",
    edit: change("LIST/operationId", "getNotifications"),
    want: { "text:paths//v1/notifications/get/operationId": "editorial" },
  },
  {
    title: "a schema renamed changes nothing on the wire",
    edit: RENAMED_SCHEMA,
    want: { equivalent: "equivalent" },
  },
  {
    title: "an example moved to its response changes nothing on the wire",
    edit: ({ get, set, remove }) => {
      const place = "components/responses/OutsidePlan/content/application~1json/examples/outsidePlan";
      const named = "components/examples/listNotifications.402.outsidePlan";
      set(place, get(named));
      remove(named);
    },
    want: {},
  },
  {
    title: "a server's address becomes a variable of the same default",
    edit: change("servers/0", {
      url: "{base_url}",
      variables: { base_url: { default: "http://127.0.0.1:4010" } },
    }),
    want: { "servers:http://127.0.0.1:4010": "editorial" },
  },
  {
    title: "a server more",
    edit: change("servers/1", { url: "https://elsewhere.example" }),
    want: { "servers:https://elsewhere.example": "neither" },
  },
  {
    title: "the server may stand at listed places only",
    base: change("servers/0", {
      url: "{base_url}",
      variables: { base_url: { default: "http://127.0.0.1:4010" } },
    }),
    edit: change("servers/0", {
      url: "{base_url}",
      variables: { base_url: { default: "http://127.0.0.1:4010", enum: ["http://127.0.0.1:4010"] } },
    }),
    want: { "servers:http://127.0.0.1:4010": "clients" },
    unproven: "a server does not know its address",
  },
  {
    title: "the server may stand at one place more",
    base: atPlaces("http://127.0.0.1:4010"),
    edit: atPlaces("http://127.0.0.1:4010", "https://elsewhere.example"),
    want: { "servers:http://127.0.0.1:4010": "neither" },
  },
  {
    title: "a required response member renamed in one of two places",
    edit: ({ get, set, remove }) => {
      set(`${S}/NotificationPage/properties/more`, get(`${S}/NotificationPage/properties/hasMore`));
      remove(`${S}/NotificationPage/properties/hasMore`);
    },
    want: {
      [`${list}:response:200/body:impossible`]: "both",
      [`${list}:response:200/body.hasMore:properties`]: "implementations",
    },
  },
  {
    title: "a response member deprecated",
    edit: change(`${S}/Notification/properties/severity/deprecated`, true),
    want: { [`${list}:response:200/body.data[].severity:deprecated`]: "neither" },
  },
  {
    title: "a response may have members of some names",
    edit: change(`${S}/GlobalPreferences/patternProperties`, { "^x-": text }),
    want: { [`${update}:response:200/body.global:patternProperties`]: "clients" },
  },
];

export const BASIC_EDITS: EditRow[] = [
  ...TWO_WAYS.flatMap(([there, back, edit, want, { base = asItIs, wantBack, ...more } = {}]): EditRow[] => {
    const both: Edit = (contract) => {
      base(contract);
      edit(contract);
    };
    const undone = Object.entries(want).map(([id, verdict]) => [id, UNDONE[verdict] ?? verdict]);
    return [
      { title: there, base, edit: both, want, ...more },
      { title: back, base: both, edit: base, want: wantBack ?? Object.fromEntries(undone), ...more },
    ];
  }),
  ...ONE_WAY,
];
