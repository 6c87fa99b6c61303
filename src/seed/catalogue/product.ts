// The product of the seeds: Tidepool, a team project board. Its topics, and the values of its payloads.
import { CATALOGUE_PROCESS_ID, toObjectId } from "../object-id.js";

export const ENVIRONMENT_ID = "66d0a0a0c0ffee0000000001";
export const ORGANIZATION_ID = "66d0a0a0c0ffee0000000002";

export interface Topic {
  _topicId: string;
  topicKey: string;
  /** Its name in payloads. */
  projectName: string;
}

export const TOPICS: readonly Topic[] = [
  ["2024-09-13T23:51:29Z", "project:lighthouse", "Lighthouse"],
  ["2025-01-20T10:12:44Z", "project:harbour-lights", "Harbour Lights"],
  ["2025-06-03T08:30:05Z", "team:design", "Design"],
].map(([createdAt = "", topicKey = "", projectName = ""], index) => ({
  _topicId: toObjectId(Date.parse(createdAt), CATALOGUE_PROCESS_ID, 0x708401 + index),
  topicKey,
  projectName,
}));

/** The possible values of each payload member. */
export const PAYLOAD_VALUES = {
  actorName: ["Inés Moreau", "Tomáš Novák", "Ελένη Παπαδάκη", "佐藤 遥", "Amara Okafor", "João Araújo", "Emma Hughes"],
  projectName: ["Lighthouse", "Harbour Lights", "Design", "Rock Pools", "Low Tide"],
  taskTitle: [
    "Redraw the empty board",
    "Move the import to the new queue",
    "Card colours in dark mode",
    "Translate the onboarding (日本語)",
    "Slow search on large boards",
    "Ask legal about the export",
    "Keyboard shortcuts for columns",
    "Drop support for the old API",
  ],
  excerpt: [
    "Could you look at the second column?",
    "Looks good to me, ship it 🚀",
    "I can reproduce this on a phone only.",
    "Let’s wait for Ελένη before we merge.",
    'The copy says "drag", the icon says <drop>.',
    "Done – 3 of 4 are green & the last is queued.",
  ],
  threadTitle: ["Naming of the new views", "Where do archived cards go?", "Budget for the offsite"],
  activity: ["moved a card to Done", "opened 3 cards", "closed the sprint", "commented on a card", "added a column"],
  dueOn: ["today", "tomorrow", "Friday", "next Monday"],
  code: ["104482", "220917", "385660", "471039", "590214", "663871", "708125", "846390"],
  expiresInMinutes: [5, 10, 15],
  resetUrl: ["https://tidepool.example.com/reset/8f2e", "https://tidepool.example.com/reset/c41a"],
  invoiceNumber: ["TP-10417", "TP-10452", "TP-10466", "TP-10501"],
  amount: ["€ 48.00", "$ 120.00", "£ 64.50"],
  summary: [
    "Beta opens to all teams",
    "Two weeks behind plan",
    "Scope agreed with the harbour",
    "Design is signed off",
  ],
  version: ["4.1.0", "4.1.3", "4.2.0"],
  highlight: ["Timeline view", "Faster boards", "Column limits"],
  target: ["production", "staging"],
  commit: ["9f2c1ab", "41d07be", "c8830e2", "07aa5d4"],
  durationSeconds: [74, 98, 131, 202],
  idea: ["Shorter stand-ups", "Plus de démos", "Fewer open cards"],
  incidentTitle: ["Boards load slowly", "E-mails are late", "Sign-in fails for some"],
  service: ["api", "mailer", "boards", "login"],
  headline: ["新しいタイムライン表示", "秋のアップデート", "ボードの使い方のヒント"],
  surveyTitle: ["How is the timeline for you?", "Three questions on search"],
} as const;

export type PayloadName = keyof typeof PAYLOAD_VALUES;
