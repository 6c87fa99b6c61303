// Small seeds of any size, with records identified by number.

import type { Seed, StoredNotification, Subscriber, Workflow } from "../../src/core/domain/state.js";

const AS_OF = "2026-01-15T12:00:00.000Z";
const MINUTE_MS = 60_000;
const CHANNELS = ["email", "sms", "in_app", "chat", "push"] as const;

interface SmallSeedSize {
  subscribers?: number;
  workflows?: number;
  notifications?: number;
}

/**
 * Subscribers `subscriber-1`, …, workflows `workflow-1`, … with all five channels, and notifications a minute apart.
 */
export function createSmallSeed({ subscribers = 2, workflows = 1, notifications = 3 }: SmallSeedSize = {}): Seed {
  return {
    format: "notifications-contract/environment",
    version: 2,
    name: "small",
    asOf: AS_OF,
    environmentId: toObjectId("e", 1),
    organizationId: toObjectId("f", 1),
    workflows: numbers(workflows).map(createWorkflow),
    subscribers: numbers(subscribers).map(createSubscriber),
    preferences: [],
    notifications: numbers(notifications).map((number) => createNotification(number, (number % subscribers) + 1)),
    recordedResponses: [],
  };
}

function createWorkflow(number: number): Workflow {
  return {
    _id: toObjectId("a", number),
    identifier: `workflow-${number}`,
    name: `Workflow ${number}`,
    active: true,
    origin: "external",
    tags: [],
    variables: [],
    steps: CHANNELS.map((type, index) => {
      return { _id: toObjectId("b", number * 10 + index), type, name: type, active: true };
    }),
    createdAt: toInstant(-1000),
    updatedAt: toInstant(-1000),
  };
}

function createSubscriber(number: number): Subscriber {
  return { _id: toObjectId("c", number), subscriberId: `subscriber-${number}`, email: `s${number}@example.com` };
}

function createNotification(number: number, subscriber: number): StoredNotification {
  return {
    _id: toObjectId("d", number),
    _subscriberId: toObjectId("c", subscriber),
    _templateId: toObjectId("a", 1),
    transactionId: `txn_${toObjectId("d", number)}`,
    createdAt: toInstant(-number),
    updatedAt: toInstant(-number),
    channels: ["email"],
    payload: { number },
  };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function toObjectId(kind: string, number: number): string {
  return `${kind}${String(number).padStart(23, "0")}`;
}

function toInstant(minutes: number): string {
  return new Date(Date.parse(AS_OF) + minutes * MINUTE_MS).toISOString();
}
