// Compares the decisions with those of the base, and sorts them as a reviewer reads them: new and changed ones first.
import type { Contract } from "../../contract/contract.js";
import { isEqual } from "../../contract/json.js";
import type { Decision } from "../../contract/model.js";
import type { Change } from "./changes/change.js";
import { findFileDiff } from "./changes/file-diff.js";

export interface ReviewedDecision extends Decision {
  id: string;
  line: number;
  status: "new" | "changed" | "unchanged";
  /** The old text of a changed decision. */
  before: Decision | undefined;
  /** The lines of both answers, if it has another one. */
  diff?: string;
}

export interface DecisionReview {
  /** Those that are new or changed, or that a change rests on. */
  decisions: ReviewedDecision[];
  /** Ids of the base that this contract lacks. */
  removed: string[];
}

const ORDER = ["new", "changed", "unchanged"];

export function reviewDecisions(
  contract: Contract,
  base: Contract | undefined,
  changes: readonly Change[],
): DecisionReview {
  const touched = new Set(changes.flatMap(({ restsOn }) => restsOn));
  const [newer, older] = [contract.document["x-decisions"] ?? {}, base?.document["x-decisions"] ?? {}];
  const decisions = Object.entries(newer).map(([id, decision]): ReviewedDecision => {
    const before = older[id];
    const isChanged = before !== undefined && !isEqual(before, decision);
    const status = base && !before ? "new" : isChanged ? "changed" : "unchanged";
    const line = contract.file.lineOf(["x-decisions", id]);
    const diff =
      base && isChanged && !isEqual(before.answer, decision.answer) ? findDiff(base, contract, id) : undefined;
    return { ...decision, id, line, status, before: isChanged ? before : undefined, ...(diff ? { diff } : {}) };
  });
  const shown = decisions.filter(({ id, status }) => status !== "unchanged" || touched.has(id));
  return {
    decisions: shown.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status)),
    removed: Object.keys(older).filter((id) => !newer[id]),
  };
}

function findDiff({ file: before }: Contract, { file: after }: Contract, id: string): string | undefined {
  const places = [["x-decisions", id, "answer"]];
  return findFileDiff({ before, after }, { before: places, after: places });
}
