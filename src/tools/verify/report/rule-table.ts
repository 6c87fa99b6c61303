// The clauses and decisions that the cases of a run rest on, and whether they hold.
import { plural } from "../../../contract/violation.js";
import {
  type Content,
  filtered,
  heading,
  link,
  marked,
  type Tone,
  table,
  toned,
} from "../../../pages/report/blocks.js";
import { countFailed, FIND_CASE } from "./case-tables.js";
import { citationsOf, type Report, type Severity, severityOf } from "./report.js";

/** A clause or decision with its cases. */
export interface Rule {
  id: string;
  title: string;
  severity: Severity;
  cases: number;
  state: "violated" | "holds" | "not tested";
}

export function findRules({ results, citations }: Report): Rule[] {
  const cited = results.map((result) => ({ ...result, citations: citationsOf(result) }));
  const rules = Object.entries(citations).map(([id, title]): Rule => {
    const cases = cited.filter((result) => result.citations.includes(id));
    const holds = cases.some(({ outcome }) => outcome === "pass") ? "holds" : "not tested";
    const state = countFailed(cases) > 0 ? "violated" : holds;
    return { id, title, severity: severityOf([id]), cases: cases.length, state };
  });
  const rank = ({ state, severity }: Rule) =>
    ["violated", "not tested", "holds"].indexOf(state) * 2 + Number(severity === "decision");
  return rules.toSorted((one, other) => rank(one) - rank(other));
}

/** `82 rules hold: 20 of the document, 62 decisions.` */
export function formatRules(rules: readonly Rule[]): string {
  const violated = rules.filter(({ state }) => state === "violated");
  const shown = violated.length > 0 ? violated : rules.filter(({ state }) => state === "holds");
  const ofDocument = shown.filter(({ severity }) => severity === "document").length;
  const parts = `${ofDocument} of the document, ${plural(shown.length - ofDocument, "decision")}.`;
  return violated.length > 0
    ? `${violated.length} of ${plural(rules.length, "rule")} violated: ${parts}`
    : `${plural(shown.length, "rule")} ${shown.length === 1 ? "holds" : "hold"}: ${parts}`;
}

const STATES: Record<Rule["state"], Tone> = { violated: "bad", holds: "good", "not tested": "soft" };

const FACETS = [
  { value: "document", name: "Of the document" },
  { value: "decision", name: "Decisions" },
  { value: "violated", name: "Violated" },
];

/** The text of each clause or decision; the number of its cases leads to them. */
export function buildRules(rules: readonly Rule[]): Content {
  const hasStates = rules.some(({ state }) => state !== "holds");
  const rows = rules.map(({ id, title, severity, cases, state }) => ({
    id: `cited ${id}`,
    facet: `${severity}|${state}`,
    cells: [
      id,
      marked(title),
      ...(hasStates ? [toned(state, STATES[state])] : []),
      link(plural(cases, "case"), "#cases", undefined, undefined, { label: FIND_CASE, text: id }),
    ],
  }));
  const columns = ["Rule", "What it settles", ...(hasStates ? ["State"] : []), "Cases"];
  return [heading(2, "Rules", "rules"), filtered("Find a rule", FACETS, table({ label: "Rules", columns }, rows))];
}
