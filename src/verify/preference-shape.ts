// What the preferences in a response have in common, beyond their schema: decisions D-06 to D-10. `verify` and the proxy judge
// by it.
import { isDeepStrictEqual } from "node:util";
import type { Difference } from "./expectation.js";
import { type Preferences, toIdInSlug } from "./preferences.js";

const CHANNELS = ["email", "sms", "in_app", "chat", "push"];
const OVERRIDES = ["in_app", "sms", "email", "push", "chat"];
const OLDEST_MS = Date.UTC(2010);

export type CitedDifference = Difference & { cite: string };

/** Each place in which preferences differ from the contract. */
export function findShapeDifferences({ global, workflows }: Preferences): CitedDifference[] {
  const compare = (cite: string, what: string, expected: unknown, actual: unknown): CitedDifference[] =>
    isDeepStrictEqual(expected, actual) ? [] : [{ cite, what, expected, actual }];
  const inOrder = (order: string[], names: string[]) => order.filter((name) => names.includes(name));
  const levels = workflows.flatMap(({ enabled, channels, overrides }, index) => {
    const names = Object.keys(channels);
    const place = `body.workflows.${index}`;
    const sources = inOrder(OVERRIDES, names).map((channel) => ({ channel, source: "subscriber" }));
    const others = names.filter((name) => !(name in global.channels));
    return [
      ...compare("D-09", `${place}.enabled`, true, enabled),
      ...compare("D-08", `${place}.channels`, inOrder(CHANNELS, names), names),
      ...compare("D-06", `${place}.overrides`, sources, overrides),
      ...compare("D-07", `${place}.channels that global.channels lacks`, [], others),
    ];
  });
  const slugs = workflows.map(({ workflow }) => workflow.slug);
  const times = slugs.map((slug) => Number.parseInt(toIdInSlug(slug).slice(0, 8), 16) * 1000);
  // Ids made by a database have the time of creation in them; others need not.
  const isTimed = times.every((time) => time > OLDEST_MS && time < Date.now());
  const oldestFirst = times.toSorted((a, b) => a - b);
  return [
    ...compare("D-09", "body.global.enabled", true, global.enabled),
    ...levels,
    ...(isTimed ? compare("D-10", "body.workflows, oldest first", oldestFirst, times) : []),
    ...compare("D-10", "body.workflows, each once", [...new Set(slugs)], slugs),
  ];
}
