// The keys of a run and all that is derived from them: how a shell writes them, and their removal from whatever is written.
import { createRedactor, SECRET_HEADER } from "../http/redactor.js";
import type { Target } from "./target.js";

const SHORTEST = 3; // a shorter text is in any other
const PLACEHOLDER = "$NC_API_KEY";

/** Wrong keys that a server takes for the right one when it compares a part of it, folds its case or decodes it. */
export const WRONG_KEYS = {
  withoutEnd: (key: string) => key.slice(0, -1),
  encoded: (key: string) => `%${Buffer.from(key).toString("hex", 0, 1)}${key.slice(1)}`,
  otherCase: (key: string) =>
    key.replaceAll(/[a-z]/gi, (letter) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase())),
  basic: (key: string) => btoa(`x:${key}`),
};

/** What a shell expands to each of them, in double quotes. */
const EXPANSIONS: Record<keyof typeof WRONG_KEYS, (variable: string) => string> = {
  withoutEnd: (variable) => `\${${variable}%?}`,
  encoded: (variable) => `$(printf '%%%x' "'$${variable}")\${${variable}#?}`,
  otherCase: (variable) => `$(printf %s "$${variable}" | tr a-zA-Z A-Za-z)`,
  basic: (variable) => `$(printf %s "x:$${variable}" | base64 | tr -d '\\n')`,
};

/** The keys of a target and what is derived from them, each with its expansion in a shell. */
export function toSecrets({ apiKey, otherApiKey }: Pick<Target, "apiKey" | "otherApiKey">): Record<string, string> {
  const keys = { NC_API_KEY: apiKey, ...(otherApiKey ? { NC_OTHER_API_KEY: otherApiKey } : {}) };
  const secrets = Object.entries(keys).flatMap(([variable, key]): [string, string][] => [
    [key, `$${variable}`],
    ...Object.entries(WRONG_KEYS).map(([name, derive]): [string, string] => [
      derive(key),
      EXPANSIONS[name as keyof typeof WRONG_KEYS](variable),
    ]),
  ]);
  const distinct = new Map(secrets.toReversed()); // of equal ones the first counts
  const long = [...distinct].filter(([text]) => text.length >= SHORTEST);
  return Object.fromEntries(long.toSorted(([one], [other]) => other.length - one.length));
}

/** Whatever the user has configured that is secret, and all that is derived from it. */
export function keysOf({ apiKey, otherApiKey, control, connection }: Target): string[] {
  const headers = Object.entries(connection?.headers ?? {}).filter(([name]) => SECRET_HEADER.test(name));
  const keys = [apiKey, otherApiKey, control?.key, ...headers.map(([, value]) => value)];
  return keys.filter((key) => key !== undefined && key !== "") as string[];
}

/** The same value, without keys in its texts. */
export function redact<T>(value: T, keys: readonly string[]): T {
  const redactor = createRedactor({ placeholder: PLACEHOLDER });
  for (const key of keys) {
    const inShell = key.replaceAll("'", "'\\''"); // as in a curl line
    const derived = Object.values(WRONG_KEYS).map((derive) => derive(key));
    for (const form of [...derived.filter(({ length }) => length >= SHORTEST), inShell, key]) redactor.remember(form);
  }
  const redactIn = (place: unknown): unknown => {
    if (typeof place === "string") return redactor.redact(place);
    if (Array.isArray(place)) return place.map(redactIn);
    if (typeof place !== "object" || place === null) return place;
    return Object.fromEntries(Object.entries(place).map(([name, member]) => [name, redactIn(member)]));
  };
  return redactIn(value) as T; // texts stay texts
}
