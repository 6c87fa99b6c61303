// The reasons to reject a change, without those that need a server or all lint rules.
import type { Contract } from "../../../src/contract/contract.js";
import { findChanges } from "../../../src/tools/review/changes/find-changes.js";
import { reviewDecisions } from "../../../src/tools/review/decision-review.js";
import { findReasons, type ReviewResults } from "../../../src/tools/review/find-reasons.js";
import { agreements } from "../../../src/tools/review/lint/agreements.js";
import { linkedOperations } from "../../../src/tools/review/lint/pitfalls.js";
import { reviewVersion } from "../../../src/tools/review/version-bump.js";

export function reasonTreesOf(base: Contract, contract: Contract, known: Partial<ReviewResults> = {}) {
  const { changes = findChanges(base, contract) } = known;
  const [was, is] = [base, contract].map(({ document }) => String(document.info.version)) as [string, string];
  const lint = Object.entries({ agreements, "linked-operations": linkedOperations }).flatMap(([name, rule]) =>
    rule(contract).map((one) => ({ ...one, rule: name, isError: true, place: one.pointer.join("/"), line: 1 })),
  );
  const decisions = reviewDecisions(contract, base);
  const version = reviewVersion(changes, was, is);
  const results = { changes, version, decisions, lint, base: { name: "base", version: was }, examples: [], trace: [] };
  return findReasons({ ...results, ...known });
}

/** Their ids, each before those of what follows from it. */
export function reasonsOf(...of: Parameters<typeof reasonTreesOf>): string[] {
  return reasonTreesOf(...of).flatMap(({ id, follows = [] }) => [id, ...follows.map((one) => one.id)]);
}
