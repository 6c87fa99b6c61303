// The version that semantic versioning asks for (D-64), and whether info.version is at least that.
import type { Change, ChangeClass } from "./changes/change.js";

export interface VersionReview {
  needed: "major" | "minor" | "patch" | "none";
  /** The lowest version that is enough; the old one where nothing changed. */
  lowest: string;
  isEnough: boolean;
  /** The error in the version itself, whatever changed. */
  error: string | undefined;
}

/** The class that asks for the highest version comes first. What is not decided is a reason of its own. */
const BUMPS: readonly (readonly [ChangeClass, VersionReview["needed"]])[] = [
  ["breaking", "major"],
  ["undecided", "minor"],
  ["compatible", "minor"],
  ["editorial", "patch"],
];

export function reviewVersion(changes: readonly Change[], before: string, after: string): VersionReview {
  const [, needed] = BUMPS.find(([kind]) => changes.some((change) => change.class === kind)) ?? [undefined, "none"];
  const [was, is] = [parse(before), parse(after)];
  if (!is)
    return { needed, lowest: before, isEnough: false, error: `${after} is not a semantic version, such as 1.2.0` };
  // The base itself is not one: there is nothing to count from.
  if (!was) return { needed, lowest: after, isEnough: true, error: undefined };
  const [major, minor, patch] = was.numbers;
  const lowest = {
    major: [major + 1, 0, 0],
    minor: [major, minor + 1, 0],
    patch: [major, minor, patch + 1],
    none: was.numbers,
  }[was.prerelease ? "none" : needed] as Version["numbers"];
  const isLower = compare(is, was) < 0;
  return {
    needed,
    lowest: lowest.join("."),
    // A prerelease announces the version that it leads to; between two of them, anything may change.
    isEnough: !isLower && compareNumbers(is.numbers, lowest) >= 0,
    error: isLower ? `${after} is lower than ${before}, the version before` : undefined,
  };
}

interface Version {
  numbers: [major: number, minor: number, patch: number];
  prerelease: string | undefined;
}

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-.]+)?$/;

function parse(version: string): Version | undefined {
  const [, major, minor, patch, prerelease] = SEMVER.exec(String(version)) ?? [];
  if (patch === undefined || prerelease?.split(".").some((part) => /^0\d+$/.test(part))) return undefined;
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease };
}

function compareNumbers(a: Version["numbers"], b: Version["numbers"]): number {
  return a.map((part, index) => part - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** By semver.org §11. */
function compare(a: Version, b: Version): number {
  const ofNumbers = compareNumbers(a.numbers, b.numbers);
  if (ofNumbers !== 0 || a.prerelease === b.prerelease) return ofNumbers;
  return toSortKey(a) < toSortKey(b) ? -1 : 1;
}

/** Its parts as text in the order of prereleases: numbers by their value, before words; a release comes last. */
function toSortKey({ prerelease }: Version): string {
  if (prerelease === undefined) return "~";
  const toKey = (part: string) => (/^\d+$/.test(part) ? part.padStart(20, "0") : `w${part}`);
  return prerelease.split(".").map(toKey).join(" ");
}
