// Two texts, cut around what differs between them.

/** How much of what is the same is kept on either side. */
const CONTEXT = 40;
const LIMIT = 160;

/** `“…at most 255…” → “…at most 512…”`. */
export function toDifference(before: unknown, after: unknown): string {
  return cutAround(before, after).join(" → ");
}

/** Both texts, quoted. */
export function cutAround(before: unknown, after: unknown): [string, string] {
  const [one, other] = [toText(before), toText(after)];
  if (one === undefined || other === undefined) return [quote(one), quote(other)];
  const start = Math.max(0, lengthInCommon(one, other) - CONTEXT);
  const rest = [one.slice(start), other.slice(start)].map((text) => text.split("").toReversed().join(""));
  const end = Math.max(0, lengthInCommon(rest[0] ?? "", rest[1] ?? "") - CONTEXT);
  const cut = (text: string) => `${start > 0 ? "…" : ""}${text.slice(start, text.length - end)}${end > 0 ? "…" : ""}`;
  return [quote(cut(one)), quote(cut(other))];
}

function lengthInCommon(one: string, other: string): number {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length += 1;
  return length;
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}

function quote(text: string | undefined): string {
  if (text === undefined) return "nothing";
  return text.length > LIMIT ? `“${text.slice(0, LIMIT - 3)}…”` : `“${text}”`;
}
