// The reasons to reject a change, without those that need a server or all lint rules.
import type { Contract } from "../../src/contract/contract.js";
import { findChanges } from "../../src/review/changes/find-changes.js";
import { reviewDecisions } from "../../src/review/decision-review.js";
import { findReasons, type ReviewResults } from "../../src/review/find-reasons.js";
import { agreements } from "../../src/review/lint/agreements.js";
import { reviewVersion } from "../../src/review/version-bump.js";

/** Their ids, each before those of what follows from it. */
export function reasonsOf(base: Contract, contract: Contract, known: Partial<ReviewResults> = {}): string[] {
  const { changes = findChanges(base, contract) } = known;
  const [was, is] = [base, contract].map(({ document }) => String(document.info.version)) as [string, string];
  const lint = agreements(contract).map(({ pointer, message }) => ({
    ...{ rule: "agreements", isError: true, message, place: pointer.join("/"), line: 1 },
  }));
  const decisions = reviewDecisions(contract, base, new Date("2026-12-01"));
  const version = reviewVersion(changes, was, is);
  const results = { changes, version, decisions, lint, base: { name: "base", version: was }, examples: [], trace: [] };
  return findReasons({ ...results, ...known }).flatMap(({ id, follows = [] }) => [id, ...follows.map((one) => one.id)]);
}
