// Edits of the contract, each with what it means to a client. `base` makes the old contract where today's does not have
// what is to be taken away. A breaking edit needs a witness that servers confirm, or a reason why there is none.
import type { Edit } from "./contract-edit.js";

export interface EditRow {
  title: string;
  base?: Edit;
  edit: Edit;
  /** The ids of the changes must be these, and their classes. */
  want: Record<string, "breaking" | "compatible" | "editorial">;
  /** Why no server shows what the witness says. */
  unproven?: string;
  /** Why there is no witness. */
  noWitness?: string;
}

const P = "components/parameters";
const S = "components/schemas";
const BODY = `${S}/PreferencesUpdate`;
const text = { type: "string" };
const queryParameter = (more: object = {}) => ({
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
const asItIs: Edit = () => {};
const swap = (row: EditRow, title: string, want: EditRow["want"]): EditRow => ({
  title,
  base: row.edit,
  edit: row.base ?? asItIs,
  want,
});

/** Rows with an edit and the same edit undone. */
type TwoWays = [there: string, back: string, Edit, EditRow["want"], EditRow["want"], (Edit | undefined)?];

const change =
  (place: string, value: unknown): Edit =>
  ({ set }) =>
    set(place, value);
const drop =
  (place: string): Edit =>
  ({ remove }) =>
    remove(place);
const listed =
  (place: string, edit: (list: unknown[]) => unknown[]): Edit =>
  ({ get, set }) =>
    set(place, edit(get(place) as unknown[]));
const lacking = (value: unknown) => (list: unknown[]) => list.filter((item) => item !== value);
const having = (value: unknown) => (list: unknown[]) => [...list, value];

const list = "listNotifications";
const update = "updatePreferences";

const TWO_WAYS: TwoWays[] = [
  [
    "query parameter removed",
    "query parameter added",
    listed("LIST/parameters", (all) => all.filter((one) => !JSON.stringify(one).includes("topicKey"))),
    { [`${list}:request:query.topicKey:existence`]: "breaking" },
    { [`${list}:request:query.topicKey:existence`]: "compatible" },
  ],
  [
    "required query parameter added",
    "required query parameter removed",
    listed("LIST/parameters", having(queryParameter({ required: true }))),
    { [`${list}:request:query.status:existence`]: "breaking" },
    { [`${list}:request:query.status:existence`]: "breaking" },
  ],
  [
    "header parameter removed",
    "header parameter added",
    listed("LIST/parameters", (all) => all.slice(0, -1)),
    { [`${list}:request:header.idempotency-key:existence`]: "compatible" },
    { [`${list}:request:header.idempotency-key:existence`]: "compatible" },
  ],
  [
    "query parameter becomes required",
    "query parameter becomes optional",
    change(`${P}/transactionId/required`, true),
    { [`${list}:request:query.transactionId:required`]: "breaking" },
    { [`${list}:request:query.transactionId:required`]: "compatible" },
  ],
  [
    "parameter maximum lowered",
    "parameter maximum raised",
    change(`${P}/limit/schema/maximum`, 20),
    { [`${list}:request:query.limit:maximum`]: "breaking" },
    { [`${list}:request:query.limit:maximum`]: "compatible" },
  ],
  [
    "parameter maximum set",
    "parameter maximum dropped",
    change(`${P}/page/schema/maximum`, 100),
    { [`${list}:request:query.page:maximum`]: "breaking" },
    { [`${list}:request:query.page:maximum`]: "compatible" },
  ],
  [
    "parameter minimum raised",
    "parameter minimum lowered",
    change(`${P}/page/schema/minimum`, 1),
    { [`${list}:request:query.page:minimum`]: "breaking" },
    { [`${list}:request:query.page:minimum`]: "compatible" },
  ],
  [
    "parameter bound becomes exclusive",
    "parameter bound becomes inclusive",
    ({ set, remove }) => {
      remove(`${P}/limit/schema/maximum`);
      set(`${P}/limit/schema/exclusiveMaximum`, 50);
    },
    { [`${list}:request:query.limit:exclusiveMaximum`]: "breaking" },
    { [`${list}:request:query.limit:exclusiveMaximum`]: "compatible" },
  ],
  [
    "parameter step set",
    "parameter step dropped",
    change(`${P}/limit/schema/multipleOf`, 5),
    { [`${list}:request:query.limit:multipleOf`]: "breaking" },
    { [`${list}:request:query.limit:multipleOf`]: "compatible" },
  ],
  [
    "parameter length bounded",
    "parameter length unbounded",
    change(`${P}/search/schema/maxLength`, 20),
    { [`${list}:request:query.search:maxLength`]: "breaking" },
    { [`${list}:request:query.search:maxLength`]: "compatible" },
  ],
  [
    "header length bounded more",
    "header length bounded less",
    change(`${P}/idempotencyKey/schema/maxLength`, 100),
    { [`${update}:request:header.idempotency-key:maxLength`]: "breaking" },
    { [`${update}:request:header.idempotency-key:maxLength`]: "compatible" },
  ],
  [
    "path parameter gets a pattern",
    "path parameter loses its pattern",
    change(`${P}/subscriberId/schema/pattern`, "^[0-9]+$"),
    { [`${update}:request:path.subscriberId:pattern`]: "breaking" },
    { [`${update}:request:path.subscriberId:pattern`]: "compatible" },
  ],
  [
    "parameter pattern narrowed",
    "parameter pattern widened",
    change(`${P}/templates/schema/items/pattern`, "^[0-9a-f]{24}$"),
    { [`${list}:request:query.templates[]:pattern`]: "breaking" },
    { [`${list}:request:query.templates[]:pattern`]: "compatible" },
  ],
  [
    "parameter format set",
    "parameter format dropped",
    change(`${P}/transactionId/schema/format`, "uuid"),
    { [`${list}:request:query.transactionId:format`]: "breaking" },
    { [`${list}:request:query.transactionId:format`]: "compatible" },
  ],
  [
    "text becomes a number",
    "number becomes a text",
    change(`${P}/topicKey/schema`, { type: "integer" }),
    { [`${list}:request:query.topicKey:type`]: "breaking" },
    { [`${list}:request:query.topicKey:type`]: "compatible" },
  ],
  [
    "parameter gets a list of values",
    "parameter loses its list of values",
    change(`${P}/topicKey/schema/enum`, ["project:lighthouse"]),
    { [`${list}:request:query.topicKey:enum`]: "breaking" },
    { [`${list}:request:query.topicKey:enum`]: "compatible" },
  ],
  [
    "fewer items allowed",
    "more items allowed",
    change(`${P}/emails/schema/maxItems`, 2),
    { [`${list}:request:query.emails:maxItems`]: "breaking" },
    { [`${list}:request:query.emails:maxItems`]: "compatible" },
  ],
  [
    "items have to differ",
    "items may repeat",
    change(`${P}/subscriberIds/schema/uniqueItems`, true),
    { [`${list}:request:query.subscriberIds:uniqueItems`]: "breaking" },
    { [`${list}:request:query.subscriberIds:uniqueItems`]: "compatible" },
  ],
  [
    "empty value rejected",
    "empty value accepted",
    drop(`${P}/transactionId/allowEmptyValue`),
    { [`${list}:request:query.transactionId:allowEmptyValue`]: "breaking" },
    { [`${list}:request:query.transactionId:allowEmptyValue`]: "compatible" },
    ({ set }) => set(`${P}/transactionId/schema/minLength`, 1),
  ],
  [
    "default changed",
    "default changed back",
    change(`${P}/limit/schema/default`, 20),
    { [`${list}:request:query.limit:default`]: "breaking" },
    { [`${list}:request:query.limit:default`]: "breaking" },
  ],
  [
    "parameter deprecated",
    "parameter no longer deprecated",
    change(`${P}/emails/deprecated`, true),
    { [`${list}:request:query.emails:deprecated`]: "compatible" },
    { [`${list}:request:query.emails:deprecated`]: "compatible" },
  ],
  [
    "body member becomes required",
    "body member becomes optional",
    change(`${BODY}/required`, ["channels", "workflowId"]),
    { [`${update}:request:body.workflowId:required`]: "breaking" },
    { [`${update}:request:body.workflowId:required`]: "compatible" },
  ],
  [
    "body member removed",
    "body member added",
    drop(`${BODY}/properties/workflowId`),
    { [`${update}:request:body.workflowId:properties`]: "breaking" },
    { [`${update}:request:body.workflowId:properties`]: "compatible" },
  ],
  [
    "body opened",
    "body closed",
    change(`${BODY}/additionalProperties`, true),
    { [`${update}:request:body:additionalProperties`]: "compatible" },
    { [`${update}:request:body:additionalProperties`]: "breaking" },
  ],
  [
    "body member of another type",
    "body member of the type before",
    change(`${BODY}/properties/workflowId/type`, "integer"),
    { [`${update}:request:body.workflowId:type`]: "breaking" },
    { [`${update}:request:body.workflowId:type`]: "breaking" },
    ({ remove, get, set }) => {
      remove(`${BODY}/properties/workflowId/minLength`);
      const shown = get("UPDATE/requestBody/content/application~1json/examples") as Record<string, object>;
      set("UPDATE/requestBody/content/application~1json/examples", { globalUpdate: shown.globalUpdate });
    },
  ],
  [
    "body member gets a default",
    "body member loses its default",
    change(`${BODY}/properties/workflowId/default`, "comment-mention"),
    { [`${update}:request:body.workflowId:default`]: "breaking" },
    { [`${update}:request:body.workflowId:default`]: "breaking" },
  ],
  [
    "body member may be null",
    "body member may not be null",
    change(`${BODY}/properties/workflowId/type`, ["string", "null"]),
    { [`${update}:request:body.workflowId:type`]: "compatible" },
    { [`${update}:request:body.workflowId:type`]: "breaking" },
  ],
  [
    "body needs a member of any name",
    "body needs none",
    change(`${BODY}/minProperties`, 2),
    { [`${update}:request:body:minProperties`]: "breaking" },
    { [`${update}:request:body:minProperties`]: "compatible" },
  ],
  [
    "response enum loses a value",
    "response enum gains a value",
    listed(`${S}/Notification/properties/severity/enum`, lacking("none")),
    { [`${list}:response:200/body.data[].severity:enum`]: "compatible" },
    { [`${list}:response:200/body.data[].severity:enum`]: "breaking" },
  ],
  [
    "response member may be missing",
    "response member is always present",
    listed(`${S}/NotificationPage/required`, lacking("hasMore")),
    { [`${list}:response:200/body.hasMore:required`]: "breaking" },
    { [`${list}:response:200/body.hasMore:required`]: "compatible" },
  ],
  [
    "response member removed",
    "response member added to a closed object",
    drop(`${S}/Notification/properties/contextKeys`),
    { [`${list}:response:200/body.data[].contextKeys:properties`]: "compatible" },
    { [`${list}:response:200/body.data[].contextKeys:properties`]: "breaking" },
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
    {
      [`${list}:response:200/body.data[].topics[].topicKey:required`]: "breaking",
      [`${list}:response:200/body.data[].topics[].topicKey:properties`]: "compatible",
    },
    {
      [`${list}:response:200/body.data[].topics[].topicKey:required`]: "compatible",
      [`${list}:response:200/body.data[].topics[].topicKey:properties`]: "breaking",
    },
  ],
  [
    "response bound widened",
    "response bound narrowed",
    change(`${S}/NotificationPage/properties/pageSize/maximum`, 100),
    { [`${list}:response:200/body.pageSize:maximum`]: "breaking" },
    { [`${list}:response:200/body.pageSize:maximum`]: "compatible" },
  ],
  [
    "response bound dropped",
    "response bound set",
    drop(`${S}/NotificationPage/properties/page/minimum`),
    { [`${list}:response:200/body.page:minimum`]: "breaking" },
    { [`${list}:response:200/body.page:minimum`]: "compatible" },
  ],
  [
    "more items may be returned",
    "fewer items may be returned",
    change(`${S}/NotificationPage/properties/data/maxItems`, 60),
    { [`${list}:response:200/body.data:maxItems`]: "breaking" },
    { [`${list}:response:200/body.data:maxItems`]: "compatible" },
  ],
  [
    "response text may be empty",
    "response text is never empty",
    drop(`${S}/WorkflowReference/properties/slug/minLength`),
    { [`${update}:response:200/body.workflows[].workflow.slug:minLength`]: "breaking" },
    { [`${update}:response:200/body.workflows[].workflow.slug:minLength`]: "compatible" },
  ],
  [
    "response number may have a fraction",
    "response number is whole",
    change(`${S}/NotificationPage/properties/page/type`, "number"),
    { [`${list}:response:200/body.page:type`]: "breaking" },
    { [`${list}:response:200/body.page:type`]: "compatible" },
  ],
  [
    "response may be null",
    "response is never null",
    change(`${S}/NotificationSubscriber/properties/email/type`, ["string", "null"]),
    { [`${list}:response:200/body.data[].subscriber.email:type`]: "breaking" },
    { [`${list}:response:200/body.data[].subscriber.email:type`]: "compatible" },
  ],
  [
    "response format dropped",
    "response format set",
    drop(`${S}/Timestamp/format`),
    {
      [`${update}:response:200/body.workflows[].workflow.updatedAt:format`]: "breaking",
      [`${list}:response:200/body.data[].createdAt:format`]: "breaking",
    },
    {
      [`${update}:response:200/body.workflows[].workflow.updatedAt:format`]: "compatible",
      [`${list}:response:200/body.data[].createdAt:format`]: "compatible",
    },
  ],
  [
    "response pattern widened",
    "response pattern narrowed",
    change(`${S}/ObjectId/pattern`, "^[0-9a-fA-F]{24}$"),
    { [`${list}:response:200/body.data[]._id:pattern`]: "breaking" },
    { [`${list}:response:200/body.data[]._id:pattern`]: "compatible" },
  ],
  [
    "response object opened",
    "response object closed",
    change(`${S}/GlobalPreferences/additionalProperties`, true),
    { [`${update}:response:200/body.global:additionalProperties`]: "breaking" },
    { [`${update}:response:200/body.global:additionalProperties`]: "compatible" },
  ],
  [
    "error response member may be missing",
    "error response member is always present",
    listed(`${S}/ErrorResponse/required`, lacking("path")),
    {
      [`${update}:response:400/body.path:required`]: "breaking",
      [`${list}:response:400/body.path:required`]: "breaking",
    },
    {
      [`${update}:response:400/body.path:required`]: "compatible",
      [`${list}:response:400/body.path:required`]: "compatible",
    },
  ],
  [
    "error status removed",
    "error status added",
    drop("LIST/responses/402"),
    { [`${list}:response:402:existence`]: "compatible" },
    { [`${list}:response:402:existence`]: "compatible" },
  ],
  [
    "success status added",
    "success status removed, another stays",
    ({ get, set }) => set("LIST/responses/203", get("LIST/responses/200")),
    { [`${list}:response:203:existence`]: "breaking" },
    { [`${list}:response:203:existence`]: "compatible" },
  ],
  [
    "required response header may be missing",
    "response header is always sent",
    drop("components/headers/Allow/required"),
    {
      [`${list}:response:405/header.allow:required`]: "breaking",
    },
    {
      [`${list}:response:405/header.allow:required`]: "compatible",
    },
  ],
  [
    "required response header removed",
    "required response header added",
    drop("components/responses/InProgress/headers/Retry-After"),
    { [`${update}:response:409/header.retry-after:existence`]: "breaking" },
    { [`${update}:response:409/header.retry-after:existence`]: "compatible" },
  ],
  [
    "optional response header removed",
    "optional response header added",
    drop("LIST/responses/200/headers/X-Request-Id"),
    { [`${list}:response:200/header.x-request-id:existence`]: "compatible" },
    { [`${list}:response:200/header.x-request-id:existence`]: "compatible" },
  ],
  [
    "response header may hold more",
    "response header may hold less",
    change("components/headers/Idempotency-Key/schema/maxLength", 300),
    { [`${update}:response:200/header.idempotency-key:maxLength`]: "breaking" },
    { [`${update}:response:200/header.idempotency-key:maxLength`]: "compatible" },
  ],
  [
    "operation deprecated",
    "operation no longer deprecated",
    change("LIST/deprecated", true),
    { [`${list}:request:the/operation:deprecated`]: "compatible" },
    { [`${list}:request:the/operation:deprecated`]: "compatible" },
  ],
];

const ONE_WAY: EditRow[] = [
  {
    title: "body becomes required",
    base: change("UPDATE/requestBody/required", false),
    edit: () => {},
    want: { [`${update}:request:body:required`]: "breaking" },
    unproven: "the reference server needs a body, whatever the contract says",
  },
  {
    title: "body becomes optional",
    edit: change("UPDATE/requestBody/required", false),
    want: { [`${update}:request:body:required`]: "compatible" },
  },
  {
    title: "a value that requests and responses share is removed",
    edit: listed(`${S}/Channel/enum`, lacking("push")),
    want: {
      [`${list}:request:query.channels[]:enum`]: "breaking",
      [`${update}:response:200/body.workflows[].overrides[].channel:enum`]: "compatible",
    },
  },
  {
    title: "a value that requests and responses share is added",
    edit: listed(`${S}/Channel/enum`, having("fax")),
    want: {
      [`${list}:request:query.channels[]:enum`]: "compatible",
      [`${update}:response:200/body.workflows[].overrides[].channel:enum`]: "breaking",
    },
  },
  {
    title: "operation removed",
    edit: drop("paths/~1v1~1notifications"),
    want: { [`${list}:request:GET//v1/notifications:existence`]: "breaking" },
  },
  {
    title: "operation added",
    base: drop("paths/~1v1~1notifications"),
    edit: () => {},
    want: { [`${list}:request:GET//v1/notifications:existence`]: "compatible" },
  },
  {
    title: "path renamed",
    edit: ({ get, set, remove }) => {
      set("paths/~1v3~1notifications", get("paths/~1v1~1notifications"));
      remove("paths/~1v1~1notifications");
    },
    want: {
      [`${list}:request:GET//v1/notifications:existence`]: "breaking",
      [`${list}:request:GET//v3/notifications:existence`]: "compatible",
    },
  },
  {
    title: "body member renamed",
    edit: ({ get, set, remove }) => {
      set(`${BODY}/properties/workflow`, get(`${BODY}/properties/workflowId`));
      remove(`${BODY}/properties/workflowId`);
    },
    want: {
      [`${update}:request:body.workflowId:properties`]: "breaking",
      [`${update}:request:body.workflow:properties`]: "compatible",
    },
  },
  {
    title: "response member renamed",
    edit: ({ get, set, remove }) => {
      set(`${S}/NotificationPage/properties/more`, get(`${S}/NotificationPage/properties/hasMore`));
      remove(`${S}/NotificationPage/properties/hasMore`);
      set(`${S}/NotificationPage/required`, ["page", "pageSize", "more", "data"]);
      set(`${S}/NotificationPage/examples`, [{ page: 0, pageSize: 10, more: false, data: [] }]);
    },
    want: {
      [`${list}:response:200/body.hasMore:required`]: "breaking",
      [`${list}:response:200/body.more:properties`]: "breaking",
      [`${list}:response:200/body.more:required`]: "compatible",
      [`${list}:response:200/body.hasMore:properties`]: "compatible",
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
      [`${update}:request:body/as/application/json:content`]: "breaking",
      [`${update}:request:body/as/application/merge-patch+json:content`]: "compatible",
    },
    unproven: "the reference server reads application/json alone, whatever the contract says",
  },
  {
    title: "key read from another header",
    edit: change("components/securitySchemes/apiKey/name", "X-Api-Key"),
    want: {
      [`${list}:request:the/operation:security`]: "breaking",
      [`${update}:request:the/operation:security`]: "breaking",
    },
    unproven: "the reference server's key check is not read from the contract",
  },
  {
    title: "the key is no longer needed",
    edit: change("security", [{ apiKey: [] }, {}]),
    want: {
      [`${list}:request:the/operation:security`]: "compatible",
      [`${update}:request:the/operation:security`]: "compatible",
    },
  },
  {
    title: "the only success status removed",
    edit: ({ get, set }) => {
      const { 200: _gone, ...rest } = get("LIST/responses") as Record<string, unknown>;
      set("LIST/responses", rest);
    },
    want: { [`${list}:response:200:existence`]: "breaking" },
    noWitness: "it forbids every success: there is no response to show",
  },
  ...[
    { how: "with commas", edit: change(`${P}/emails/explode`, false), keyword: "explode" },
    { how: "with blanks", edit: change(`${P}/emails/style`, "spaceDelimited"), keyword: "style" },
  ].flatMap(({ how, edit, keyword }): EditRow[] => {
    const want = { [`${list}:request:query.emails:${keyword}`]: "breaking" } as const;
    const unproven = "the reference server reads repeated parameters alone";
    const row = { title: `a list is written ${how}`, edit, want, unproven };
    return [row, { ...swap(row, `a list is no longer written ${how}`, want), unproven }];
  }),
  {
    title: "reserved characters have to be encoded",
    edit: drop(`${P}/search/allowReserved`),
    want: { [`${list}:request:query.search:allowReserved`]: "breaking" },
    noWitness: "requests are written encoded",
  },
  {
    title: "reserved characters may stand as they are",
    base: drop(`${P}/search/allowReserved`),
    edit: () => {},
    want: { [`${list}:request:query.search:allowReserved`]: "compatible" },
  },
  {
    title: "a plus sign becomes a blank",
    edit: drop(`${P}/after/x-literal-plus`),
    want: { [`${list}:request:query.after:x-literal-plus`]: "breaking" },
    noWitness: "requests are written with %2B",
  },
  {
    title: "path parameter renamed",
    edit: ({ get, set, remove }) => {
      set("paths/~1v2~1subscribers~1{id}~1preferences", get("paths/~1v2~1subscribers~1{subscriberId}~1preferences"));
      remove("paths/~1v2~1subscribers~1{subscriberId}~1preferences");
      set(`${P}/subscriberId/name`, "id");
    },
    want: {},
  },
  {
    title: "description changed",
    edit: change(`${P}/limit/description`, "Another text."),
    want: { [`text:${P}/limit/description`]: "editorial" },
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
    title: "lists in another order",
    edit: listed(`${S}/NotificationPage/required`, (all) => all.toReversed()),
    want: { [`text:${S}/NotificationPage/required`]: "editorial" },
  },
  {
    title: "a schema moved to a component changes nothing on the wire",
    edit: ({ get, set }) => {
      set(`${S}/Severity`, get(`${S}/Notification/properties/severity`));
      set(`${S}/Notification/properties/severity`, {
        $ref: "#/components/schemas/Severity",
        description: "How urgent it is.",
        "x-decision": "D-70",
      });
    },
    want: { [`text:${S}/Severity`]: "editorial", [`text:${S}/Notification/properties/severity/$ref`]: "editorial" },
  },
  {
    title: "a schema renamed changes nothing on the wire",
    edit: ({ get, set, remove }) => {
      set(`${S}/Failure`, get(`${S}/ErrorResponse`));
      remove(`${S}/ErrorResponse`);
      const responses = get("components/responses") as Record<string, object>;
      set("components/responses", JSON.parse(JSON.stringify(responses).replaceAll("/ErrorResponse", "/Failure")));
    },
    want: { [`text:${S}/Failure`]: "editorial", [`text:${S}/ErrorResponse`]: "editorial" },
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
    title: "the server moves",
    edit: change("servers/0/url", "https://elsewhere.example"),
    want: { "servers:http://127.0.0.1:4010": "breaking", "servers:https://elsewhere.example": "compatible" },
    unproven: "a server does not know its address",
  },
  {
    title: "a server more",
    edit: change("servers/1", { url: "https://elsewhere.example" }),
    want: { "servers:https://elsewhere.example": "compatible" },
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
    want: { "text:servers/0/variables/base_url/enum": "breaking" },
    noWitness: "a request to any other address would do, and none is in the contract",
  },
  {
    title: "no key is required any more",
    edit: change("security", []),
    want: {
      [`${list}:request:the/operation:security`]: "compatible",
      [`${update}:request:the/operation:security`]: "compatible",
    },
  },
  {
    title: "a key is required where there was none",
    base: change("security", []),
    edit: () => {},
    want: {
      [`${list}:request:the/operation:security`]: "breaking",
      [`${update}:request:the/operation:security`]: "breaking",
    },
    unproven: "the reference server's key check is not read from the contract",
  },
  {
    title: "a response may be anything",
    edit: change("LIST/responses/200/content/application~1json/schema", {}),
    want: { [`${list}:response:200/body:type`]: "breaking" },
  },
  {
    title: "the response's one value is another",
    edit: ({ get, set }) => {
      const place = "components/responses/ListMethodNotAllowed/content/application~1json";
      set(`${place}/schema/allOf/1/properties/statusCode/const`, 406);
      const value = "components/examples/listNotifications.405.wrongMethod/value";
      set(value, { ...(get(value) as object), statusCode: 406 });
    },
    want: {
      [`${list}:response:405/body.statusCode:const`]: "breaking",
    },
  },
  {
    title: "a response may have members of some names",
    edit: change(`${S}/GlobalPreferences/patternProperties`, { "^x-": text }),
    want: { [`${update}:response:200/body.global:patternProperties`]: "breaking" },
    noWitness: "no name is made for a pattern",
  },
  { title: "nothing changed", edit: () => {}, want: {} },
];

export const EDITS: EditRow[] = [
  ...TWO_WAYS.flatMap(([there, back, edit, want, wantBack, base]) => {
    const row: EditRow = { title: there, edit, want, ...(base ? { base } : {}) };
    const both: Edit = (contract) => {
      base?.(contract);
      edit(contract);
    };
    return [{ ...row, ...(base ? { edit: both } : {}) }, { ...swap({ ...row, edit: both }, back, wantBack) }];
  }),
  ...ONE_WAY,
];
