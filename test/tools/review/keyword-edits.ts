// Edits of any keyword: some change what requests and responses may be, others say the same thing in another way.
import { all, BODY, change, drop, type Edit, moved, P, S } from "./contract-edit.js";
import { type EditRow, list, update } from "./contract-edits.js";

/** Both contracts allow the same requests and responses. */
const SAME: [title: string, edit: Edit][] = [
  [
    "an exclusive bound instead of the next whole number",
    all(change(`${P}/limit/schema/exclusiveMinimum`, 0), drop(`${P}/limit/schema/minimum`)),
  ],
  ["one alternative that is the schema itself", change(`${P}/transactionId/schema/oneOf`, [{ type: "string" }])],
];

/** Rows of one change: edit, id behind the operation, verdict. */
const OTHER: [title: string, edit: Edit, want: EditRow["want"], more?: Partial<EditRow>][] = [
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

export const KEYWORD_EDITS: EditRow[] = [
  ...SAME.map(([title, edit]) => ({ title: `no difference: ${title}`, edit, want: {} })),
  ...OTHER.map(([title, edit, want, more]) => ({ title, edit, want, ...more })),
];
