// Where the fetch handler may differ from the reference, each with its reason. A row holds for every request of its title, and
// each of them has to differ in just this way; a row that is no longer true fails the test.
export interface AcceptedDifference {
  /** Of the request; a pattern stands for several. */
  title: string | RegExp;
  /** What the other responds, then the reference, as comparison.ts words it. */
  difference: string;
  reason: string;
}

const NO_PAGES =
  "The server's pages and files are none of the interface; the fetch handler has the two operations alone.";

export const FETCH_DIFFERENCES: AcceptedDifference[] = [
  {
    title: 'updatePreferences › content encoding "br"',
    difference: "status 415, reference 400",
    reason:
      "Browsers decompress gzip and deflate alone (DecompressionStream). The body is not Brotli, which is the 400.",
  },
  {
    title: /^path \/(docs|openapi\.yaml|openapi\.json|health|favicon\.ico)?( by HEAD)?$/,
    difference: "status 404, reference 200",
    reason: NO_PAGES,
  },
  {
    title: /^path \/(docs|openapi\.yaml|openapi\.json|health|favicon\.ico)? without a key$/,
    difference: "status 401, reference 200",
    reason: NO_PAGES,
  },
];

/** Whether a Request can be such a request: it knows no TRACE, and its URL is in normal form, without a fragment. */
export function isExpressible({ method, target }: { method?: string; target: string }): boolean {
  const { pathname, search } = new URL(target, "http://api.example.com");
  return method !== "TRACE" && pathname + search === target;
}
