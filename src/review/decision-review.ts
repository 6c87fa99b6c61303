// The decisions, as a reviewer wants them: the new, the changed and the overdue ones first.
import type { Contract } from "../contract/contract.js";
import type { Decision } from "../contract/openapi-document.js";

export interface ReviewedDecision extends Decision {
  id: string;
  line: number;
  news: "new" | "changed" | "overdue" | undefined;
  /** What it said before, where it changed. */
  before: Decision | undefined;
}

export interface DecisionReview {
  decisions: ReviewedDecision[];
  /** Ids that the base has and this contract does not. */
  dropped: string[];
}

const ORDER = ["new", "changed", "overdue", undefined];

export function reviewDecisions(contract: Contract, base: Contract | undefined, today: Date): DecisionReview {
  const [now, then] = [contract.document["x-decisions"] ?? {}, base?.document["x-decisions"] ?? {}];
  const decisions = Object.entries(now).map(([id, decision]) => {
    const before = then[id];
    const isChanged = before !== undefined && JSON.stringify(before) !== JSON.stringify(decision);
    const news = base && !before ? "new" : isChanged ? "changed" : isOverdue(decision, today) ? "overdue" : undefined;
    const line = contract.file.lineOf(["x-decisions", id]);
    return { ...decision, id, line, news, before: isChanged ? before : undefined } satisfies ReviewedDecision;
  });
  return {
    decisions: decisions.toSorted((one, other) => ORDER.indexOf(one.news) - ORDER.indexOf(other.news)),
    dropped: Object.keys(then).filter((id) => !now[id]),
  };
}

/** `revisit` is an event in words, or a date; a date that has passed is overdue. */
function isOverdue({ revisit }: Decision, today: Date): boolean {
  const [date] = /\d{4}-\d{2}-\d{2}/.exec(String(revisit)) ?? [];
  return date !== undefined && date < today.toISOString().slice(0, 10);
}
