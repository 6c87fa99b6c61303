// Edits as people make them every day, judged before the review had seen them.
import { all, BODY, CONTENT, change, drop, having, lacking, listed, moved, P, S, withMember } from "./contract-edit.js";
import {
  body,
  type EditRow,
  type KeywordRow,
  list,
  page,
  preferences,
  query,
  toKeywordEdit,
  update,
} from "./contract-edits.js";

const OVERRIDE = `${preferences}.workflows[].overrides[].channel`;
/** Edits of one keyword: its place, its value (undefined removes it), where it shows in messages, and whom it breaks. */
const KEYWORDS: KeywordRow[] = [
  [`${P}/page/schema/type`, "number", `${query}.page`, "implementations"],
  [`${P}/search/schema/minLength`, 2, `${query}.search`, "clients"],
  [`${P}/templates/schema/items/pattern`, "^[0-9a-f]{24}$", `${query}.templates[]`, "clients"],
  [`${P}/idempotencyKey/required`, true, `${update}:request:header.idempotency-key`, "clients"],
  [`${P}/after/deprecated`, true, `${query}.after`, "neither"],
  [`${BODY}/properties/workflowId/type`, ["string", "null"], `${body}.workflowId`, "implementations"],
  [`${S}/Preferences/properties/workflows/maxItems`, 500, `${preferences}.workflows`, "clients"],
  [
    `${S}/WorkflowReference/properties/name/type`,
    ["string", "null"],
    `${preferences}.workflows[].workflow.name`,
    "clients",
  ],
  [`${S}/Notification/properties/severity/enum`, undefined, `${page}.data[].severity`, "clients"],
  [`${S}/JobDigest/properties/amount/type`, "integer", `${page}.data[].jobs[].digest.amount`, "implementations"],
  [`${S}/PreferenceOverride/properties/channel/enum`, ["email", "sms"], OVERRIDE, "implementations"],
  ["components/headers/Retry-After/required", false, `${update}:response:409/header.retry-after`, "clients"],
  [`${S}/Notification/properties/channels/minItems`, 1, `${page}.data[].channels`, "implementations"],
  // Other keywords of JSON Schema.
  [`${BODY}/properties/workflowId/not`, { const: "comment-mention" }, `${body}.workflowId`, "clients"],
  [
    `${BODY}/properties/workflowId/anyOf`,
    [{ pattern: "^[a-z-]+$" }, { pattern: "^[0-9a-f]{24}$" }],
    `${body}.workflowId`,
    "clients",
  ],
  [`${S}/Notification/properties/tags/contains`, { const: "a" }, `${page}.data[].tags`, "implementations"],
  [`${P}/subscriberId/style`, "label", `${update}:request:path.subscriberId`, "undecided"],
];

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
  [
    "a list of at least one, which no query can write without",
    change(`${P}/emails/schema/minItems`, 1),
    { equivalent: "equivalent" },
  ],
  ["every update has a reason", withMember(BODY, "reason"), { [`${update}:request:body.reason:properties`]: "both" }],
  [
    "each update names a workflow",
    listed(`${S}/PreferencesUpdate/required`, having("workflowId")),
    { [`${update}:request:body.workflowId:required`]: "clients" },
  ],
  [
    "another media type of updates",
    change(`${CONTENT}/application~1merge-patch+json`, { schema: { type: "object" } }),
    { [`${update}:request:body/as/application/merge-patch+json:content`]: "implementations" },
  ],
];

const IN_RESPONSES: typeof IN_REQUESTS = [
  [
    "updatedAt is always there",
    listed(`${S}/WorkflowReference/required`, having("updatedAt")),
    { [`${preferences}.workflows[].workflow.updatedAt:required`]: "implementations" },
  ],
  [
    "a total that is always there",
    withMember(`${S}/NotificationPage`, "total", { type: "integer", "x-decision": "D-23" }),
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
    "Retry-After is a text",
    change("components/headers/Retry-After/schema", { type: "string" }),
    { [`${update}:response:409/header.retry-after:type`]: "clients" },
  ],
  [
    "a list as CSV",
    change("LIST/responses/200/content/text~1csv", { schema: { type: "string" } }),
    { [`${list}:response:200/body/as/text/csv:content`]: "clients" },
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
    "a required member inside a list is renamed",
    all(
      moved(`${S}/WorkflowReference/properties/slug`, `${S}/WorkflowReference/properties/handle`),
      listed(`${S}/WorkflowReference/required`, (names) => having("handle")(lacking("slug")(names))),
    ),
    {
      [`${preferences}.workflows[].workflow.slug:properties`]: "both",
      [`${preferences}.workflows[].workflow.handle:properties`]: "both",
    },
  ],
];

/** Why no server shows it. */
const UNPROVEN: Readonly<Record<string, string>> = {
  [`${P}/page/schema/type is "number"`]: "a response repeats the page as a whole number",
  "another media type of updates": "the reference server reads application/json alone, whatever the contract says",
  "a list as CSV": "the reference server sends application/json alone, whatever the contract says",
  "nothing to return": "an example needs a body",
  "an update returns nothing": "an example needs a body",
};

export const EVERYDAY_EDITS: readonly EditRow[] = [...KEYWORDS.map(toKeywordEdit), ...IN_REQUESTS, ...IN_RESPONSES].map(
  ([title, edit, want]) => ({ title, edit, want, ...(UNPROVEN[title] ? { unproven: UNPROVEN[title] } : {}) }),
);
