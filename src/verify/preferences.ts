// Preferences as cases see them: how they are updated and read, and what an update makes of what was shown before.
import type { SuccessBody } from "../contract/operations.js";
import type { Ask } from "./ask.js";
import { expectStatus } from "./check.js";
import type { Answer, World } from "./world.js";

export type Preferences = SuccessBody<"updatePreferences">;
export type Channels = Preferences["global"]["channels"];

export interface Update {
  channels: Channels;
  workflowId?: string;
}

export interface Updates {
  send(body: unknown, more?: Partial<Ask>): Promise<Answer>;
  /** Expects success. */
  set(update: Update, subscriberId?: string): Promise<Preferences>;
  /** An update that names no channel changes nothing and answers the present state (D-04). */
  read(subscriberId?: string): Promise<Preferences>;
}

export function updateOf(world: World): Updates {
  const operation = world.operation("updatePreferences");
  const send = (body: unknown, more: Partial<Ask> = {}) => world.send({ operation, body, ...more });
  async function set(update: Update, subscriberId = world.target.subscriber): Promise<Preferences> {
    const answer = await send(update, { path: { subscriberId } });
    expectStatus(answer, 200);
    return answer.body as Preferences; // `send` has held it against the contract
  }
  return { send, set, read: (subscriberId) => set({ channels: {} }, subscriberId) };
}

/** What has to be shown after an update, from what was shown before it (D-02, D-14, D-15). */
export function toNext(before: Preferences, { channels, workflowId }: Update): Preferences {
  const apply = (shown: Channels): Channels => ({ ...shown, ...pick(channels, Object.keys(shown)) });
  const isMeant = ({ workflow }: Preferences["workflows"][number]) =>
    workflowId === undefined || workflow.identifier === workflowId || workflow.slug === workflowId;
  return {
    global: workflowId === undefined ? { ...before.global, channels: apply(before.global.channels) } : before.global,
    workflows: before.workflows.map((entry) =>
      isMeant(entry) ? { ...entry, channels: apply(entry.channels) } : entry,
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
