// The page's state is in its address, so that a reload, a bookmark and a shared link show the same.

export function readPageAddress(): URLSearchParams {
  return new URLSearchParams(location.search);
}

/** Sets these parameters and keeps the others; an empty list removes a parameter. */
export function writePageAddress(changes: Record<string, readonly string[]>): void {
  const query = readPageAddress();
  for (const [name, values] of Object.entries(changes)) {
    query.delete(name);
    for (const value of values) query.append(name, value);
  }
  const search = query.size > 0 ? `?${query}` : "";
  history.replaceState(null, "", `${location.pathname}${search}${location.hash}`);
}
