// The reasons to reject a change.
import type { Contract } from "../../../src/contract/contract.js";
import { findChanges } from "../../../src/tools/review/changes/changes.js";
import { reviewDecisions } from "../../../src/tools/review/decisions.js";
import { lint } from "../../../src/tools/review/lint.js";
import { findReasons, type ReviewResults } from "../../../src/tools/review/reasons.js";
import { reviewVersion } from "../../../src/tools/review/version.js";

export function reasonTreesOf(base: Contract, contract: Contract, known: Partial<ReviewResults> = {}) {
  const { changes = findChanges(base, contract) } = known;
  const [was, is] = [base, contract].map(({ document }) => String(document.info.version)) as [string, string];
  const decisions = reviewDecisions(contract, base, changes);
  const version = reviewVersion(changes, was, is);
  const results = { changes, version, decisions, base: { name: "base", version: was } };
  return findReasons({ ...results, lint: known.lint ?? lint(contract), ...known });
}

/** Their ids, each before those of what follows from it. */
export function reasonsOf(...of: Parameters<typeof reasonTreesOf>): string[] {
  return reasonTreesOf(...of).flatMap(({ id, follows = [] }) => [id, ...follows.map((one) => one.id)]);
}
