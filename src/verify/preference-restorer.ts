// Restores the target's preferences, as far as the interface allows: they are read before the first change of a
// subscriber, and restored at the end.
import { isDeepStrictEqual } from "node:util";
import type { Preferences } from "../oracle/preferences.js";
import type { TestRequest, TestResponse } from "./exchange.js";
import type { Target } from "./target.js";

/** @param send does not check the response against the contract. */
export function createPreferenceRestorer(target: Target, send: (request: TestRequest) => Promise<TestResponse>) {
  const before = new Map<string, { request: TestRequest; preferences: Promise<Preferences | undefined> }>();
  let idempotentRequests = 0;

  /** An update that names no channel changes nothing (D-04). */
  async function readPreferences(request: TestRequest): Promise<Preferences | undefined> {
    const { status, body } = await send({ ...request, body: { channels: {} } });
    return status === 200 ? (body as Preferences) : undefined;
  }

  /** A global update ends all workflow values (D-15); those that differ from it are set again. */
  async function write(request: TestRequest, { global, workflows }: Preferences): Promise<void> {
    await send({ ...request, body: { channels: global.channels } });
    const globally: Record<string, boolean> = global.channels;
    for (const { workflow, channels } of workflows) {
      const own = Object.fromEntries(Object.entries(channels).filter(([name, value]) => value !== globally[name]));
      if (Object.keys(own).length === 0) continue;
      await send({ ...request, body: { channels: own, workflowId: workflow.identifier } });
    }
  }

  return {
    /** To be called before a request is sent. */
    async remember({ operation, url, path = {}, headers = {}, body }: TestRequest): Promise<void> {
      if (operation !== "updatePreferences" || url || !target.can.includes("stateful")) return;
      if (headers["idempotency-key"]) idempotentRequests++;
      if (isDeepStrictEqual(body, { channels: {} })) return; // changes nothing (D-04)
      const { authorization } = headers;
      if (authorization !== undefined && authorization !== `ApiKey ${target.otherApiKey}`) return; // opens nothing
      const { subscriberId = target.subscriber } = path;
      const request = { operation, path: { subscriberId }, headers: authorization ? { authorization } : {} };
      const key = JSON.stringify(request);
      if (!before.has(key)) before.set(key, { request, preferences: readPreferences(request) });
      await before.get(key)?.preferences;
    },

    /** Restores what differs; one sentence for each subscriber whose preferences were changed. */
    async restore(): Promise<string[]> {
      const sentences: string[] = [];
      for (const { request, preferences } of before.values()) {
        const was = await preferences;
        if (!was || isDeepStrictEqual(was, await readPreferences(request))) continue;
        await write(request, was);
        const outcome = isDeepStrictEqual(was, await readPreferences(request)) ? "restored" : "could not be restored";
        sentences.push(`The preferences of ${request.path?.subscriberId} were changed and ${outcome}.`);
      }
      if (idempotentRequests > 0)
        sentences.push(`${idempotentRequests} requests had an idempotency key; recorded responses cannot be deleted.`);
      return sentences;
    },
  };
}
