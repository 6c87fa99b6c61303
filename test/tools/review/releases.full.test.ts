// This repository's own history: no release broke the one before it without a new major version, and neither does what
// is to be released next.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { findChanges } from "../../../src/tools/review/changes/changes.js";
import { loadBase, reviewContract } from "../../../src/tools/review/review.js";
import { ROOT } from "../../support/command.js";

/** The commits of releases that whoever publishes may still have to tag: CONTRIBUTING.md names them. */
const UNTAGGED = [
  ["0.2.0", "617da85c"],
  ["1.0.0", "46cd58e4"],
  ["1.1.0", "35a66301"],
  ["2.0.0", "3f131fde"],
] as const;

const releases = releasesOf(ROOT);
const pairs = releases.slice(1).map((newer, index) => [releases[index] ?? "", newer] as const);

describe("the releases of this repository", () => {
  test.each(pairs)("%s to %s", async (older, newer) => {
    expect(await findBreaks(older, newer, CONTRACT_PATH)).toEqual([]);
  });

  test("CONTRIBUTING.md names the commits that are still to be tagged", () => {
    const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
    for (const [version, commit] of UNTAGGED) expect(guide).toContain(`${version} is \`${commit}\``);
  });

  const last = releases.at(-1);
  // Without a release, review-command.test.ts reviews the contract as it stands.
  test.skipIf(last === undefined)("the last one to what comes next", async () => {
    const review = await reviewContract({ contractPath: CONTRACT_PATH, base: last });
    // What is worded or answered in another way since then was agreed on when it was merged.
    expect(review.reasons.filter(({ id }) => !/^(decision|text):/.test(id))).toEqual([]);
    expect(review.base?.name).toBe(last);
  });
});

/**
 * Tags like v1.2.3, oldest first, or the commits that stand for them until there are tags; none where there is no git,
 * as in an unpacked archive.
 */
function releasesOf(folder: string): string[] {
  if (!existsSync(join(folder, ".git"))) return [];
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).split("\n");
  const tags = git("tag", "--list", "v[0-9]*", "--sort=version:refname").filter((tag) => tag !== "");
  return tags.length > 0 ? tags : UNTAGGED.map(([, commit]) => commit);
}

/** Ids of the breaking changes between two releases; none where the contract has a new major version. */
async function findBreaks(older: string, newer: string, contractPath: string): Promise<string[]> {
  const [before, after] = [await loadBase(older, contractPath), await loadBase(newer, contractPath)];
  const [was, is] = [before, after].map(({ document }) => Number.parseInt(document.info.version, 10));
  if (was !== is) return [];
  return findChanges(before, after).flatMap((change) => (change.class === "breaking" ? change.id : []));
}
