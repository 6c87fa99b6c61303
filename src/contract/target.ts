// A request's target, taken apart as RFC 3986 §3 has it: the query begins at the first question mark, and may contain
// more of them.

export interface Target {
  /** Percent-encoded, as sent. */
  path: string;
  /** Without the question mark; undefined if there is none. */
  query: string | undefined;
}

export function splitTarget(target: string): Target {
  const withoutFragment = target.split("#", 1)[0] ?? "";
  const start = withoutFragment.indexOf("?");
  if (start === -1) return { path: withoutFragment, query: undefined };
  return { path: withoutFragment.slice(0, start), query: withoutFragment.slice(start + 1) };
}

/** The parameters of a target's query. */
export function queryOf(target: string): URLSearchParams {
  return new URLSearchParams(splitTarget(target).query ?? "");
}

/** A pair of a query, as sent. The value is undefined without an equals sign. */
export type Pair = readonly [name: string, value: string | undefined];

/** The pairs of a query, still percent-encoded. One may be empty, as between `&&`. */
export function pairsOf(query: string): Pair[] {
  return query.split("&").map((pair) => {
    const end = pair.indexOf("=");
    return end === -1 ? [pair, undefined] : [pair.slice(0, end), pair.slice(end + 1)];
  });
}

export function joinTarget(path: string, query: string | undefined): string {
  return query === undefined ? path : `${path}?${query}`;
}

/** Encodes what a target cannot hold, such as a space: a path of the contract may have it. Keeps percent-encoding. */
export function encodePath(path: string): string {
  return encodeURI(path).replaceAll("%25", "%");
}

/** One text for all encodings of a path that mean the same (RFC 3986 §6.2.2): `/%6eame/a%2fb` → `/name/a%2Fb`. */
export function normalizePath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replaceAll(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}
