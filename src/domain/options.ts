// Options as programs pass them, checked by name and value: a misspelled one would have no effect, and nobody would know.
// Small, since browsers load it with the client.

/** What a value must be, and whether it is. */
export type Check = readonly [description: string, isValid: (value: never) => boolean];

export const TEXT: Check = ["a text", (value: unknown) => typeof value === "string"];
export const FUNCTION: Check = ["a function", (value: unknown) => typeof value === "function"];
export const OBJECT: Check = ["an object", isObject];
/** Milliseconds, say; `Infinity` is no limit. */
export const DURATION: Check = ["a number, 0 or more", (value: unknown) => typeof value === "number" && value >= 0];
export const COUNT: Check = ["a number, 1 or more", (value: unknown) => typeof value === "number" && value >= 1];

/**
 * Checks the options of a function; undefined ones count as left out. Values are never repeated: one may be a key.
 * @param name of the function, for the message.
 * @throws TypeError for an unknown option, with the nearest one, for a missing one and for a wrong value.
 */
export function assertOptions(
  name: string,
  options: unknown,
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): void {
  const toError = (message: string) => new TypeError(`${name}: ${message}`);
  if (!isObject(options)) throw toError(`the options must be an object, not ${typeof options}.`);
  for (const [option, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, option) && checks[option];
    if (!check) throw toError(`there is no option \`${option}\`. ${toHint(option, Object.keys(checks))}`);
    if (value === undefined || check[1](value as never)) continue;
    throw toError(`\`${option}\` must be ${check[0]}, not ${typeof value === "number" ? value : typeof value}.`);
  }
  const missing = required.find((option) => options[option] === undefined);
  if (missing) throw toError(`\`${missing}\` is missing; it must be ${checks[missing]?.[0]}.`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Did you mean …?`, or all names where none is near. */
export function toHint(name: string, names: readonly string[]): string {
  const nearest = toNearest(name, names);
  return nearest ? `Did you mean \`${nearest}\`?` : `Expected one of ${names.join(", ")}.`;
}

const MAX_EDITS = 3;

/** The name that differs in the fewest letters, in at most a third of them; case does not count. */
export function toNearest(name: string, names: readonly string[]): string | undefined {
  const text = name.toLowerCase();
  const most = Math.min(MAX_EDITS, Math.ceil(text.length / 3));
  const [nearest] = names
    .map((candidate) => ({ candidate, edits: countEdits(text, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.candidate;
}

/** Levenshtein's distance. */
function countEdits(a: string, b: string): number {
  let row = [...`${b} `].map((_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    let left = i + 1;
    row = [
      left,
      ...[...b].map(
        (other, j) => (left = Math.min((row[j] ?? 0) + Number(letter !== other), (row[j + 1] ?? 0) + 1, left + 1)),
      ),
    ];
  }
  return row.at(-1) ?? 0;
}
