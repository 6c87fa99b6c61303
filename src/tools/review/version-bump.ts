// Compares info.version with the version that semantic versioning asks for (D-64).
import type { Change, ChangeClass } from "./changes/change.js";

export interface VersionReview {
  needed: "major" | "minor" | "patch" | "none";
  /** The lowest version that is enough; the old one if nothing changed. */
  lowest: string;
  isEnough: boolean;
  /** What is wrong with the version itself, whatever changed. */
  error: string | undefined;
}

/** The class that asks for the highest version comes first. */
const BUMPS: readonly (readonly [ChangeClass, VersionReview["needed"]])[] = [
  ["breaking", "major"],
  ["undecided", "minor"], // an undecided change is a reason to reject anyway
  ["compatible", "minor"],
  ["editorial", "patch"],
];

export function reviewVersion(changes: readonly Change[], before: string, after: string): VersionReview {
  const [, needed] = BUMPS.find(([kind]) => changes.some((change) => change.class === kind)) ?? [undefined, "none"];
  const [was, is] = [parse(before), parse(after)];
  if (!is)
    return { needed, lowest: before, isEnough: false, error: `${after} is not a semantic version, such as 1.2.0` };
  if (!was) return { needed, lowest: after, isEnough: true, error: undefined }; // nothing to count from
  const [major, minor, patch] = was.numbers;
  const next = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  // A prerelease announces the version that it leads to; between two of them, anything may change.
  const lowest = was.prerelease !== undefined || needed === "none" ? was.numbers : next[needed];
  const isLower = toSortKey(is) < toSortKey(was);
  return {
    needed,
    lowest: lowest.join("."),
    isEnough: !isLower && toSortKey({ numbers: is.numbers }) >= toSortKey({ numbers: lowest }),
    error: isLower ? `${after} is lower than ${before}, the version before` : undefined,
  };
}

interface Version {
  numbers: readonly number[];
  prerelease?: string | undefined;
}

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-.]+)?$/;

function parse(version: string) {
  const [, major, minor, patch, prerelease] = SEMVER.exec(String(version)) ?? [];
  if (patch === undefined || prerelease?.split(".").some((part) => /^0\d+$/.test(part))) return undefined;
  return { numbers: [Number(major), Number(minor), Number(patch)] as const, prerelease };
}

/** Sorts as text in the order of semver.org §11: numbers by value and before words; a release after its prereleases. */
function toSortKey({ numbers, prerelease = "~" }: Version): string {
  const toKey = (part: number | string) => (/^\d+$/.test(String(part)) ? String(part).padStart(20, "0") : `w${part}`);
  return [...numbers, ...prerelease.split(".")].map(toKey).join(" ");
}
