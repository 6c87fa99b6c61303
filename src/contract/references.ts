// The parts of a `$ref`.
import { type Pointer, parseReference } from "./pointer.js";

const ANCHOR = "is an anchor or id, which is not supported. Refer by place, as in #/components/schemas/Name";
const BACKSLASH = "has a backslash. A reference is a URL: write a slash";

/**
 * Splits a reference into the path of a file, empty for its own, and a place in that file.
 * @param fail creates the error for a reference that is not supported.
 */
export function splitReference(reference: string, fail: (reason: string) => Error): { path: string; pointer: Pointer } {
  const [path = "", fragment = ""] = reference.split("#", 2);
  if (reference.includes("\\")) throw fail(BACKSLASH);
  if (fragment !== "" && !fragment.startsWith("/")) throw fail(ANCHOR);
  return { path, pointer: parseReference(`#${fragment}`) };
}
