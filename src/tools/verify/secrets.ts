// The keys of a run: how a shell writes them, and their removal from whatever is written.
import { createRedactor, SECRET_HEADER } from "../../server/http/redactor.js";
import type { Target } from "./target.js";

const PLACEHOLDER = "$NC_API_KEY";
const SHORT = 8; // a shorter key may be a word of a command, such as `curl` or the H of `-H`

/** RFC 7617, with the key as the password. */
export const toBasic = (key: string): string => Buffer.from(`x:${key}`).toString("base64");

/** The keys of a target in each form that a request has them in, each with what a shell expands to it, in double quotes. */
export function toSecrets({ apiKey, otherApiKey }: Pick<Target, "apiKey" | "otherApiKey">): Record<string, string> {
  const keys = { NC_API_KEY: apiKey, ...(otherApiKey ? { NC_OTHER_API_KEY: otherApiKey } : {}) };
  return Object.fromEntries(
    Object.entries(keys).flatMap(([variable, key]) => [
      [toBasic(key), `$(printf %s "x:$${variable}" | base64 | tr -d '\\n')`],
      [encodeURIComponent(key), `$(printf %s "$${variable}" | od -An -v -tx1 | tr -d '\\n' | tr ' ' %)`],
      [key, `$${variable}`], // the last of equal ones counts
    ]),
  );
}

/** Whatever the user has configured that is secret, and all that is derived from it. */
export function keysOf({ apiKey, otherApiKey, control, connection }: Target): string[] {
  const headers = Object.entries(connection?.headers ?? {}).filter(([name]) => SECRET_HEADER.test(name));
  const keys = [apiKey, otherApiKey, control?.key, ...headers.map(([, value]) => value)];
  return keys.filter((key) => key !== undefined && key !== "") as string[];
}

/** The same value, without keys in its texts. Commands are made without keys: of them, this takes only what cannot be a word. */
export function redact<T>(value: T, keys: readonly string[]): T {
  const [all, long] = [keys, keys.filter(({ length }) => length >= SHORT)].map((some) => {
    const redactor = createRedactor({ placeholder: PLACEHOLDER });
    for (const key of some)
      for (const form of [toBasic(key), key.replaceAll("'", "'\\''"), key]) redactor.remember(form); // quoted, as in a shell
    return redactor;
  });
  const redactIn = (place: unknown, redactor = all): unknown => {
    if (typeof place === "string") return redactor?.redact(place);
    if (Array.isArray(place)) return place.map((item) => redactIn(item, redactor));
    if (typeof place !== "object" || place === null) return place;
    const members = Object.entries(place);
    return Object.fromEntries(
      members.map(([name, member]) => [name, redactIn(member, name === "curl" ? long : redactor)]),
    );
  };
  return redactIn(value) as T; // texts stay texts
}
