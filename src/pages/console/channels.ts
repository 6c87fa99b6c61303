// The channels in the contract's order with their labels, and the outcome of a delivery: one vocabulary for all views.
import type { Channel } from "../../browser/client/client.js";
import { capitalize, span } from "../script/dom.js";

export const CHANNELS: readonly { channel: Channel; name: string }[] = [
  { channel: "in_app", name: "In-app" },
  { channel: "email", name: "E-mail" },
  { channel: "sms", name: "SMS" },
  { channel: "chat", name: "Chat" },
  { channel: "push", name: "Push" },
];

/** `In-app`; of a step that is no channel, its type: `Digest`. */
export function formatStepName(type: string): string {
  const found = CHANNELS.find(({ channel }) => channel === type);
  return found?.name ?? capitalize(type);
}

export type Delivery = "delivered" | "in progress" | "failed";

const TONES: Record<Delivery, string> = { delivered: "good", "in progress": "soft", failed: "bad" };
const PENDING = ["pending", "queued", "running", "delayed"];

export function decideDelivery(jobs: readonly { status?: string }[]): Delivery {
  const statuses = new Set(jobs.map(({ status }) => status));
  if (statuses.has("failed")) return "failed";
  return PENDING.some((status) => statuses.has(status)) ? "in progress" : "delivered";
}

export function buildDeliveryPill(delivery: Delivery): HTMLSpanElement {
  return span(`tag ${TONES[delivery]}`, delivery);
}
