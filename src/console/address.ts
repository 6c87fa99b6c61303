// What is shown stands in the page's address, so that a reload, a bookmark and a colleague see the same.

export function readAddress(): URLSearchParams {
  return new URLSearchParams(location.search);
}

/** Sets these parameters and leaves the others; an empty list removes one. */
export function writeAddress(changes: Record<string, readonly string[]>): void {
  const query = readAddress();
  for (const [name, values] of Object.entries(changes)) {
    query.delete(name);
    for (const value of values) query.append(name, value);
  }
  const search = query.size > 0 ? `?${query}` : "";
  history.replaceState(null, "", `${location.pathname}${search}${location.hash}`);
}
