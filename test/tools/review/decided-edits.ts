// Edits against what a clause or a decision states, and versions: whether they need --allow, and why.
import { DOCUMENT } from "../../support/edited-contract.js";
import type { Edit } from "./contract-edit.js";
import {
  BODY,
  change,
  drop,
  type EditRow,
  having,
  lacking,
  list,
  listed,
  P,
  queryParameter,
  S,
  update,
} from "./contract-edits.js";

const all =
  (...edits: Edit[]): Edit =>
  (contract) => {
    for (const edit of edits) edit(contract);
  };
const toVersion = (version: string) => change("info/version", version);
const [major = 0, minor = 0] = DOCUMENT.info.version.split(".").map(Number);

/** One change of the wire; the reasons are the change itself, `version` where it is compatible, and others. */
const AGAINST: [title: string, edit: Edit, id: string, EditRow["want"][string], others?: string[]][] = [
  ["402 is dropped, which D-42 wants", drop("LIST/responses/402"), `${list}:response:402:existence`, "implementations"],
  [
    "404 is dropped, which D-18 wants",
    drop("UPDATE/responses/404"),
    `${update}:response:404:existence`,
    "implementations",
  ],
  [
    "Idempotency-Replay is dropped, which D-61 wants",
    drop("UPDATE/responses/200/headers/Idempotency-Replay"),
    `${update}:response:200/header.idempotency-replay:existence`,
    "implementations",
  ],
  [
    "X-Request-Id is dropped, which D-66 wants",
    drop("LIST/responses/200/headers/X-Request-Id"),
    `${list}:response:200/header.x-request-id:existence`,
    "implementations",
  ],
  [
    "longer keys than D-62 allows, and than are echoed",
    change(`${P}/idempotencyKey/schema/maxLength`, 512),
    `${update}:request:header.idempotency-key:maxLength`,
    "implementations",
    ["lint:agreements:components/headers/Idempotency-Key/schema/maxLength"],
  ],
  [
    "members that D-03 rejects",
    drop(`${BODY}/additionalProperties`),
    `${update}:request:body:additionalProperties`,
    "implementations",
  ],
  [
    "a fractional limit, against D-29",
    change(`${P}/limit/schema/type`, "number"),
    `${list}:request:query.limit:type`,
    "implementations",
  ],
  [
    "larger pages than §8 allows, and than responses hold",
    change(`${P}/limit/schema/maximum`, 100),
    `${list}:request:query.limit:maximum`,
    "implementations",
    ["lint:agreements:components/schemas/NotificationPage/properties/pageSize/maximum"],
  ],
  [
    "pages of nothing, against §8",
    change(`${P}/limit/schema/minimum`, 0),
    `${list}:request:query.limit:minimum`,
    "implementations",
    ["lint:agreements:components/schemas/NotificationPage/properties/pageSize/minimum"],
  ],
  [
    "channels may be missing, which §4.1 requires",
    change(`${BODY}/required`, []),
    `${update}:request:body.channels:required`,
    "implementations",
  ],
  [
    "a severity is dropped, which D-70 has",
    change(`${S}/Notification/properties/severity/enum`, ["high", "medium", "low"]),
    `${list}:response:200/body.data[].severity:enum`,
    "implementations",
  ],
  [
    "no key is needed, against §5.1",
    change("security", []),
    `${update}:request:the/operation:security`,
    "implementations",
  ],
  [
    "an empty limit, which D-29 rejects",
    change(`${P}/limit/allowEmptyValue`, true),
    `${list}:request:query.limit:allowEmptyValue`,
    "implementations",
  ],
  [
    "any search is no text any more, against §4.2",
    drop(`${P}/page/schema/minimum`),
    `${list}:request:query.page:minimum`,
    "implementations",
    ["lint:agreements:components/schemas/NotificationPage/properties/page/minimum"],
  ],
];

const OWN: EditRow[] = [
  {
    title: "a decision is answered the other way round",
    edit: change("x-decisions/D-24/answer", "No: the field is always false."),
    want: {},
    reasons: ["decision:D-24"],
  },
  {
    title: "a required member is removed in a new major version",
    edit: all(toVersion(`${major + 1}.0.0`), drop(`${S}/NotificationPage/properties/hasMore`), ({ get, set }) =>
      set(`${S}/NotificationPage/required`, lacking("hasMore")(get(`${S}/NotificationPage/required`) as unknown[])),
    ),
    want: { [`${list}:response:200/body.hasMore:properties`]: "both" },
    reasons: [`${list}:response:200/body.hasMore:properties`],
  },
  { title: "a decision is dropped", edit: drop("x-decisions/D-43"), want: {}, reasons: ["decision:D-43"] },
  {
    title: "a decision is only dated anew",
    edit: all(change("x-decisions/D-24/date", "2027-01-01"), change("x-decisions/D-24/revisit", "never expected")),
    want: {},
    reasons: [],
  },
  {
    title: "a decision's lines are broken elsewhere",
    edit: ({ get, set }) =>
      set("x-decisions/D-42/answer", String(get("x-decisions/D-42/answer")).replaceAll(" ", "\n")),
    want: {},
    reasons: [],
  },
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
    title: "the text of a decided place",
    edit: change(`${P}/limit/description`, "Page size, never more than fifty."),
    want: { [`text:${P}/limit/description`]: "editorial" },
    reasons: [`text:${P}/limit/description`],
  },
  {
    title: "the text of a place that no decision is about",
    edit: change(`${S}/WorkflowReference/properties/name/description`, "What people call the workflow."),
    want: { [`text:${S}/WorkflowReference/properties/name/description`]: "editorial" },
    reasons: [],
  },
  {
    title: "a compatible change in a version of its own",
    edit: all(listed("LIST/parameters", having(queryParameter())), toVersion(`${major}.${minor + 1}.0`)),
    want: { [`${list}:request:query.status:existence`]: "implementations" },
    reasons: [],
  },
  {
    title: "a compatible change without one",
    edit: all(listed("LIST/parameters", having(queryParameter())), toVersion(`${major}.${minor}.99`)),
    want: { [`${list}:request:query.status:existence`]: "implementations" },
    reasons: ["version"],
  },
  {
    title: "a breaking change in a major version",
    edit: all(change(`${P}/limit/schema/default`, 20), toVersion(`${major + 1}.0.0`)),
    want: { [`${list}:request:query.limit:default`]: "both" },
    reasons: [`${list}:request:query.limit:default`],
  },
  {
    title: "a narrower request in a major version",
    edit: all(change(`${P}/search/schema/maxLength`, 20), toVersion(`${major + 1}.0.0-rc.1`)),
    want: { [`${list}:request:query.search:maxLength`]: "clients" },
    reasons: [],
  },
  {
    title: "a breaking change in a minor version",
    edit: all(change(`${P}/search/schema/maxLength`, 20), toVersion(`${major}.${minor + 1}.0`)),
    want: { [`${list}:request:query.search:maxLength`]: "clients" },
    reasons: [`${list}:request:query.search:maxLength`],
  },
  {
    title: "a deprecation is announced by a minor version",
    edit: change(`${P}/emails/deprecated`, true),
    want: { [`${list}:request:query.emails:deprecated`]: "neither" },
    reasons: ["version"],
  },
  {
    title: "a channel that preferences do not have",
    edit: listed(`${S}/Channel/enum`, having("fax")),
    want: {
      [`${list}:request:query.channels[]:enum`]: "implementations",
      [`${update}:response:200/body.workflows[].overrides[].channel:enum`]: "clients",
    },
    reasons: [
      `${update}:response:200/body.workflows[].overrides[].channel:enum`,
      `${list}:request:query.channels[]:enum`,
      "lint:agreements:components/schemas/ChannelPreferences/properties",
    ],
  },
  {
    title: "a status and the one in its body",
    edit: change(
      "components/responses/OutsidePlan/content/application~1json/schema/allOf/1/properties/statusCode/const",
      403,
    ),
    want: { [`${list}:response:402/body.statusCode:const`]: "both" },
    reasons: [
      `${list}:response:402/body.statusCode:const`,
      "lint:agreements:paths//v1/notifications/get/responses/402",
    ],
  },
];

export const DECIDED_EDITS: EditRow[] = [
  ...AGAINST.map(([title, edit, id, verdict, others = []]) => ({
    ...{ title, edit, want: { [id]: verdict }, reasons: [id, "version", ...others] },
    unproven: "the reference server follows its decisions, whatever the contract says",
  })),
  ...OWN,
];
