// Text inside XML, and on terminals.

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

/** A value in a report: JSON, cut to a length that a reader takes in. */
export function toShown(value: unknown, longest = 400): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** Without the characters that a terminal would obey: what a target sent is shown, not done. */
export function toPrintable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (char) =>
    char === "\n" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
