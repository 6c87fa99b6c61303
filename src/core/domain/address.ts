// Addresses that may be relative to the page, as `/api`.

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
