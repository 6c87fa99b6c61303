// A failure as text, as every report but the page shows it.
import type { Failure } from "../result.js";
import { toShown } from "./markup.js";

/** On several lines: what differs, and the requests. */
export function toFailureText({ what, expected, actual, curl }: Failure): string {
  const lines = [what, `expected  ${toShown(expected)}`, `actual    ${toShown(actual)}`, ...(curl ? [curl] : [])];
  return lines.join("\n");
}

/** On one line. */
export function toFailureLine({ what, expected, actual }: Failure, longest: number): string {
  return `${what}: expected ${toShown(expected, longest)}, actual ${toShown(actual, longest)}`;
}

/** How many other failures are alike, in brackets. */
export function toAlike({ length }: readonly string[]): string {
  return length > 0 ? ` (and ${length} alike)` : "";
}
