// Headers as Node received them: names in their own case, repeated ones apart.

/** Node's `rawHeaders` (names and values in turn) as pairs. */
export function toHeaderPairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""]] : []));
}
