// The clauses and decisions that the cases of a run rest on, and whether they hold.
import { groupBy } from "../../../contract/lists.js";
import { plural } from "../../../contract/violation.js";
import { type Content, details, filtered, heading, link, ruleFacetOf, table } from "../../../pages/report/blocks.js";
import { buildCitedRule, type CitedRules, formatCitation } from "../../citation-titles.js";
import { buildCauseLinks, countFailed, linkToCases, operationOf } from "./case-tables.js";
import { casesOf, type FailureGroup, type Severity, severityOf } from "./causes.js";
import { citationsOf, type Report } from "./report.js";

/** A clause or decision with its cases. */
export interface Rule {
  id: string;
  severity: Severity;
  cases: number;
  /** Those that fail by it; of a rule that is not judged, those that fail by another one. */
  failed: number;
  /** The numbers of the causes that violate it. */
  causes: readonly number[];
  /** Of its cases. */
  operations: readonly string[];
  /** `unknown`: its cases failed, for another reason. */
  state: "violated" | "unknown" | "holds" | "not tested";
}

export function findRules({ results, citations }: Report, causes: readonly FailureGroup[]): Rule[] {
  const violations = causes.map((cause) => ({ rules: cause.cites.map(formatCitation), ids: casesOf([cause]) }));
  const cited = results.map((result) => ({ ...result, citations: citationsOf(result) }));
  const rules = Object.keys(citations).map((id): Rule => {
    const cases = cited.filter((result) => result.citations.includes(id));
    // A case that went on to its end failed by another rule.
    const stopped = cases.filter(({ failure }) => !failure?.isComplete);
    const own = violations.flatMap(({ rules }, index) => (rules.includes(id) ? index : []));
    const failing = cases.filter((result) => own.some((index) => violations[index]?.ids.has(result.id)));
    const failed = own.length > 0 ? failing.length : countFailed(stopped);
    const tested = cases.some(({ outcome, failure }) => outcome === "pass" || failure) ? "holds" : "not tested";
    const state = own.length > 0 ? "violated" : failed > 0 ? "unknown" : tested;
    const operations = [...new Set(cases.map((result) => operationOf(result.id)))];
    const numbers = own.map((index) => index + 1);
    return { id, severity: severityOf([id]), cases: cases.length, failed, causes: numbers, operations, state };
  });
  return rules.toSorted((one, other) => Number(one.severity === "decision") - Number(other.severity === "decision"));
}

const rankOf = ({ state }: Rule) => ["violated", "unknown", "holds", "not tested"].indexOf(state);

/** `82 rules hold: 20 of the document, 62 decisions.` */
export function formatRules(rules: readonly Rule[], causes: number): string {
  const violated = rules.filter(({ state }) => state === "violated");
  const shown = violated.length > 0 ? violated : rules.filter(({ state }) => state === "holds");
  const ofDocument = shown.filter(({ severity }) => severity === "document").length;
  const parts = `${ofDocument} of the document, ${plural(shown.length - ofDocument, "decision")}.`;
  const { length: untested } = rules.filter(({ state }) => state === "not tested");
  const { length: unknown } = rules.filter(({ state }) => state === "unknown");
  if (violated.length === 0) {
    const holding = `${plural(shown.length, "rule")} ${shown.length === 1 ? "holds" : "hold"}: ${parts}`;
    return untested > 0 ? `${holding} ${untested} not tested.` : holding;
  }
  const violate = `${plural(causes, "cause")} ${causes === 1 ? "violates" : "violate"}`;
  const sentence = `${violate} ${violated.length} of ${plural(rules.length, "rule")}: ${parts}`;
  return unknown > 0 ? `${sentence} ${unknown} not judged, since cases stopped before.` : sentence;
}

const FACETS = [
  { value: "document", name: "Of the document" },
  { value: "decision", name: "Decisions" },
  { value: "violated", name: "Violated" },
  { value: "unknown", name: "Not judged" },
  { value: "not tested", name: "Not tested" },
];

/** Each clause or decision with its answer, by its state or operation; the number of its cases leads to them. */
export function buildRules(rules: readonly Rule[], cited: CitedRules): Content {
  const sorted = groupBy(rules, groupOf).toSorted(
    (one, other) => rankOf(one[0]) - rankOf(other[0]) || other.length - one.length,
  );
  const groups = sorted.map((own) => {
    const [{ state }] = own;
    const rows = own.map(({ id, severity, cases, failed, causes, state }) => ({
      id: `cited ${id}`,
      facet: `${severity}|${state}`,
      cells: [
        link(id, `#cited ${id}`),
        buildCitedRule(id, cited),
        ...(state === "violated" ? [buildCauseLinks(causes.map(String))] : []),
        failed > 0
          ? linkToCases(`${failed} of ${plural(cases, "case")}`, state === "violated" ? ruleFacetOf(id) : id, "fail")
          : linkToCases(plural(cases, "case"), id),
      ],
    }));
    const name = groupOf(own[0]);
    const rulesOfGroup = table(
      {
        label: `Rules: ${name}`,
        columns: ["Rule", "What it settles", ...(state === "violated" ? ["Cause", "Failed"] : ["Cases"])],
      },
      rows,
    );
    const holds = state !== "holds" ? "" : own.length === 1 ? " holds" : " hold";
    const options = { count: plural(own.length, "rule") + holds, isOpen: state === "violated" };
    return details(name, rulesOfGroup, { level: 3 }, options);
  });
  const listed = { name: "Rules", count: rules.length };
  return [heading(2, "Rules", "rules", { listed }), filtered("Find a rule", FACETS, groups)];
}

const NAMES = {
  violated: "Violated",
  unknown: "Not judged: a case stopped before",
  "not tested": "Not tested",
} as const;

function groupOf({ state, operations }: Rule): string {
  if (state !== "holds") return NAMES[state];
  return operations.length === 1 ? (operations[0] ?? "") : "Several operations";
}
