// What to say where there is no response: which URL, why, and what to do about it.

const LOOPBACK = /^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/;

/** @param url without what may be secret in its query. */
export function toNetworkMessage(cause: unknown, url: string): string {
  const code = findCode(cause);
  const hint =
    "process" in globalThis && LOOPBACK.test(url) && code === "ECONNREFUSED"
      ? " Is `notifications-contract serve` running there?"
      : "";
  return `There is no response from ${url}: ${code ?? String(cause)}.${hint}`;
}

/** Node has the code in the cause; for `localhost`, in the cause's own causes, one for each address. */
function findCode(error: unknown): string | undefined {
  const { code, cause, errors = [] } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === "string") return code;
  return cause || errors[0] ? (findCode(cause) ?? findCode(errors[0])) : undefined;
}
