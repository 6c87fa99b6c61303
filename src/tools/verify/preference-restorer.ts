// Restores the target's preferences, as far as the interface allows: reads them before a subscriber's first change, and
// writes them back at the end.
import { isDeepStrictEqual } from "node:util";
import type { Preferences } from "../../contract/contract-types.js";
import type { Update } from "../model/preferences.js";
import type { Target } from "./declared-target.js";
import { ExpectationError } from "./expectation.js";
import type { TestRequest, TestResponse } from "./test-request.js";

interface Remembered {
  request: TestRequest;
  reading: Promise<void>;
  /** Absent until they have been read, and for a subscriber that does not exist. */
  preferences?: Preferences | undefined;
}

/** @param send does not check the response against the contract. */
export function createPreferenceRestorer(target: Target, send: (request: TestRequest) => Promise<TestResponse>) {
  const before = new Map<string, Remembered>(); // by subscriber and key
  let idempotentRequests = 0;

  /** An update that names no channel changes nothing (D-04). */
  async function readPreferences(request: TestRequest): Promise<Preferences | undefined> {
    const { status, body } = await send({ ...request, body: { channels: {} } });
    return status === 200 ? (body as Preferences) : undefined;
  }

  /** A global update resets all workflow values (D-15), so those that differ from it are set again. */
  async function write(request: TestRequest, { global, workflows }: Preferences): Promise<void> {
    await send({ ...request, body: { channels: global.channels } });
    const globally: Record<string, boolean> = global.channels;
    for (const { workflow, channels } of workflows) {
      const differing = Object.fromEntries(
        Object.entries(channels).filter(([name, value]) => value !== globally[name]),
      );
      if (Object.keys(differing).length === 0) continue;
      await send({ ...request, body: { channels: differing, workflowId: workflow.identifier } });
    }
  }

  return {
    /** To be called before a request is sent. */
    async remember({ operation, url, path = {}, headers = {}, body }: TestRequest): Promise<void> {
      if (operation !== "updatePreferences" || url || !target.can.includes("stateful")) return;
      if (headers["idempotency-key"]) idempotentRequests++;
      const { workflowId: _workflow, ...update } = (body ?? {}) as Partial<Update>;
      if (isDeepStrictEqual(update, { channels: {} })) return; // changes nothing (D-04)
      const { authorization } = headers;
      // Another key changes nothing.
      if (authorization !== undefined && authorization !== `ApiKey ${target.otherApiKey}`) return;
      const { subscriberId = target.subscriber } = path;
      const request = { operation, path: { subscriberId }, headers: authorization ? { authorization } : {} };
      const key = JSON.stringify(request);
      const known = before.get(key);
      if (known) return known.reading;
      const reading = readPreferences(request).then((preferences) => void Object.assign(entry, { preferences }));
      const entry: Remembered = { request, reading };
      before.set(key, entry);
      return reading;
    },

    changes: (): string[] =>
      [...before.values()].flatMap(({ request, preferences }) =>
        preferences ? `the preferences of ${request.path?.subscriberId}` : [],
      ),

    /** Restores what differs; returns a sentence for each subscriber whose preferences were changed. */
    async restore(): Promise<string[]> {
      const sentences: string[] = [];
      const restored: string[] = [];
      for (const [key, { request, preferences }] of before) {
        const subscriber = String(request.path?.subscriberId);
        try {
          if (preferences && !isDeepStrictEqual(preferences, await readPreferences(request))) {
            await write(request, preferences);
            if (!isDeepStrictEqual(preferences, await readPreferences(request))) throw new Error("they differ still");
            restored.push(subscriber);
          }
        } catch (error) {
          const reason = error instanceof ExpectationError ? error.expectation.actual : (error as Error).message;
          const were = JSON.stringify(preferences);
          sentences.push(`The preferences of ${subscriber} could not be restored (${reason}). They were ${were}`);
        }
        before.delete(key);
      }
      if (restored.length > 0)
        sentences.unshift(`The preferences of ${restored.join(", ")} were changed and restored.`);
      if (idempotentRequests > 0)
        sentences.push(`${idempotentRequests} requests had an idempotency key; recorded responses cannot be deleted.`);
      return sentences;
    },
  };
}
