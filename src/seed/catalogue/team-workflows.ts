// Workflows triggered by people on a board: mentions, tasks, and digests of them.

import { delayBy, isLastFriday, isMonday, nextDayAt } from "./schedule.js";
import { chat, digestStep, email, inApp, push } from "./steps.js";
import type { WorkflowDefinition } from "./workflow-definition.js";

const HOUR = 3_600_000;

export const TEAM_WORKFLOWS: WorkflowDefinition[] = [
  {
    identifier: "comment-mention",
    name: "Comment Mention",
    origin: "novu-cloud",
    tags: ["conversation"],
    createdAt: "2024-09-11T01:25:54.412Z",
    updatedAt: "2026-10-01T09:00:00.000Z",
    variables: ["actorName", "projectName", "taskTitle", "excerpt"],
    steps: [
      inApp("{{payload.actorName}} mentioned you in {{payload.taskTitle}}"),
      email("sendgrid", "{{payload.actorName}} mentioned you", {
        filters: [
          {
            isNegated: false,
            type: "GROUP",
            value: "AND",
            children: [{ field: "projectName", value: "Low Tide", operator: "NOT_EQUAL", on: "payload" }],
          },
        ],
        replyCallback: { active: true, url: "https://tidepool.example.com/replies" },
      }),
      push(),
    ],
    severity: "low",
    traffic: 26,
    audience: 2,
  },
  {
    identifier: "task-assigned",
    name: "Task Assigned",
    origin: "novu-cloud",
    tags: ["tasks"],
    createdAt: "2024-09-18T09:40:12.038Z",
    updatedAt: "2026-06-22T14:05:31.770Z",
    variables: ["actorName", "projectName", "taskTitle", "dueOn"],
    steps: [
      inApp("{{payload.actorName}} gave you {{payload.taskTitle}}"),
      email("sendgrid", "New task: {{payload.taskTitle}}"),
      chat(),
    ],
    severity: "medium",
    traffic: 22,
  },
  {
    identifier: "weekly-digest",
    name: "Weekly Digest",
    origin: "novu-cloud",
    tags: ["summary"],
    createdAt: "2025-01-13T08:00:41.015Z",
    updatedAt: "2026-08-03T12:44:09.336Z",
    variables: ["actorName", "activity", "projectName"],
    steps: [
      digestStep(
        "Until Monday",
        { type: "timed", amount: 1, unit: "weeks", timed: { weekDays: ["monday"], atTime: "09:00" } },
        nextDayAt(9, isMonday),
      ),
      email("ses", "Your week in Tidepool", {
        variants: [
          {
            _id: "6784c8290c4b3d5e6f708f01",
            active: true,
            filters: [
              {
                isNegated: false,
                type: "GROUP",
                value: "OR",
                children: [{ field: "locale", value: "fr", operator: "LIKE", on: "subscriber" }],
              },
            ],
            _templateId: "6784c8290c4b3d5e6f708f02",
            name: "In French",
          },
        ],
      }),
    ],
    traffic: 8,
  },
  {
    // A delay first.
    identifier: "due-date-reminder",
    name: "Due Date Reminder",
    origin: "novu-cloud",
    tags: ["tasks", "reminder"],
    createdAt: "2025-02-24T15:27:33.690Z",
    updatedAt: "2026-03-17T10:11:52.271Z",
    variables: ["taskTitle", "projectName", "dueOn"],
    steps: [
      {
        type: "delay",
        name: "Wait four hours",
        providerId: "novu",
        step: { metadata: { type: "regular", amount: 4, unit: "hours" } },
        until: delayBy(4 * HOUR),
      },
      inApp("{{payload.taskTitle}} is due {{payload.dueOn}}"),
      push(),
    ],
    severity: "medium",
    traffic: 9,
  },
  {
    // The code disables e-mail until a subscriber enables it.
    identifier: "project-update",
    name: "Project Update",
    origin: "external",
    tags: ["projects"],
    createdAt: "2025-05-12T09:18:06.129Z",
    updatedAt: "2026-09-08T07:36:48.950Z",
    variables: ["actorName", "projectName", "summary"],
    steps: [
      inApp("{{payload.projectName}}: {{payload.summary}}"),
      email("ses", "News of {{payload.projectName}}", {
        controlVariables: { subject: "News of {{payload.projectName}}", showLogo: true },
      }),
      chat(),
    ],
    defaults: { code: { enabled: true, channels: { email: false } } },
    severity: "low",
    traffic: 8,
    audience: 6,
  },
  {
    identifier: "team-retrospective",
    name: "Rétrospective d’équipe",
    origin: "novu-cloud",
    tags: ["summary"],
    createdAt: "2026-01-19T16:45:59.210Z",
    updatedAt: "2026-05-04T08:21:36.743Z",
    variables: ["actorName", "idea"],
    steps: [
      digestStep(
        "Until the last Friday",
        {
          type: "timed",
          amount: 1,
          unit: "months",
          timed: { monthlyType: "on", ordinal: "last", ordinalValue: "friday", atTime: "14:00" },
        },
        nextDayAt(14, isLastFriday),
      ),
      inApp("Les idées de la rétrospective sont prêtes"),
      email("sendgrid", "Rétrospective : {{step.digest.events.length}} idées"),
    ],
    traffic: 3,
  },
  {
    identifier: "thread-activity",
    name: "Thread Activity",
    origin: "novu-cloud",
    tags: ["conversation", "summary"],
    createdAt: "2026-06-15T11:34:02.658Z",
    updatedAt: "2026-10-22T09:15:40.199Z",
    variables: ["actorName", "threadTitle", "excerpt"],
    steps: [
      digestStep(
        "Half an hour of a thread",
        {
          type: "backoff",
          digestKey: "threadTitle",
          amount: 30,
          unit: "minutes",
          backoff: true,
          backoffAmount: 1,
          backoffUnit: "hours",
          updateMode: false,
        },
        delayBy(HOUR / 2),
      ),
      inApp("{{step.digest.events.length}} replies in {{payload.threadTitle}}"),
    ],
    severity: "low",
    traffic: 7,
  },
];
