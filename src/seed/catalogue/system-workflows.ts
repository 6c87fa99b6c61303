// Workflows triggered by Tidepool itself: sign-in, bills, deploys, incidents and news. And one deleted workflow.

import { delayBy, isHalfMonth, nextDayAt } from "./schedule.js";
import { chat, digestStep, email, inApp, push, sms } from "./steps.js";
import type { WorkflowDefinition } from "./workflow-definition.js";

const HOUR = 3_600_000;

export const SYSTEM_WORKFLOWS: WorkflowDefinition[] = [
  {
    // SMS only.
    identifier: "sign-in-code",
    name: "Sign-in Code",
    origin: "novu-cloud",
    tags: ["security"],
    createdAt: "2024-10-02T07:15:00.901Z",
    updatedAt: "2025-02-11T16:20:45.118Z",
    variables: ["code", "expiresInMinutes"],
    steps: [sms()],
    severity: "high",
    traffic: 11,
  },
  {
    // Critical: read-only from the dashboard. Updates are rejected.
    identifier: "password-reset",
    name: "Password Reset",
    origin: "novu-cloud",
    tags: ["security"],
    createdAt: "2024-10-02T07:32:27.350Z",
    updatedAt: "2025-02-11T16:24:02.604Z",
    variables: ["resetUrl", "expiresInMinutes"],
    steps: [email("ses", "Reset your Tidepool password")],
    defaults: { dashboard: { enabled: true, readOnly: true } },
    severity: "high",
    traffic: 3,
  },
  {
    // Inactive: not listed, and nothing is sent.
    identifier: "legacy-newsletter",
    name: "Tidepool Newsletter (old)",
    active: false,
    origin: "novu-cloud-v1",
    tags: ["news", "marketing"],
    createdAt: "2024-11-20T11:03:58.227Z",
    updatedAt: "2026-10-12T08:00:19.482Z",
    variables: ["highlight"],
    steps: [
      digestStep(
        "Once a month",
        { type: "timed", timed: { cronExpression: "0 8 1 * *", untilDate: "2026-12-31T00:00:00.000Z" } },
        delayBy(HOUR),
      ),
      email("sendgrid", "This month: {{payload.highlight}}"),
    ],
    traffic: 0,
  },
  {
    // Read-only by its code alone: not listed, but not critical either.
    identifier: "billing-receipt",
    name: "Billing Receipt",
    origin: "external",
    tags: ["billing"],
    createdAt: "2025-03-31T13:55:20.844Z",
    updatedAt: "2025-03-31T13:55:20.844Z",
    variables: ["invoiceNumber", "amount"],
    steps: [email("ses", "Receipt {{payload.invoiceNumber}}")],
    defaults: { code: { enabled: true, readOnly: true } },
    traffic: 3,
    transactionPrefix: "invoice",
  },
  {
    // The dashboard extends the code: the code enables in-app only, the dashboard adds e-mail.
    identifier: "release-notes",
    name: "Release Notes",
    origin: "external",
    tags: ["news"],
    createdAt: "2025-08-04T10:00:00.003Z",
    updatedAt: "2026-10-19T15:48:27.511Z",
    variables: ["version", "highlight"],
    steps: [
      inApp("Tidepool {{payload.version}}: {{payload.highlight}}"),
      email("ses", "What is new in Tidepool {{payload.version}}"),
      push(),
    ],
    defaults: { code: { enabled: false, channels: { in_app: true } }, dashboard: { channels: { email: true } } },
    traffic: 2,
    audience: 6,
  },
  {
    // Its SMS step is inactive, so that the channel is not listed.
    identifier: "deploy-finished",
    name: "Deploy Finished",
    origin: "novu-cloud",
    tags: ["engineering"],
    createdAt: "2025-10-20T12:30:15.466Z",
    updatedAt: "2026-04-29T18:02:10.087Z",
    variables: ["projectName", "target", "commit", "durationSeconds"],
    steps: [inApp("{{payload.commit}} is on {{payload.target}}"), { ...sms(), active: false }, chat()],
    traffic: 6,
    audience: 5,
    transactionPrefix: "deploy",
  },
  {
    // A step of its own first, which --throttle makes a throttle; then four channels at once.
    identifier: "incident-alert",
    name: "Incident Alert",
    origin: "novu-cloud",
    tags: ["engineering", "on-call"],
    createdAt: "2026-03-02T05:10:37.925Z",
    updatedAt: "2026-09-21T22:57:14.002Z",
    variables: ["incidentTitle", "service"],
    steps: [
      {
        type: "custom",
        name: "One in ten minutes",
        providerId: "novu",
        step: { metadata: { amount: 10, unit: "minutes", threshold: 1 } },
      },
      inApp("{{payload.incidentTitle}}"),
      sms(),
      push(),
      chat(),
    ],
    severity: "high",
    traffic: 2,
    audience: 4,
  },
  {
    // A name without any letter that a slug keeps; and a step with an issue.
    identifier: "shiodamari-news",
    name: "潮だまり便り",
    origin: "novu-cloud",
    tags: ["news"],
    createdAt: "2026-09-07T02:08:11.574Z",
    updatedAt: "2026-10-05T03:30:28.816Z",
    variables: ["headline"],
    steps: [
      digestStep(
        "1st and 15th",
        {
          type: "timed",
          amount: 1,
          unit: "months",
          timed: { monthlyType: "each", monthDays: [1, 15], atTime: "00:00" },
        },
        nextDayAt(0, isHalfMonth),
      ),
      email("sendgrid", "{{payload.headline}}", {
        issues: { controls: { body: [{ issueType: "MISSING_VALUE", message: "The body is empty" }] } },
      }),
    ],
    traffic: 2,
  },
];

/** Deleted: only notifications still refer to it. */
export const DELETED_DEFINITION: WorkflowDefinition = {
  identifier: "beta-survey",
  name: "Beta Survey",
  origin: "novu-cloud",
  tags: ["research"],
  createdAt: "2026-02-10T14:00:22.731Z",
  updatedAt: "2026-08-25T13:12:00.045Z",
  variables: ["surveyTitle"],
  steps: [inApp("{{payload.surveyTitle}}"), email("sendgrid", "{{payload.surveyTitle}}")],
  traffic: 0,
};
