// Recent events in Tidepool, one transaction per scenario: the cases that every client should handle. plan-traffic.ts adds
// everyday traffic.
import type { ScenarioDetails } from "../notification-spec.js";

export interface Scenario extends ScenarioDetails {
  /** Days, hours and minutes before the seed's `asOf`. */
  ago: readonly [days: number, hours: number, minutes: number];
  /** The workflow's identifier. */
  workflow?: string;
  /** The recipients' subscriberIds. */
  to: readonly string[];
  transactionId?: string;
  topics?: readonly string[];
  payload?: Record<string, unknown>;
  sameInstant?: boolean;
  /** Minutes after the first trigger at which further ones followed; the first one's digest contains them. */
  followedAfter?: readonly number[];
}

const HARBOUR_CREW = ["ines-moreau", "joao-araujo", "crew/night shift", "dmitri-volkov", "haruka-sato"];

export const SCENARIOS: readonly Scenario[] = [
  // Broadcasts: one transaction, many subscribers.
  {
    ago: [3, 23, 0],
    workflow: "release-notes",
    to: ["ines-moreau", "tomas-novak", "eleni-papadaki", "haruka-sato", "layla-haddad", "lucas-moreau"],
    transactionId: "release-4.2.0",
    payload: { version: "4.2.0", highlight: "Timeline view" },
    sameInstant: true,
  },
  {
    ago: [24, 1, 0],
    workflow: "legacy-newsletter",
    to: [
      "ines-moreau",
      "bjorn.aslund@example.com",
      "celine-moreau-petit",
      "oliwia-zielinska",
      "ravi-iyer",
      "siobhan-obrien",
      "peter-lang",
    ],
    transactionId: "newsletter-2026-10",
    payload: { highlight: "Faster boards" },
  },
  {
    ago: [4, 17, 40],
    workflow: "deploy-finished",
    to: HARBOUR_CREW,
    transactionId: "deploy-2026-10-28-1",
    topics: ["project:harbour-lights"],
  },
  {
    ago: [2, 19, 10],
    workflow: "deploy-finished",
    to: HARBOUR_CREW,
    transactionId: "deploy-2026-10-30-2",
    topics: ["project:harbour-lights"],
    payload: { target: "production", commit: "c8830e2", durationSeconds: 202 },
    outcomes: { chat: "failed" },
  },
  {
    ago: [6, 3, 25],
    workflow: "project-update",
    to: ["ines-moreau", "amara-okafor", "zeynep-yildiz", "emma-hughes"],
    topics: ["project:lighthouse", "team:design"],
    payload: { projectName: "Lighthouse", summary: "Design is signed off" },
    contextKeys: ["tenant:northwind"],
  },

  // Conversations.
  {
    ago: [2, 20, 5],
    workflow: "comment-mention",
    to: ["ines-moreau", "tomas-novak"],
    transactionId: "txn_66f2c0de4a7b8c9d0e1f2a3b", // Used by the contract's examples.
    topics: ["project:lighthouse"],
    payload: { actorName: "Ελένη Παπαδάκη", projectName: "Lighthouse", taskTitle: "Redraw the empty board" },
    outcomes: { in_app: "completed", email: "completed" },
  },
  {
    ago: [0, 19, 30],
    workflow: "comment-mention",
    to: ["ines-moreau"],
    payload: { projectName: "Low Tide" },
  },
  { ago: [1, 4, 15], workflow: "thread-activity", to: ["ines-moreau"], followedAfter: [4, 11, 26] },
  { ago: [0, 0, 22], workflow: "thread-activity", to: ["amara-okafor"], followedAfter: [9] },

  // Digests: last week's is sent, this week's is pending.
  {
    ago: [10, 2, 0],
    workflow: "weekly-digest",
    to: ["ines-moreau"],
    followedAfter: [190, 1505],
    outcomes: { email: "completed" },
  },
  { ago: [5, 6, 40], workflow: "weekly-digest", to: ["lucas-moreau"], followedAfter: [2110] },
  {
    ago: [11, 8, 5],
    workflow: "team-retrospective",
    to: ["celine-moreau-petit"],
    followedAfter: [5760],
    topics: ["team:design"],
  },

  // Incidents.
  {
    ago: [1, 8, 45],
    workflow: "incident-alert",
    to: ["crew/night shift", "ravi-iyer", "joao-araujo"],
    transactionId: "incident-117",
    payload: { incidentTitle: "Sign-in fails for some", service: "login" },
    contextKeys: ["region:eu-west", "tenant:northwind"],
    overrides: { twilio: { from: "+447700900001" }, fcm: { priority: "high" } },
    outcomes: { sms: "completed" },
  },
  {
    ago: [8, 21, 55],
    workflow: "incident-alert",
    to: ["kiosk-0042", "crew/night shift"],
    transactionId: "incident-116",
    outcomes: { push: "failed" },
  },

  // Accounts.
  { ago: [0, 7, 12], workflow: "password-reset", to: ["ines-moreau"], outcomes: { email: "completed" } },
  { ago: [13, 2, 30], workflow: "password-reset", to: ["siobhan-obrien"], outcomes: { email: "failed" } },
  {
    ago: [0, 1, 5],
    workflow: "sign-in-code",
    to: ["emma-hughes"],
    payload: { code: "471039", expiresInMinutes: 10 },
    outcomes: { sms: "completed" },
  },
  {
    ago: [15, 5, 0],
    workflow: "billing-receipt",
    to: ["emma-hughes"],
    transactionId: "invoice-2026-10-18-1",
    outcomes: { email: "completed" },
  },

  // In progress at `asOf`.
  {
    ago: [0, 0, 1],
    workflow: "task-assigned",
    to: ["ines-moreau"],
    topics: ["project:lighthouse"],
    payload: { projectName: "Lighthouse" },
    outcomes: { in_app: "completed", email: "queued" },
  },
  { ago: [0, 0, 2], workflow: "task-assigned", to: ["layla-haddad"], outcomes: { in_app: "running" } },
  { ago: [0, 0, 3], workflow: "sign-in-code", to: ["oliwia-zielinska"], outcomes: { sms: "queued" } },
  { ago: [0, 0, 35], workflow: "due-date-reminder", to: ["ines-moreau"], payload: { dueOn: "today" } },
  { ago: [0, 2, 10], workflow: "due-date-reminder", to: ["10482"] },

  // Postponed, cancelled, tests, and with overrides by the trigger.
  {
    ago: [0, 11, 0],
    workflow: "comment-mention",
    to: ["zeynep-yildiz"],
    extensions: 2,
    outcomes: { in_app: "completed", email: "completed", push: "completed" },
  },
  { ago: [3, 2, 20], workflow: "task-assigned", to: ["nguyen-minh-anh"], outcomes: { in_app: "canceled" } },
  {
    ago: [17, 6, 0],
    workflow: "task-assigned",
    to: ["emma-hughes"],
    transactionId: "try-out",
    isTest: true,
    outcomes: { in_app: "completed", email: "failed" },
  },
  {
    ago: [9, 4, 50],
    workflow: "release-notes",
    to: ["eleni-papadaki"],
    payload: { version: "4.1.3", highlight: "Column limits" },
    controls: { "E-mail": { subject: "Ελένη, this one is for you", showLogo: false } },
    overrides: { ses: { configurationSet: "announcements" } },
  },
  { ago: [18, 9, 30], workflow: "shiodamari-news", to: ["haruka-sato"], payload: { headline: "秋のアップデート" } },

  // Of workflows and subscribers that are deleted.
  {
    ago: [20, 3, 0],
    workflow: "beta-survey",
    to: ["ines-moreau", "maya-cohen", "li-wei"],
    transactionId: "survey/beta 1",
  },
  { ago: [16, 7, 45], workflow: "beta-survey", to: ["kim-seoyeon"] },
  { ago: [12, 1, 15], workflow: "task-assigned", to: ["peter-lang"] },
  { ago: [21, 4, 0], workflow: "comment-mention", to: ["peter-lang", "kiosk-0007"] },
  { ago: [22, 6, 20], to: ["gustav-lindqvist"] },
];
