// Edits as people make them every day, judged before the review had seen them.
import { BODY, change, drop, type EditRow, having, list, listed, P, S, update } from "./contract-edits.js";

const page = `${list}:response:200/body`;
const preferences = `${update}:response:200/body`;
const DETAILS = "data[].jobs[].executionDetails[]";

const IN_REQUESTS: [title: string, edit: EditRow["edit"], want: EditRow["want"]][] = [
  [
    "an update is of all workflows or of one",
    ({ get, set }) => {
      const { workflowId, ...others } = get(`${BODY}/properties`) as Record<string, object>;
      const closed = { type: "object", additionalProperties: false };
      set(BODY, {
        oneOf: [
          { ...closed, required: ["channels"], properties: others },
          { ...closed, required: ["channels", "workflowId"], properties: { ...others, workflowId } },
        ],
      });
    },
    { equivalent: "equivalent" },
  ],
  ["a last page", change(`${P}/page/schema/maximum`, 1000), { [`${list}:request:query.page:maximum`]: "clients" }],
  [
    "page may have a fraction",
    change(`${P}/page/schema/type`, "number"),
    { [`${list}:request:query.page:type`]: "implementations" },
  ],
  [
    "search of two letters at least",
    change(`${P}/search/schema/minLength`, 2),
    { [`${list}:request:query.search:minLength`]: "clients" },
  ],
  [
    "search of a hundred letters at most",
    change(`${P}/search/schema/maxLength`, 100),
    { [`${list}:request:query.search:maxLength`]: "clients" },
  ],
  [
    "a form of topic keys",
    change(`${P}/topicKey/schema/pattern`, "^[a-z-]+$"),
    { [`${list}:request:query.topicKey:pattern`]: "clients" },
  ],
  [
    "transactions are UUIDs",
    change(`${P}/transactionId/schema/format`, "uuid"),
    { [`${list}:request:query.transactionId:format`]: "clients" },
  ],
  [
    "emails are addresses",
    change(`${P}/emails/schema/items/format`, "email"),
    { [`${list}:request:query.emails[]:format`]: "clients" },
  ],
  [
    "more emails",
    change(`${P}/emails/schema/maxItems`, 50),
    { [`${list}:request:query.emails:maxItems`]: "implementations" },
  ],
  [
    "a list of at least one, which no query can write without",
    change(`${P}/emails/schema/minItems`, 1),
    { equivalent: "equivalent" },
  ],
  [
    "ids of templates in lower case",
    change(`${P}/templates/schema/items/pattern`, "^[0-9a-f]{24}$"),
    { [`${list}:request:query.templates[]:pattern`]: "clients" },
  ],
  [
    "shorter ids of subscribers",
    change(`${P}/subscriberId/schema/maxLength`, 100),
    { [`${update}:request:path.subscriberId:maxLength`]: "clients" },
  ],
  [
    "ids of subscribers without a slash",
    change(`${P}/subscriberId/schema/pattern`, "^[^/]+$"),
    { [`${update}:request:path.subscriberId:pattern`]: "clients" },
  ],
  [
    "a key for each update",
    change(`${P}/idempotencyKey/required`, true),
    { [`${update}:request:header.idempotency-key:required`]: "clients" },
  ],
  [
    "every update has a reason",
    ({ get, set }) => {
      set(`${BODY}/properties/reason`, { type: "string", "x-decision": "D-03" });
      set(`${BODY}/required`, having("reason")(get(`${BODY}/required`) as unknown[]));
    },
    { [`${update}:request:body.reason:properties`]: "both" },
  ],
  [
    "after goes out of use",
    change(`${P}/after/deprecated`, true),
    { [`${list}:request:query.after:deprecated`]: "neither" },
  ],
  [
    "shorter names of workflows",
    change(`${S}/PreferencesUpdate/properties/workflowId/maxLength`, 64),
    { [`${update}:request:body.workflowId:maxLength`]: "clients" },
  ],
  [
    "null for no workflow",
    change(`${S}/PreferencesUpdate/properties/workflowId/type`, ["string", "null"]),
    { [`${update}:request:body.workflowId:type`]: "implementations" },
  ],
  [
    "each update names a workflow",
    listed(`${S}/PreferencesUpdate/required`, having("workflowId")),
    { [`${update}:request:body.workflowId:required`]: "clients" },
  ],
  [
    "another media type of updates",
    change("UPDATE/requestBody/content/application~1merge-patch+json", { schema: { type: "object" } }),
    { [`${update}:request:body/as/application/merge-patch+json:content`]: "implementations" },
  ],
  [
    "the list needs no key",
    change("LIST/security", [{}]),
    { [`${list}:request:the/operation:security`]: "implementations" },
  ],
];

const IN_BOTH: typeof IN_REQUESTS = [
  [
    "email is always said",
    change(`${S}/ChannelPreferences/required`, ["email"]),
    {
      [`${update}:request:body.channels.email:required`]: "clients",
      [`${preferences}.global.channels.email:required`]: "implementations",
    },
  ],
  [
    "a channel more",
    change(`${S}/ChannelPreferences/properties/whatsapp`, { type: "boolean", "x-decision": "D-03" }),
    {
      [`${update}:request:body.channels.whatsapp:properties`]: "implementations",
      [`${preferences}.global.channels.whatsapp:properties`]: "clients",
    },
  ],
  [
    "no update of nothing",
    change(`${S}/ChannelPreferences/minProperties`, 1),
    {
      [`${update}:request:body.channels:minProperties`]: "clients",
      [`${preferences}.global.channels:minProperties`]: "implementations",
    },
  ],
];

const IN_RESPONSES: typeof IN_REQUESTS = [
  [
    "more workflows",
    change(`${S}/Preferences/properties/workflows/maxItems`, 500),
    { [`${preferences}.workflows:maxItems`]: "clients" },
  ],
  [
    "fewer workflows",
    change(`${S}/Preferences/properties/workflows/maxItems`, 100),
    { [`${preferences}.workflows:maxItems`]: "implementations" },
  ],
  [
    "a slug may be empty",
    drop(`${S}/WorkflowReference/properties/slug/minLength`),
    { [`${preferences}.workflows[].workflow.slug:minLength`]: "clients" },
  ],
  [
    "updatedAt is always there",
    listed(`${S}/WorkflowReference/required`, having("updatedAt")),
    { [`${preferences}.workflows[].workflow.updatedAt:required`]: "implementations" },
  ],
  [
    "a name may be null",
    change(`${S}/WorkflowReference/properties/name/type`, ["string", "null"]),
    { [`${preferences}.workflows[].workflow.name:type`]: "clients" },
  ],
  [
    "a total",
    change(`${S}/NotificationPage/properties/total`, { type: "integer", "x-decision": "D-23" }),
    { [`${page}.total:properties`]: "clients" },
  ],
  [
    "a total that is always there",
    ({ get, set }) => {
      set(`${S}/NotificationPage/properties/total`, { type: "integer", "x-decision": "D-23" });
      set(`${S}/NotificationPage/required`, having("total")(get(`${S}/NotificationPage/required`) as unknown[]));
    },
    { [`${page}.total:properties`]: "both" },
  ],
  [
    "texts alone in payload",
    change(`${S}/Notification/properties/payload/additionalProperties`, { type: "string" }),
    { [`${page}.data[].payload.*:type`]: "implementations" },
  ],
  [
    "a severity more",
    listed(`${S}/Notification/properties/severity/enum`, having("critical")),
    { [`${page}.data[].severity:enum`]: "clients" },
  ],
  [
    "severity is any text",
    drop(`${S}/Notification/properties/severity/enum`),
    { [`${page}.data[].severity:enum`]: "clients" },
  ],
  [
    "raw is never null",
    change(`${S}/ExecutionDetail/properties/raw/type`, "string"),
    { [`${page}.${DETAILS}.raw:type`]: "implementations" },
  ],
  [
    "whole amounts",
    change(`${S}/JobDigest/properties/amount/type`, "integer"),
    { [`${page}.data[].jobs[].digest.amount:type`]: "implementations" },
  ],
  [
    "ten extensions at most",
    change(`${S}/NotificationJob/properties/scheduleExtensionsCount/maximum`, 10),
    { [`${page}.data[].jobs[].scheduleExtensionsCount:maximum`]: "implementations" },
  ],
  [
    "each error has an id",
    listed(`${S}/ErrorResponse/required`, having("errorId")),
    { [`${update}:response:400/body.errorId:required`]: "implementations" },
  ],
  [
    "a bound of the status that each response narrows anyway",
    drop(`${S}/ErrorResponse/properties/statusCode/maximum`),
    { equivalent: "equivalent" },
  ],
  [
    "a 422 without an error",
    drop(`${S}/ValidationError/properties/errors/minProperties`),
    { [`${update}:response:422/body.errors:minProperties`]: "clients" },
  ],
  [
    "decisions of three digits",
    change(`${S}/Violation/properties/decision/pattern`, "^D-[0-9]{2,3}$"),
    { [`${update}:response:422/body.errors.*.decision:pattern`]: "clients" },
  ],
  [
    "Retry-After may be missing",
    change("components/headers/Retry-After/required", false),
    { [`${update}:response:409/header.retry-after:required`]: "clients" },
  ],
  [
    "Retry-After is a text",
    change("components/headers/Retry-After/schema", { type: "string" }),
    { [`${update}:response:409/header.retry-after:type`]: "clients" },
  ],
  [
    "a header less",
    drop("LIST/responses/200/headers/RateLimit-Limit"),
    { [`${list}:response:200/header.ratelimit-limit:existence`]: "implementations" },
  ],
  [
    "a list as CSV",
    change("LIST/responses/200/content/text~1csv", { schema: { type: "string" } }),
    { [`${list}:response:200/body/as/text/csv:content`]: "clients" },
  ],
  [
    "critical is never of low severity",
    ({ set }) => {
      set(`${S}/Notification/if`, { properties: { critical: { const: true } }, required: ["critical"] });
      set(`${S}/Notification/then`, { properties: { severity: { enum: ["high", "medium"] } } });
    },
    { [`${page}.data[]:if`]: "implementations" },
  ],
  [
    "an update returns nothing",
    drop("UPDATE/responses/200/content"),
    {
      [`${update}:response:200/body/as/application/json:content`]: "implementations",
      [`${update}:response:200/body:required`]: "clients",
    },
  ],
  [
    "nothing to return",
    change("UPDATE/responses/204", { description: "Done.", "x-decision": "D-48" }),
    { [`${update}:response:204:existence`]: "clients" },
  ],
  [
    "lists as values of a condition",
    change(`${S}/StepFilterCondition/properties/value`, {
      oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    }),
    { [`${page}.data[].jobs[].step.filters[].children[].value:type`]: "clients" },
  ],
  [
    "microseconds",
    change(`${S}/Timestamp/pattern`, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9]\\.[0-9]{3,6}Z$"),
    { [`${preferences}.workflows[].workflow.updatedAt:pattern`]: "clients" },
  ],
  [
    "a required member inside a list is renamed",
    ({ get, set, remove }) => {
      const schema = `${S}/WorkflowReference`;
      const required = get(`${schema}/required`) as string[];
      set(`${schema}/properties/handle`, get(`${schema}/properties/slug`));
      remove(`${schema}/properties/slug`);
      set(`${schema}/required`, [...required.filter((name) => name !== "slug"), "handle"]);
    },
    {
      [`${preferences}.workflows[].workflow.slug:properties`]: "both",
      [`${preferences}.workflows[].workflow.handle:properties`]: "both",
    },
  ],
  [
    "no tag twice",
    change(`${S}/Notification/properties/tags/uniqueItems`, true),
    { [`${page}.data[].tags:uniqueItems`]: "implementations" },
  ],
  [
    "a channel at least",
    change(`${S}/Notification/properties/channels/minItems`, 1),
    { [`${page}.data[].channels:minItems`]: "implementations" },
  ],
];

/** Why no server shows it. */
const UNPROVEN: Readonly<Record<string, string>> = {
  "page may have a fraction": "a response repeats the page as a whole number",
  "another media type of updates": "the reference server reads application/json alone, whatever the contract says",
  "the list needs no key": "the reference server's key check is not read from the contract",
  "a list as CSV": "the reference server sends application/json alone, whatever the contract says",
  "nothing to return": "an example needs a body",
  "an update returns nothing": "an example needs a body",
};

export const EVERYDAY_EDITS: readonly EditRow[] = [...IN_REQUESTS, ...IN_BOTH, ...IN_RESPONSES].map(
  ([title, edit, want]) => ({ title, edit, want, ...(UNPROVEN[title] ? { unproven: UNPROVEN[title] } : {}) }),
);
