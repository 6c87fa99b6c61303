// What reports call clauses and decisions.
import type { Contract } from "../contract/contract.js";
import { findClauseDetails, findClauseTitle } from "../pages/docs/source-document.js";
import { type Content, details, list, marked, paragraph, strong } from "../pages/report/blocks.js";

/** The clauses and decisions that a report cites. */
export interface CitedRules {
  /** The question of each decision, and the title of each clause, by the citation. */
  citations: Record<string, string>;
  /** The answer of each decision, and what a clause says beyond its title. */
  answers: Record<string, string>;
}

/** A decision, not each sentence of it: `D-71` for `D-71.2`. */
export function formatCitation(cite: string): string {
  return cite.replace(/^(D-\d+)\..*/, "$1");
}

export function findCitedRules({ document }: Contract, cites: readonly string[]): CitedRules {
  const { "x-decisions": decisions = {} } = document;
  const all = [...new Set(cites.map(formatCitation))].sort();
  return {
    citations: Object.fromEntries(all.map((id) => [id, decisions[id]?.question ?? findClauseTitle(id)])),
    answers: Object.fromEntries(all.map((id) => [id, (decisions[id]?.answer ?? findClauseDetails(id)).trim()])),
  };
}

/** A question, and its answer beneath it. */
function buildCitedRule(id: string, { citations, answers }: CitedRules): Content {
  const title = marked(citations[id] ?? "").map((part) => (typeof part === "string" ? strong(part) : part));
  return [paragraph(`${id} `, title), answers[id] && paragraph(marked(answers[id]))];
}

const LONG = 500;

/** The rules that something rests on, each with its question and answer. A long text is folded. */
export function buildBasis(cites: readonly string[], rules: CitedRules): Content {
  const ids = [...new Set(cites.map(formatCitation))];
  const items = ids.map((id) => buildCitedRule(id, rules));
  const isOpen = ids.reduce((sum, id) => sum + (rules.answers[id] ?? "").length, 0) < LONG;
  return ids.length > 0 && details(`Rests on ${cites.join(", ")}`, list(items), undefined, { isOpen });
}
