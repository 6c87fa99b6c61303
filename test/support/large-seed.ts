// Multiplies the demo seed to any size, for tests and bench.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./command.js";

export interface SeedSize {
  notifications: number;
  /** At least those of the demo seed. */
  subscribers?: number;
  /** Steps of type `custom` have the type `throttle`, which clients before @novu/api 1.7.1 do not know (D-75). */
  throttle?: boolean;
}

/** The multiplied records; the rest is as in the demo seed. */
interface DemoSeed {
  subscribers: { _id: string; subscriberId: string }[];
  notifications: { _id: string; _subscriberId: string; transactionId: string; to: object }[];
}

/** Yields a seed as JSON, one record a line, since it may exceed the maximum length of a string. */
export function* multiplyDemoSeed({ notifications, subscribers = 0, throttle = false }: SeedSize): Generator<string> {
  const text = readFileSync(join(ROOT, "data/seeds/demo.json"), "utf8");
  const demo: DemoSeed = JSON.parse(throttle ? text.replaceAll('"custom"', '"throttle"') : text);
  const people = [...demo.subscribers];
  for (let index = people.length; index < subscribers; index++) people.push(toSubscriber(index));
  const { notifications: originals, ...rest } = demo;
  yield `${JSON.stringify({ ...rest, subscribers: people }).slice(0, -1)},"notifications":[`;
  for (let index = 0; index < notifications; index++) {
    const original = originals[originals.length - 1 - (index % originals.length)]; // the newest first
    const person = people[(index * 7) % people.length];
    if (!original || !person) throw new Error("The demo seed is empty.");
    const copy = Math.floor(index / originals.length);
    yield `${index === 0 ? "" : ","}\n${copy === 0 ? JSON.stringify(original) : toCopy(original, copy, person)}`;
  }
  yield "\n]}\n";
}

const SPACING_MS = 20_000; // between copies

/** Copies a notification to another transaction and subscriber, with all times earlier. */
function toCopy(
  original: DemoSeed["notifications"][number],
  copy: number,
  person: DemoSeed["subscribers"][number],
): string {
  const changed = {
    ...original,
    _id: original._id.slice(0, 8) + copy.toString(16).padStart(8, "0") + original._id.slice(16),
    _subscriberId: person._id,
    transactionId: `${original.transactionId}-${copy}`,
    to: { subscriberId: person.subscriberId },
  };
  const earlier = copy * SPACING_MS;
  return JSON.stringify(changed).replaceAll(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_text, time: string) =>
    JSON.stringify(new Date(Date.parse(time) - earlier).toISOString()),
  );
}

function toSubscriber(index: number): { _id: string; subscriberId: string; firstName: string; email: string } {
  const subscriberId = `subscriber-${index}`;
  const _id = `5${index.toString(16).padStart(23, "0")}`;
  return { _id, subscriberId, firstName: `Person ${index}`, email: `${subscriberId}@example.com` };
}
