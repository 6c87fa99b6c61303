// The releases of a repository, each with the one before it, and what broke between them without a new major version.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadBase } from "../../src/review/base-contract.js";
import { findChanges } from "../../src/review/changes/find-changes.js";

/** Tags like v1.2.3, oldest first; none where there is no git, as in an unpacked archive. */
export function releasesOf(folder: string): string[] {
  if (!existsSync(join(folder, ".git"))) return [];
  const tags = execFileSync("git", ["tag", "--list", "v[0-9]*", "--sort=version:refname"], {
    cwd: folder,
    encoding: "utf8",
  });
  return tags.split("\n").filter((tag) => tag !== "");
}

/** Ids of the breaking changes between two releases; none where the contract has a new major version. */
export async function findBreaks(older: string, newer: string, contractPath: string): Promise<string[]> {
  const [before, after] = [await loadBase(older, contractPath), await loadBase(newer, contractPath)];
  const [was, is] = [before, after].map(({ document }) => Number.parseInt(document.info.version, 10));
  if (was !== is) return [];
  return findChanges(before, after).flatMap((change) => (change.class === "breaking" ? change.id : []));
}
