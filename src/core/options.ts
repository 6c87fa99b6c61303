// Options of the package's entries: checks their names and values, since a misspelled one would silently have no effect,
// and resolves their addresses. Small, since browsers load it with the client.
import { isObject } from "../contract/json.js";
import { findNearestName } from "../contract/nearest-name.js";

/** A description of valid values, and a test for them. */
export type OptionRule = readonly [description: string, isValid: (value: unknown) => boolean];

export const TEXT: OptionRule = ["a string", (value: unknown) => typeof value === "string"];
export const FUNCTION: OptionRule = ["a function", (value: unknown) => typeof value === "function"];
export const OBJECT: OptionRule = ["an object", isObject];
/** `Infinity` means no limit. */
export const NUMBER: OptionRule = ["a number, 0 or more", (value: unknown) => typeof value === "number" && value >= 0];

/**
 * Checks the options of a function. Undefined options count as absent. Messages never repeat a text: it may be a key.
 * @param name the function's name, for messages.
 * @throws TypeError for a missing option, a wrong value, or an unknown option, with a suggestion.
 */
export function assertOptions(
  name: string,
  options: unknown,
  checks: Readonly<Record<string, OptionRule>>,
  required: readonly string[] = [],
): void {
  const toError = (message: string) => new TypeError(`${name}: ${message}`);
  if (!isObject(options))
    throw toError(`the options must be an object${required.length > 0 ? ` with ${required.join(" and ")}` : ""}.`);
  const needed = Object.fromEntries(required.map((option) => [option, options[option]]));
  for (const [option, value] of Object.entries({ ...options, ...needed })) {
    const [description, isValid] = checks[option] ?? [];
    if (!isValid) throw toError(`there is no option \`${option}\`. ${suggestName(option, Object.keys(checks))}`);
    if (value === undefined ? !required.includes(option) : isValid(value)) continue;
    throw toError(`\`${option}\` must be ${description}, got ${typeof value === "number" ? value : typeof value}.`);
  }
}

/** Suggests the nearest name, or lists all names if none is near. */
export function suggestName(name: string, names: readonly string[]): string {
  const nearest = findNearestName(name, names);
  return nearest ? `Did you mean \`${nearest}\`?` : `Expected one of ${names.join(", ")}.`;
}

/** Completes an address by the page's. Undefined where there is no page, as on a server. */
export function resolveAddress(address: string): string | undefined {
  if (/^[a-z]/i.test(address)) return address;
  const { href = "" } = (globalThis as { location?: { href?: string } }).location ?? {};
  return /^https?:/.test(href) ? new URL(address || "/", href).href : undefined;
}

/** What to do where there is no page. @param name what is relative */
export function relativeMessage(name: string): string {
  return `${name} is relative: give an absolute one, such as http://127.0.0.1:4010. No page completes it here.`;
}

/** An invalid setting or option. The message says which, and what is valid. */
export class ConfigError extends Error {
  override name = "ConfigError";
}
