// The subscribers of a seed and their preferences: the catalogue's people first, then generated ones.
import type { Random } from "../domain/random.js";
import type { StoredPreferences, Subscriber } from "../domain/state.js";
import { PEOPLE } from "./catalogue.js";
import { toRecordId } from "./object-id.js";
import { WORKFLOWS } from "./workflows.js";

const FIRST_JOINED = Date.parse("2025-03-10T09:00:00Z");

/** `count` subscribers, oldest first; the last joined before `until` (milliseconds). */
export function generateSubscribers(count: number, until: number, random: Random): Subscriber[] {
  const people = PEOPLE.subscribers.slice(0, count).map(({ preferences, ...subscriber }): Subscriber => subscriber);
  const generatedCount = count - people.length;
  for (let index = 0; index < generatedCount; index++) {
    const joinedAt = FIRST_JOINED + ((until - FIRST_JOINED) * index) / generatedCount;
    people.push(generateSubscriber(index, joinedAt, random));
  }
  return people;
}

function generateSubscriber(index: number, joinedAt: number, random: Random): Subscriber {
  const firstName = random.pick(PEOPLE.firstNames);
  const lastName = random.pick(PEOPLE.lastNames);
  // The number keeps ids and addresses unique.
  const number = PEOPLE.subscribers.length + index + 1;
  return {
    _id: toRecordId("subscriber", joinedAt, index),
    subscriberId: `${toAscii(firstName)}-${toAscii(lastName)}-${number}`,
    firstName,
    lastName,
    ...(random.chance(0.95) && { email: `${toAscii(firstName)}.${toAscii(lastName)}.${number}@example.com` }),
    ...(random.chance(0.6) && {
      phone: `+1${random.pick(PEOPLE.areaCodes)}55501${String(random.between(0, 99)).padStart(2, "0")}`,
    }),
  };
}

function toAscii(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").replace("ß", "ss").toLowerCase();
}

/** The preferences of the first `count` subscribers. Generated ones have the defaults. */
export function toPreferencesOfPeople(count: number): StoredPreferences[] {
  return PEOPLE.subscribers.slice(0, count).flatMap(({ subscriberId, preferences }) => {
    if (!preferences) return [];
    const workflows = WORKFLOWS.flatMap(({ workflow }) => {
      const channels = preferences.workflows[workflow.identifier];
      return channels ? [{ workflowId: workflow._id, channels }] : [];
    });
    return [{ subscriberId, global: preferences.global, workflows }];
  });
}
