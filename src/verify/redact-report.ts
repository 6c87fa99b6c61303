// Removes the keys from all that the suite writes.
import { createRedactor } from "../http/redactor.js";
import type { Target } from "./target.js";

const PLACEHOLDER = "$NC_API_KEY";

/** The keys that the user has configured. */
export function keysOf({ apiKey, otherApiKey, control }: Target): string[] {
  return [apiKey, otherApiKey, control?.key].filter((key) => key !== undefined);
}

/** The same value, without keys in its texts. */
export function redact<T>(value: T, keys: readonly string[]): T {
  const redactor = createRedactor({ placeholder: PLACEHOLDER });
  for (const key of keys) {
    const inShell = key.replaceAll("'", "'\\''"); // as in a curl line
    for (const form of [btoa(`x:${key}`), inShell, key]) redactor.remember(form);
  }
  const redactIn = (place: unknown): unknown => {
    if (typeof place === "string") return redactor.redact(place);
    if (Array.isArray(place)) return place.map(redactIn);
    if (typeof place !== "object" || place === null) return place;
    return Object.fromEntries(Object.entries(place).map(([name, member]) => [name, redactIn(member)]));
  };
  return redactIn(value) as T; // texts stay texts
}
