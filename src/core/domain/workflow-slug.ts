// Workflow ids, as they are and in base62 at the end of a slug (D-16, D-22).

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = BigInt(ALPHABET.length);
// 16 digits suffice for ids of real dates up to 2051; later ones need a 17th.
const SLUG = /^.+_wf_([0-9A-Za-z]{16,17})$/s;
const OBJECT_ID_LIMIT = 1n << 96n;

/** The id in an `_id` or slug, else undefined. Ignores the name in a slug: old slugs work after a renaming. */
export function parseWorkflowId(text: string): string | undefined {
  if (/^[0-9a-f]{24}$/i.test(text)) return text.toLowerCase();
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
