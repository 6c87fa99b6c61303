// Two texts, cut around what differs between them, at the ends of words.

/** How many words of what is the same are kept on either side. */
const CONTEXT = 6;
const LIMIT = 160;

/** `“… at most 255 …” → “… at most 512 …”`. */
export function toDifference(before: unknown, after: unknown): string {
  return cutAround(before, after).join(" → ");
}

/** Both texts, quoted. */
export function cutAround(before: unknown, after: unknown): [string, string] {
  if (before === undefined || after === undefined) return [quote(toWords(before)), quote(toWords(after))];
  const [one, other] = [toWords(before), toWords(after)];
  const start = countShared(one, other);
  const end = countShared(one.slice(start).toReversed(), other.slice(start).toReversed());
  const cut = (words: string[]) => {
    const [from, to] = [start - CONTEXT, words.length - end + CONTEXT];
    const kept = words.slice(Math.max(0, from), to);
    return quote([...(from > 0 ? ["… "] : []), ...kept, ...(to < words.length ? ["…"] : [])]);
  };
  return [cut(one), cut(other)];
}

function countShared(one: string[], other: string[]): number {
  const end = one.findIndex((word, index) => word !== other[index]);
  return end === -1 ? one.length : end;
}

/** With the blank or comma behind each. */
function toWords(value: unknown): string[] {
  const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
  return text?.split(/(?<=[\s,])(?=[^\s,])/) ?? [];
}

function quote(words: readonly string[]): string {
  if (words.length === 0) return "nothing";
  const text = words.join("");
  if (text.length <= LIMIT) return `“${text}”`;
  const end = text.slice(0, LIMIT).search(/[\s,][^\s,]*$/);
  return `“${text.slice(0, end > 0 ? end : LIMIT)}…”`;
}
