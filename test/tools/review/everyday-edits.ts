// Edits as people make them every day, judged before the review had seen them.
import { all, BODY, change, drop, listed, moved, P, requiring, S, withMember, withStatus } from "./contract-edit.js";
import {
  body,
  type EditRow,
  type EditTuple,
  type KeywordRow,
  page,
  preferences,
  query,
  retryAfter,
  toEditRow,
  toKeywordEdit,
  update,
  workflow,
} from "./contract-edits.js";

const OVERRIDE = `${preferences}.workflows[].overrides[].channel`;
const text = { type: "string" };
const RECORD = `${S}/Notification/properties`;
const REFERENCE = `${S}/WorkflowReference`;
const WHOLE_NUMBER = "a response repeats the page as a whole number";
const EMPTY = "the reference server takes every empty value for none";
/**
 * Edits of one keyword: its place, its value (undefined removes it), where it shows in messages, and whom it breaks.
 */
const KEYWORDS: KeywordRow[] = [
  [`${P}/page/schema/type`, "number", `${query}.page`, "implementations", WHOLE_NUMBER],
  [`${P}/search/schema/minLength`, 2, `${query}.search`, "clients"],
  [`${P}/templates/schema/items/pattern`, "^[0-9a-f]{24}$", `${query}.templates[]`, "clients"],
  [`${P}/idempotencyKey/required`, true, `${update}:request:header.idempotency-key`, "clients"],
  [`${P}/after/deprecated`, true, `${query}.after`, "neither"],
  [`${BODY}/properties/workflowId/type`, ["string", "null"], `${body}.workflowId`, "implementations"],
  [`${S}/Preferences/properties/workflows/maxItems`, 500, `${preferences}.workflows`, "clients"],
  [`${REFERENCE}/properties/name/type`, ["string", "null"], `${workflow}.name`, "clients"],
  [`${RECORD}/severity/enum`, undefined, `${page}.data[].severity`, "clients"],
  [`${S}/JobDigest/properties/amount/type`, "integer", `${page}.data[].jobs[].digest.amount`, "implementations"],
  [`${S}/PreferenceOverride/properties/channel/enum`, ["email", "sms"], OVERRIDE, "implementations"],
  ["components/headers/Retry-After/required", false, retryAfter, "clients"],
  [`${RECORD}/channels/minItems`, 1, `${page}.data[].channels`, "implementations"],
  // Other keywords of JSON Schema.
  [`${BODY}/properties/workflowId/not`, { const: "comment-mention" }, `${body}.workflowId`, "clients"],
  [`${BODY}/properties/workflowId/anyOf`, [{ pattern: "^[a-z]+" }, { pattern: "^6" }], `${body}.workflowId`, "clients"],
  [`${RECORD}/tags/contains`, { const: "a" }, `${page}.data[].tags`, "implementations"],
  [`${S}/GlobalPreferences/patternProperties`, { "^x-": text }, `${preferences}.global`, "clients"],
  [`${P}/after/x-literal-plus`, undefined, `${query}.after`, "both"], // a plus sign becomes a blank
  [`${P}/transactionId/allowEmptyValue`, undefined, `${query}.transactionId`, "both", EMPTY],
  [`${P}/search/schema/pattern`, "^(?!zebra[0-9]{5}$)[^]*$", `${query}.search`, "undecided"], // no automaton reads it
];

/** Why no server shows it. */
const ONE_TYPE = { unproven: "the reference server has application/json alone, whatever the contract says" };
const NO_BODY = { unproven: "an example needs a body" };

const IN_REQUESTS: EditTuple[] = [
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
  ["no empty list, which no query can write", change(`${P}/emails/schema/minItems`, 1), { equivalent: "equivalent" }],
  ["every update has a reason", withMember(BODY, "reason"), { [`${body}.reason:properties`]: "both" }],
  ["each update names a workflow", requiring(BODY, "workflowId"), { [`${body}.workflowId:required`]: "clients" }],
  [
    "another media type of updates",
    change("UPDATE/requestBody/content/application~1merge-patch+json", { schema: { type: "object" } }),
    { [`${body}/as/application/merge-patch+json:content`]: "implementations" },
    ONE_TYPE,
  ],
];

const IN_RESPONSES: EditTuple[] = [
  ["updatedAt required", requiring(REFERENCE, "updatedAt"), { [`${workflow}.updatedAt:required`]: "implementations" }],
  ["a total in each page", withMember(`${S}/NotificationPage`, "total"), { [`${page}.total:properties`]: "both" }],
  [
    "texts alone in payload",
    change(`${RECORD}/payload/additionalProperties`, text),
    { [`${page}.data[].payload.*:type`]: "implementations" },
  ],
  [
    "a severity more",
    listed(`${RECORD}/severity/enum`, (values) => [...values, "critical"]),
    { [`${page}.data[].severity:enum`]: "clients" },
  ],
  ["Retry-After as text", change("components/headers/Retry-After/schema", text), { [`${retryAfter}:type`]: "clients" }],
  [
    "a list as CSV",
    change("LIST/responses/200/content/text~1csv", { schema: text }),
    { [`${page}/as/text/csv:content`]: "clients" },
    ONE_TYPE,
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
    NO_BODY,
  ],
  ["no content", withStatus("UPDATE/responses/204"), { [`${update}:response:204:existence`]: "clients" }, NO_BODY],
  [
    "a required member inside a list is renamed",
    all(
      moved(`${REFERENCE}/properties/slug`, `${REFERENCE}/properties/handle`),
      listed(`${REFERENCE}/required`, (names) => names.map((name) => (name === "slug" ? "handle" : name))),
    ),
    { [`${workflow}.slug:properties`]: "both", [`${workflow}.handle:properties`]: "both" },
  ],
];

const ALL: EditTuple[] = [...KEYWORDS.map(toKeywordEdit), ...IN_REQUESTS, ...IN_RESPONSES];
export const EVERYDAY_EDITS: readonly EditRow[] = ALL.map(toEditRow);
