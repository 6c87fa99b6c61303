// The verdict and the counts that every report begins with.
import type { Review } from "../review.js";
import { findGap } from "../trace.js";

export function countOf(list: readonly unknown[], noun: string): string {
  return `${list.length === 0 ? "no" : list.length} ${noun}${list.length === 1 ? "" : "s"}`;
}

export function toVerdictText({ verdict, reasons }: Review): string {
  return verdict === "accept" ? "Accept: no reason to reject it" : `Reject: ${countOf(reasons, "reason")}`;
}

export function summarise({ base, changes, decisions, trace, examples, lint, rules }: Review): string[] {
  const ofClass = (kind: string) => changes.filter((change) => change.class === kind).length;
  const ofStatus = (status: string) => decisions.decisions.filter((decision) => decision.status === status).length;
  const failed = examples.filter(({ outcome }) => outcome === "failed").length;
  const errors = lint.filter(({ isError }) => isError).length;
  const gaps = trace.filter((clause) => findGap(clause)).length;
  const note = trace.some(({ tests }) => tests) ? "" : " (the tests are not part of this package)";
  return [
    ...(base
      ? [
          `Changes: ${ofClass("breaking")} breaking, ${ofClass("compatible")} compatible, ${ofClass("editorial")} editorial`,
        ]
      : []),
    `Decisions: ${decisions.decisions.length}; ${ofStatus("new")} new, ${ofStatus("changed")} changed, ${decisions.removed.length} removed, ${ofStatus("overdue")} overdue`,
    `Clauses of the document: ${trace.length}, ${gaps} with a gap${note}`,
    `Examples: ${examples.length - failed} replayed and correct, ${failed} wrong`,
    `Lint: ${errors} errors, ${lint.length - errors} warnings; ${Object.keys(rules.off).length} rules are off, each with its reason`,
  ];
}
