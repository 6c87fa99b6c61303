// The `_id` of a workflow in a text: as it is, or in base62 at the end of a slug (D-16, D-22).

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = BigInt(ALPHABET.length);
// 16 digits hold the ids of every real date up to 2051; only an id beyond needs a 17th.
const SLUG = /^.+_wf_([0-9A-Za-z]{16,17})$/s;
const OBJECT_ID_LIMIT = 1n << 96n;

/** The `_id` that a text gives, as it is or inside a slug; undefined where the text has neither form. */
export function toWorkflowId(text: string): string | undefined {
  return /^[0-9a-f]{24}$/i.test(text) ? text.toLowerCase() : toIdFromSlug(text);
}

/**
 * The workflow `_id` inside a slug, or undefined where the text has not the form of a slug. The name in front is not
 * looked at, so that a slug from before a renaming still works.
 */
export function toIdFromSlug(text: string): string | undefined {
  const digits = SLUG.exec(text)?.[1];
  if (digits === undefined) return undefined;
  let id = 0n;
  for (const digit of digits) id = id * BASE + BigInt(ALPHABET.indexOf(digit));
  return id < OBJECT_ID_LIMIT ? id.toString(16).padStart(24, "0") : undefined;
}

export function toBase62(objectId: string): string {
  let rest = BigInt(`0x${objectId}`);
  let digits = "";
  for (; rest > 0n; rest /= BASE) digits = ALPHABET.charAt(Number(rest % BASE)) + digits;
  return digits.padStart(16, "0");
}
