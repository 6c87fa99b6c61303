// What to say where there is no response: which URL, why, and what to do about it.

const LOOPBACK = /^http:..(localhost|127\.|\[::1)/;

/** @param url without what may be secret in its query. */
export function toNetworkMessage(cause: unknown, url: string): string {
  const { code } = ((cause as Error)?.cause ?? cause ?? {}) as { code?: unknown }; // Node has it in the cause
  const hint = code === "ECONNREFUSED" && LOOPBACK.test(url) ? " Is `notifications-contract serve` running there?" : "";
  return `There is no response from ${url}: ${typeof code === "string" ? code : cause}.${hint}`;
}
