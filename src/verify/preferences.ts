// Preferences as cases update and read them, and the model of what an update does.
import type { SuccessBody } from "../contract/operations.js";
import { expectStatus } from "./expectation.js";
import type { TestContext } from "./test-context.js";
import type { TestRequest } from "./test-request.js";
import type { TestResponse } from "./test-response.js";

export type Preferences = SuccessBody<"updatePreferences">;
export type Channels = Preferences["global"]["channels"];

export interface Update {
  channels: Channels;
  workflowId?: string;
}

export interface Updates {
  send(body: unknown, more?: Partial<TestRequest>): Promise<TestResponse>;
  /** Expects success. */
  set(update: Update, subscriberId?: string): Promise<Preferences>;
  /** An update that names no channel changes nothing, and the response has the current state (D-04). */
  read(subscriberId?: string): Promise<Preferences>;
}

export function updateOf(context: TestContext): Updates {
  const operation = context.operation("updatePreferences");
  const send = (body: unknown, more: Partial<TestRequest> = {}) => context.send({ operation, body, ...more });
  async function set(update: Update, subscriberId = context.target.subscriber): Promise<Preferences> {
    const response = expectStatus(await send(update, { path: { subscriberId } }), 200);
    return response.body as Preferences; // `send` has checked it
  }
  return { send, set, read: (subscriberId) => set({ channels: {} }, subscriberId) };
}

/** The preferences after an update, from those before it (D-02, D-14, D-15). */
export function toNext(before: Preferences, { channels, workflowId }: Update): Preferences {
  const apply = (shown: Channels): Channels => ({ ...shown, ...pick(channels, Object.keys(shown)) });
  const isAddressed = ({ workflow }: Preferences["workflows"][number]) =>
    workflowId === undefined || workflow.identifier === workflowId || workflow.slug === workflowId;
  return {
    global: workflowId === undefined ? { ...before.global, channels: apply(before.global.channels) } : before.global,
    workflows: before.workflows.map((entry) =>
      isAddressed(entry) ? { ...entry, channels: apply(entry.channels) } : entry,
    ),
  };
}

function pick(channels: Channels, names: string[]): Channels {
  return Object.fromEntries(Object.entries(channels).filter(([name]) => names.includes(name)));
}

/** The `_id` inside a slug: 16 base62 digits at its end (D-16, D-22). */
export function toIdInSlug(slug: string): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const end = slug.slice(slug.lastIndexOf("_wf_") + 4);
  const number = [...end].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);
  return number.toString(16).padStart(24, "0");
}
