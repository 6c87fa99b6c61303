// Edits against what a clause or a decision states, and versions: whether they need --allow, and why.
import { DOCUMENT } from "../../support/edited-contract.js";
import { all, change, type Edit, P, S } from "./contract-edit.js";
import { type EditRow, list, update } from "./contract-edits.js";

const toVersion = (version: string) => change("info/version", version);
const [major = 0] = DOCUMENT.info.version.split(".").map(Number);

/** One change of the wire; the reasons are the change itself, `version` where it is compatible, and others. */
const AGAINST: [title: string, edit: Edit, id: string, EditRow["want"][string], others?: string[]][] = [
  [
    "longer keys than D-62 allows, and than are echoed",
    change(`${P}/idempotencyKey/schema/maxLength`, 512),
    `${update}:request:header.idempotency-key:maxLength`,
    "implementations",
    ["lint:agreements:components/headers/Idempotency-Key/schema/maxLength"],
  ],
  [
    "an empty limit, which D-29 rejects",
    change(`${P}/limit/allowEmptyValue`, true),
    `${list}:request:query.limit:allowEmptyValue`,
    "implementations",
  ],
];

const OWN: EditRow[] = [
  {
    title: "a decision and the bound that it is about change together: the decision is the reason",
    edit: all(
      change("x-decisions/D-29/answer", "Whole numbers, pages of up to a hundred."),
      change(`${P}/limit/schema/maximum`, 100),
      change(`${S}/NotificationPage/properties/pageSize/maximum`, 100),
      change(`${S}/NotificationPage/properties/data/maxItems`, 100),
      toVersion(`${major + 1}.0.0`),
    ),
    want: {
      [`${list}:request:query.limit:maximum`]: "implementations",
      [`${list}:response:200/body.pageSize:maximum`]: "clients",
      [`${list}:response:200/body.data:maxItems`]: "clients",
    },
    reasons: ["decision:D-29"],
  },
  {
    title: "the text of a place that no decision is about",
    edit: change(`${S}/WorkflowReference/properties/name/description`, "What people call the workflow."),
    want: { [`text:${S}/WorkflowReference/properties/name/description`]: "editorial" },
    reasons: [],
  },
];

export const DECIDED_EDITS: EditRow[] = [
  ...AGAINST.map(([title, edit, id, verdict, others = []]) => ({
    ...{ title, edit, want: { [id]: verdict }, reasons: [id, "version", ...others] },
    unproven: "the reference server follows its decisions, whatever the contract says",
  })),
  ...OWN,
];
