// Escapes text for XML and for terminals.

/** Escaped for content and for attributes; characters that XML 1.0 does not have become their code. */
export function escapeMarkup(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return [...text]
    .map(
      (char) =>
        entities[char] ??
        (isInXml(char.codePointAt(0) ?? 0) ? char : `\\u${char.codePointAt(0)?.toString(16).padStart(4, "0")}`),
    )
    .join("");
}

function isInXml(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code < 0xd800 || (code > 0xdfff && code !== 0xfffe && code !== 0xffff);
}

/** A value in a report: JSON, truncated to a readable length. */
export function toShown(value: unknown, longest = 400): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** With control characters escaped: what a target sent must not control the terminal. */
export function toPrintable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (char) =>
    char === "\n" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
