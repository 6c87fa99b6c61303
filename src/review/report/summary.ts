// The counts that every report opens with.
import type { Review } from "../review.js";
import { gapOf } from "../trace.js";

export function countOf(list: readonly unknown[], noun: string): string {
  return `${list.length === 0 ? "no" : list.length} ${noun}${list.length === 1 ? "" : "s"}`;
}

export function summarise({ base, changes, decisions, trace, examples, lint, rules }: Review): string[] {
  const of = (kind: string) => changes.filter((change) => change.class === kind).length;
  const news = (kind: string) => decisions.decisions.filter((decision) => decision.news === kind).length;
  const outcome = (kind: string) => examples.filter((example) => example.outcome === kind).length;
  const gaps = trace.filter((clause) => gapOf(clause)).length;
  const tested = trace.some(({ tests }) => tests) ? "shown by tests" : "the tests are not here to look at";
  return [
    ...(base
      ? [`Changes: ${of("breaking")} breaking, ${of("compatible")} compatible, ${of("editorial")} editorial`]
      : []),
    `Decisions: ${decisions.decisions.length}; ${news("new")} new, ${news("changed")} changed, ${decisions.dropped.length} dropped, ${news("overdue")} overdue`,
    `Clauses of the document: ${trace.length}, ${gaps} with a gap (${tested})`,
    `Examples: ${outcome("holds") + outcome("accepted")} replayed and right, ${outcome("broken")} broken`,
    `Lint: ${lint.filter(({ isError }) => isError).length} errors, ${lint.filter(({ isError }) => !isError).length} warnings; ${Object.keys(rules.off).length} rules off, each with its reason`,
  ];
}
