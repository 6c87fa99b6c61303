// The version that semantic versioning asks for (D-64), and whether info.version is at least that.
import type { Change } from "./changes/change.js";

export type Bump = "major" | "minor" | "patch" | "none";

export interface VersionReview {
  needed: Bump;
  /** The lowest version that is enough; the old one where nothing changed. */
  lowest: string;
  isEnough: boolean;
}

export function reviewVersion(changes: readonly Change[], before: string, after: string): VersionReview {
  const has = (kind: Change["class"]) => changes.some((change) => change.class === kind);
  const needed = has("breaking") ? "major" : has("compatible") ? "minor" : has("editorial") ? "patch" : "none";
  const [major, minor, patch] = toNumbers(before);
  const lowest = {
    major: [major + 1, 0, 0],
    minor: [major, minor + 1, 0],
    patch: [major, minor, patch + 1],
    none: [major, minor, patch],
  }[needed];
  return { needed, lowest: lowest.join("."), isEnough: compare(toNumbers(after), lowest) >= 0 };
}

function toNumbers(version: string): [major: number, minor: number, patch: number] {
  const [major = 0, minor = 0, patch = 0] = String(version)
    .split(/[.+-]/)
    .map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const differences = one.map((part, index) => part - (other[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
