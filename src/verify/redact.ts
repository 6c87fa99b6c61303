// Keys are taken out of everything that leaves the suite, in each form that a request has them in.
import type { Target } from "./target.js";

/** The keys that the user has given. */
export function keysOf({ apiKey, otherApiKey, control }: Target): string[] {
  return [apiKey, otherApiKey, control?.key].filter((key) => key !== undefined);
}

const SHOWN = "$NC_API_KEY";

/** The same value, with every key in its texts replaced. */
export function redact<T>(value: T, keys: readonly string[]): T {
  const forms = keys.flatMap((key) => [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    btoa(`x:${key}`),
    swapCase(key),
  ]);
  const longestFirst = [...new Set(forms)].toSorted((one, other) => other.length - one.length);
  const inText = (text: string) => longestFirst.reduce((rest, form) => rest.replaceAll(form, SHOWN), text);
  const inValue = (place: unknown): unknown => {
    if (typeof place === "string") return inText(place);
    if (Array.isArray(place)) return place.map(inValue);
    if (typeof place !== "object" || place === null) return place;
    return Object.fromEntries(Object.entries(place).map(([name, member]) => [name, inValue(member)]));
  };
  return inValue(value) as T; // texts stay texts
}

/** Letters the other way round: how the suite makes a key that is almost the true one. */
export function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
