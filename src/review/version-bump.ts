// The version that semantic versioning asks for (D-64), and whether info.version is at least that.
import type { Change } from "./changes/change.js";

export interface VersionReview {
  needed: "major" | "minor" | "patch" | "none";
  /** The lowest version that is enough; the old one where nothing changed. */
  lowest: string;
  isEnough: boolean;
}

const BUMPS = { breaking: "major", compatible: "minor", editorial: "patch" } as const;

export function reviewVersion(changes: readonly Change[], before: string, after: string): VersionReview {
  const kinds = (["breaking", "compatible", "editorial"] as const).filter((kind) =>
    changes.some((change) => change.class === kind),
  );
  const bump = kinds[0] ? BUMPS[kinds[0]] : "none";
  const [major, minor, patch] = toNumbers(before);
  const lowest = {
    major: [major + 1, 0, 0],
    minor: [major, minor + 1, 0],
    patch: [major, minor, patch + 1],
    none: [major, minor, patch],
  }[bump];
  const differences = toNumbers(after).map((part, index) => part - (lowest[index] ?? 0));
  return {
    needed: bump,
    lowest: lowest.join("."),
    isEnough: (differences.find((difference) => difference !== 0) ?? 0) >= 0,
  };
}

function toNumbers(version: string): [major: number, minor: number, patch: number] {
  const [major = 0, minor = 0, patch = 0] = String(version)
    .split(/[.+-]/)
    .map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}
