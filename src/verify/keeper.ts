// Leaves the target as it was found, as far as the interface allows: preferences are read before the first change of a
// subscriber, and put back at the end.
import { isDeepStrictEqual } from "node:util";
import type { SuccessBody } from "../contract/operations.js";
import type { Ask } from "./ask.js";
import type { Target } from "./target.js";
import type { Answer } from "./world.js";

type Preferences = SuccessBody<"updatePreferences">;

export interface Keeper {
  /** To be called before a request is sent. */
  remember(ask: Ask): Promise<void>;
  /** Puts back what differs; one sentence for each thing that was changed. */
  restore(): Promise<string[]>;
}

/** @param send gives the answer as it is, whether or not it keeps the contract. */
export function createKeeper(target: Target, send: (ask: Ask) => Promise<Answer>): Keeper {
  const before = new Map<string, { ask: Ask; preferences: Promise<Preferences | undefined> }>();
  let idempotentRequests = 0;

  /** The present preferences: an update that names no channel changes nothing (D-04). */
  async function read(ask: Ask): Promise<Preferences | undefined> {
    const { status, body } = await send({ ...ask, body: { channels: {} } });
    return status === 200 ? (body as Preferences) : undefined;
  }

  /** A global update ends all workflow values (D-15); those that differ from it are set again. */
  async function putBack(ask: Ask, { global, workflows }: Preferences): Promise<void> {
    await send({ ...ask, body: { channels: global.channels } });
    const globally: Record<string, boolean> = global.channels;
    for (const { workflow, channels } of workflows) {
      const own = Object.entries(channels).filter(([name, value]) => value !== globally[name]);
      if (own.length === 0) continue;
      await send({ ...ask, body: { channels: Object.fromEntries(own), workflowId: workflow.identifier } });
    }
  }

  return {
    async remember({ operation, url, path, headers = {} }) {
      if (operation?.id !== "updatePreferences" || url || !target.can.includes("stateful")) return;
      if (headers["idempotency-key"]) idempotentRequests++;
      const { authorization } = headers;
      if (authorization !== undefined && authorization !== `ApiKey ${target.otherApiKey}`) return; // opens nothing
      const subscriberId = path?.subscriberId ?? target.subscriber;
      const key = JSON.stringify([authorization, subscriberId]);
      const ask: Ask = { operation, path: { subscriberId }, headers: authorization ? { authorization } : {} };
      if (!before.has(key)) before.set(key, { ask, preferences: read(ask) });
      await before.get(key)?.preferences;
    },

    async restore() {
      const sentences: string[] = [];
      for (const { ask, preferences } of before.values()) {
        const was = await preferences;
        if (!was || isDeepStrictEqual(was, await read(ask))) continue;
        await putBack(ask, was);
        const outcome = isDeepStrictEqual(was, await read(ask)) ? "put back" : "could not be put back";
        sentences.push(`The preferences of ${ask.path?.subscriberId} were changed and ${outcome}.`);
      }
      if (idempotentRequests > 0) {
        sentences.push(
          `${idempotentRequests} requests carried an idempotency key; recorded answers cannot be removed.`,
        );
      }
      return sentences;
    },
  };
}
