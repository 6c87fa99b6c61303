// What reports call clauses and decisions.
import type { Contract } from "../contract/contract.js";
import { findClauseTitle } from "../pages/shell/source-document.js";

/** A decision, not each sentence of it: `D-71` for `D-71.2`. */
export function formatCitation(cite: string): string {
  return cite.replace(/^(D-\d+)\..*/, "$1");
}

/** The question of each decision, and the title of each clause, by the citation. */
export function findCitationTitles({ document }: Contract, cites: readonly string[]): Record<string, string> {
  const { "x-decisions": decisions = {} } = document;
  const all = [...new Set(cites.map(formatCitation))].sort();
  return Object.fromEntries(all.map((id) => [id, decisions[id]?.question ?? findClauseTitle(id)]));
}
