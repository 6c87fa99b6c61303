// The package's entry as bundlers for browsers resolve it: its functions say which entry a page needs. Without it, a
// bundler reports each of the server's imports of Node.

export function startServer(): never {
  throw new Error(
    "startServer needs Node.js, and this code was bundled for a browser. For a page, take createFetchHandler of " +
      "notifications-contract/fetch, or startPreview of notifications-contract/preview. For a test in Node, let it " +
      "resolve the entries of Node (the condition `node`, not `browser`).",
  );
}

/** For `instanceof`: no server of a page can fail to listen. */
export class CannotListenError extends Error {}
