// Edits of any keyword: some change what requests and responses may be, others say the same thing in another way.
import type { Edit } from "./contract-edit.js";
import { BODY, change, drop, type EditRow, list, listed, P, S, update } from "./contract-edits.js";

/** Both contracts allow the same requests and responses. */
const SAME: [title: string, edit: Edit][] = [
  ["a pattern's classes are in another order", change(`${S}/ObjectId/pattern`, "^[a-f0-9]{24}$")],
  ["the same in a parameter", change(`${P}/templates/schema/items/pattern`, "^[A-Fa-f0-9]{24}$")],
  ["digits are written as a class of their own", change(`${S}/Violation/properties/decision/pattern`, "^D-\\d{2}$")],
  ["a member needs one that is required anyway", change(`${BODY}/dependentRequired`, { workflowId: ["channels"] })],
  ["a length of at least nothing", change(`${P}/search/schema/minLength`, 0)],
  ["a list of values in another order", listed(`${S}/Channel/enum`, (all) => all.toReversed())],
  [
    "a constant instead of a list of one value",
    ({ set, remove }) => {
      set(`${S}/TemplateTrigger/properties/type/const`, "event");
      remove(`${S}/TemplateTrigger/properties/type/enum`);
    },
  ],
  [
    "a schema is wrapped in allOf",
    ({ get, set }) => {
      const { type, enum: values, ...texts } = get(`${S}/Channel`) as Record<string, unknown>;
      set(`${S}/Channel`, { ...texts, allOf: [{ type, enum: values }] });
    },
  ],
  [
    "an exclusive bound instead of the next whole number",
    ({ set, remove }) => {
      set(`${P}/limit/schema/exclusiveMinimum`, 0);
      remove(`${P}/limit/schema/minimum`);
    },
  ],
  ["a bound between two whole numbers", change(`${P}/limit/schema/maximum`, 50.5)],
  ["whole numbers are multiples of one", change(`${P}/limit/schema/multipleOf`, 1)],
  ["a text is no object", change(`${BODY}/properties/workflowId/not`, { type: "object" })],
  ["one alternative that is the schema itself", change(`${P}/transactionId/schema/oneOf`, [{ type: "string" }])],
  ["items may repeat, as before", change(`${P}/emails/schema/uniqueItems`, false)],
  ["a media type of a text", change(`${S}/JobStep/properties/name/contentMediaType`, "text/plain")],
  ["names that the object has anyway", change(`${S}/ChannelPreferences/propertyNames`, { minLength: 1 })],
  ["at least one member, and one is required", change(`${BODY}/minProperties`, 1)],
  ["at most as many members as there are", change(`${BODY}/maxProperties`, 2)],
  ["a condition without a consequence", change(`${BODY}/if`, { required: ["workflowId"] })],
  [
    "a schema for what comes with a member, as it is",
    change(`${BODY}/dependentSchemas`, { workflowId: { required: ["channels"] } }),
  ],
  ["a list of one type", change(`${P}/topicKey/schema/type`, ["string"])],
  ["a default that was there", change(`${P}/page/schema/default`, 0)],
  [
    "the body as a shared component",
    ({ get, set }) => {
      set("components/requestBodies", { Update: get("UPDATE/requestBody") });
      set("UPDATE/requestBody", { $ref: "#/components/requestBodies/Update" });
    },
  ],
];

/** Rows of one change: edit, id behind the operation, verdict. */
const OTHER: [title: string, edit: Edit, want: EditRow["want"], more?: Partial<EditRow>][] = [
  [
    "a member needs another",
    change(`${BODY}/dependentRequired`, { channels: ["workflowId"] }),
    { [`${update}:request:body:dependentRequired`]: "clients" },
  ],
  [
    "names of an open object have a form",
    change(`${S}/ErrorContext/propertyNames`, { pattern: "^[a-z]+$" }),
    { [`${update}:response:400/body.ctx:propertyNames`]: "implementations" },
  ],
  [
    "members of some names are numbers",
    change(`${S}/ErrorContext/patternProperties`, { "^x-": { type: "integer" } }),
    { [`${update}:response:400/body.ctx:patternProperties`]: "implementations" },
  ],
  [
    "instants have no offset",
    ({ get, set }) => {
      const pattern = `${P}/after/schema/pattern`;
      set(pattern, String(get(pattern)).replace("([Zz]|[+-][0-9]{2}:[0-9]{2})", "[Zz]"));
    },
    { [`${list}:request:query.after:pattern`]: "clients" },
  ],
  [
    "a text has a length by its pattern",
    change(`${P}/search/schema/pattern`, "^.{0,500}$"),
    { [`${list}:request:query.search:pattern`]: "clients" },
  ],
  [
    "a text is plain ASCII",
    change(`${BODY}/properties/workflowId/pattern`, "^[ -~]*$"),
    { [`${update}:request:body.workflowId:pattern`]: "clients" },
  ],
  [
    "a number has two decimal places",
    change(`${S}/NotificationPage/properties/page`, { type: "number", minimum: 0, multipleOf: 0.01 }),
    { [`${list}:response:200/body.page:multipleOf`]: "implementations" },
    { base: change(`${S}/NotificationPage/properties/page`, { type: "number", minimum: 0 }) },
  ],
  [
    "a number has 32 bits",
    change(`${S}/NotificationPage/properties/page/format`, "int32"),
    { [`${list}:response:200/body.page:format`]: "implementations" },
  ],
  [
    "one value is excluded",
    change(`${BODY}/properties/workflowId/not`, { const: "comment-mention" }),
    { [`${update}:request:body.workflowId:not`]: "clients" },
  ],
  [
    "alternatives of a text",
    change(`${BODY}/properties/workflowId/anyOf`, [{ pattern: "^[a-z-]+$" }, { pattern: "^[0-9a-f]{24}$" }]),
    { [`${update}:request:body.workflowId:anyOf`]: "clients" },
  ],
  [
    "one of two lengths",
    change(`${P}/search/schema/oneOf`, [{ maxLength: 3 }, { minLength: 3 }]),
    { [`${list}:request:query.search:oneOf`]: "clients" },
  ],
  [
    "a condition with a consequence",
    ({ set }) => {
      set(`${BODY}/if`, { required: ["workflowId"] });
      set(`${BODY}/then`, { properties: { channels: { minProperties: 1 } } });
    },
    { [`${update}:request:body:if`]: "clients" },
  ],
  [
    "a condition otherwise",
    ({ set }) => {
      set(`${BODY}/if`, { required: ["workflowId"] });
      set(`${BODY}/else`, { properties: { channels: { maxProperties: 1 } } });
    },
    { [`${update}:request:body:if`]: "clients" },
  ],
  [
    "a schema for what comes with a member",
    change(`${BODY}/dependentSchemas`, { workflowId: { properties: { channels: { minProperties: 1 } } } }),
    { [`${update}:request:body:dependentSchemas`]: "clients" },
  ],
  [
    "a list contains a value",
    change(`${S}/Notification/properties/tags/contains`, { const: "a" }),
    { [`${list}:response:200/body.data[].tags:contains`]: "implementations" },
  ],
  [
    "a shared object is never empty",
    change(`${S}/ChannelPreferences/minProperties`, 1),
    {
      [`${update}:request:body.channels:minProperties`]: "clients",
      [`${update}:response:200/body.global.channels:minProperties`]: "implementations",
    },
  ],
  [
    "items have a format",
    change(`${P}/emails/schema/items/format`, "email"),
    { [`${list}:request:query.emails[]:format`]: "clients" },
  ],
  [
    "a response header is any text",
    change("components/headers/Retry-After/schema", { type: "string" }),
    { [`${update}:response:409/header.retry-after:type`]: "clients" },
  ],
  [
    "a response header has a bound",
    change("components/headers/RateLimit-Limit/schema/maximum", 1000),
    { [`${update}:response:200/header.ratelimit-limit:maximum`]: "implementations" },
  ],
  [
    "another status for success",
    ({ get, set }) => {
      const { 200: success, ...others } = get("LIST/responses") as Record<string, unknown>;
      set("LIST/responses", { 201: success, ...others });
    },
    { [`${list}:response:200:existence`]: "implementations", [`${list}:response:201:existence`]: "clients" },
  ],
  [
    "the body is no longer read",
    drop("UPDATE/requestBody"),
    { [`${update}:request:body:existence`]: "both" },
    { unproven: "the reference server's handler needs a body" },
  ],
  [
    "a parameter moves to the headers",
    change(`${P}/topicKey/in`, "header"),
    {
      [`${list}:request:query.topicKey:existence`]: "clients",
      [`${list}:request:header.topickey:existence`]: "neither",
    },
  ],
  [
    "a parameter has another name",
    change(`${P}/limit/name`, "pageSize"),
    {
      [`${list}:request:query.limit:existence`]: "clients",
      [`${list}:request:query.pageSize:existence`]: "implementations",
    },
    { unproven: "the reference server's handler reads `limit`" },
  ],
  [
    "a path parameter is one of a few",
    change(`${P}/subscriberId/schema/enum`, ["ines-moreau"]),
    { [`${update}:request:path.subscriberId:enum`]: "clients" },
  ],
  [
    "fewer values beside a reference",
    change(`${S}/PreferenceOverride/properties/channel/enum`, ["email", "sms"]),
    { [`${update}:response:200/body.workflows[].overrides[].channel:enum`]: "implementations" },
  ],
  [
    "a text deep inside is never empty",
    change(`${S}/StepFilterCondition/properties/field/minLength`, 1),
    { [`${list}:response:200/body.data[].jobs[].step.filters[].children[].field:minLength`]: "implementations" },
  ],
  [
    "a member of a schema that contains itself may be null",
    change(`${S}/JobStep/properties/name/type`, ["string", "null"]),
    { [`${list}:response:200/body.data[].jobs[].step.name:type`]: "clients" },
  ],
  [
    "a member that only requests have",
    change(`${S}/NotificationPage/properties/hasMore/writeOnly`, true),
    { [`${list}:response:200/body.hasMore:properties`]: "both" },
    { unproven: "the reference server does not read writeOnly" },
  ],
  [
    "a member that only responses have",
    change(`${BODY}/properties/workflowId/readOnly`, true),
    { [`${update}:request:body.workflowId:properties`]: "clients" },
  ],
  [
    "a required member that only responses have",
    change(`${BODY}/properties/channels/readOnly`, true),
    { [`${update}:request:body.channels:properties`]: "both" },
    { unproven: "the reference server's handler needs the member" },
  ],
  [
    "another media type is read too",
    ({ get, set }) => set("UPDATE/requestBody/content/text~1json", get("UPDATE/requestBody/content/application~1json")),
    {
      [`${update}:request:body/as/text/json:content`]: "implementations",
      "unchecked:paths//v2/subscribers/{subscriberId}/preferences/patch/requestBody/content/text/json": "undecided",
    },
    { unproven: "the reference server reads application/json alone, whatever the contract says" },
  ],
  [
    "responses have another media type",
    ({ get, set }) => {
      const { "application/json": media } = get("LIST/responses/200/content") as Record<string, unknown>;
      set("LIST/responses/200/content", { "application/vnd.api+json": media });
    },
    {
      [`${list}:response:200/body/as/application/json:content`]: "implementations",
      [`${list}:response:200/body/as/application/vnd.api+json:content`]: "clients",
    },
    { unproven: "the reference server sends application/json alone, whatever the contract says" },
  ],
  [
    "an empty value is a value",
    drop(`${P}/transactionId/allowEmptyValue`),
    { [`${list}:request:query.transactionId:allowEmptyValue`]: "both" },
    { unproven: "the reference server takes every empty value for none" },
  ],
  [
    "an empty list is no list",
    drop(`${P}/channels/allowEmptyValue`),
    { [`${list}:request:query.channels:allowEmptyValue`]: "clients" },
    { unproven: "the reference server takes every empty value for none" },
  ],
  [
    "a blank becomes a plus sign",
    change(`${P}/search/x-literal-plus`, true),
    { [`${list}:request:query.search:x-literal-plus`]: "both" },
    { unproven: "no record of the seed has the text in its address" },
  ],
  [
    "a response for all other statuses",
    change("LIST/responses/default", { description: "Any other.", "x-decision": "D-48" }),
    { [`${list}:response:default:existence`]: "clients" },
    { unproven: "the reference server sends no such status" },
  ],
];

export const KEYWORD_EDITS: EditRow[] = [
  ...SAME.map(([title, edit]) => ({ title: `no difference: ${title}`, edit, want: {} })),
  ...OTHER.map(([title, edit, want, more]) => ({ title, edit, want, ...more })),
];
