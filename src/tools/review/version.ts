// Compares info.version with the version that semantic versioning asks for (D-64). The build bundles the library into
// this module (src/build/bundle.js), so that users need not install it.
import semver, { type SemVer } from "semver";
import type { Change, ChangeClass } from "./changes/change.js";

const { gte, inc, lt, parse } = semver; // CommonJS: its names are members of the default

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
  ["note", "patch"],
  ["editorial", "patch"],
];

export function reviewVersion(changes: readonly Change[], before: string, after: string): VersionReview {
  const [, needed] = BUMPS.find(([kind]) => changes.some((change) => change.class === kind)) ?? [undefined, "none"];
  const [was, is] = [parseVersion(before), parseVersion(after)];
  if (!is)
    return { needed, lowest: before, isEnough: false, error: `${after} is not a semantic version, such as 1.2.0` };
  if (!was) return { needed, lowest: after, isEnough: true, error: undefined }; // nothing to count from
  // A prerelease announces the version that it leads to; between two of them, anything may change.
  const isFree = was.prerelease.length > 0 || needed === "none";
  const lowest = isFree ? formatRelease(was) : (inc(formatRelease(was), needed) ?? after);
  const isLower = lt(is, was);
  return {
    needed,
    lowest,
    isEnough: !isLower && gte(formatRelease(is), lowest),
    error: isLower ? `${after} is lower than ${before}, the version before` : undefined,
  };
}

/** Versions such as `v1.2.0` are names of tags. */
const parseVersion = (version: string) => (/^\d/.test(version) ? parse(version) : null);

const formatRelease = ({ major, minor, patch }: SemVer) => `${major}.${minor}.${patch}`;
