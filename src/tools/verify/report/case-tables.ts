// All cases of a run by operation and subject, as a page shows them. A failed case leads to its causes.
import { groupBy } from "../../../contract/lists.js";
import { plural } from "../../../contract/violation.js";
import {
  type Content,
  causeFacetOf,
  codeBlock,
  details,
  filtered,
  heading,
  link,
  linkToRows,
  list,
  marked,
  paragraph,
  partFacetOf,
  type Row,
  ruleFacetOf,
  soft,
  type Tone,
  table,
  tag,
  toned,
} from "../../../pages/report/blocks.js";
import { formatCitation } from "../../citation-titles.js";
import { type Evidence, type Failure, OUTCOMES, type Outcome, type Result } from "../case.js";
import type { FailureGroup } from "./causes.js";
import { buildDifference, buildReceived } from "./difference-blocks.js";
import { citationsOf, citesOf, countOutcomes, formatRerun, type Report } from "./report.js";

export const TONES: Record<Outcome, Tone> = { pass: "good", fail: "bad", "not applicable": "soft", error: "warn" };
export const FIND_CASE = "Find a case";

/** A link to the cases that a text finds. @param facet their outcome. */
export const linkToCases = (name: string, text: string, facet?: Outcome) =>
  linkToRows(name, "#cases", { label: FIND_CASE, text, facet });

export const NAMES: Record<Outcome, string> = {
  pass: "passed",
  fail: "failed",
  "not applicable": "not applicable",
  error: "failed in the suite itself",
};

/** Of the cases that fail like the first one of a cause. */
export const alikeOf = (cause: number) => `${cause}.0`;

/** The causes of each failed case, by their numbers: `2`, and `2.0` or, of the first consequence of that, `2.1`. */
function findCauseNumbers(causes: readonly FailureGroup[]): ReadonlyMap<string, string[]> {
  const numbers = new Map<string, string[]>();
  function add({ first, alike, consequences }: FailureGroup, own: readonly string[]): void {
    for (const id of [first.id, ...alike]) numbers.set(id, [...new Set([...(numbers.get(id) ?? []), ...own])]);
    for (const [index, consequence] of consequences.entries())
      add(consequence, [own[0] ?? "", `${own[0]}.${index + 1}`]);
  }
  for (const [index, cause] of causes.entries()) add(cause, [String(index + 1), alikeOf(index + 1)]);
  return numbers;
}

const toCaseId = (result: Result, { results }: Report) => `case ${results.indexOf(result) + 1}`;

/** Opens the case, without a filter. */
export const linkToCase = (result: Result, report: Report) =>
  linkToRows(result.id, `#${toCaseId(result, report)}`, { label: FIND_CASE, text: "" });

/** The causes of each failed case, and the rules that it violates, as facets. */
type Facets = (result: Result) => { causes: readonly string[]; rules: readonly string[] };

function createFacets(causes: readonly FailureGroup[]): Facets {
  const numbers = findCauseNumbers(causes);
  return (result) => {
    const own = numbers.get(result.id) ?? [];
    const violated = causes.filter((_cause, index) => own.includes(alikeOf(index + 1))).flatMap(({ cites }) => cites);
    const rules = new Set(violated.map(formatCitation));
    return {
      causes: own,
      rules: citationsOf(result)
        .filter((rule) => rules.has(rule))
        .map(ruleFacetOf),
    };
  };
}

/** The cases by operation and subject: `listNotifications`, `query.limit`. */
export function buildCases(report: Report, causes: readonly FailureGroup[]): Content {
  const facetsOf = createFacets(causes);
  const groups = groupBy(report.results, ({ id }) => operationOf(id)).map((ofOperation) => {
    const operation = operationOf(ofOperation[0].id);
    // What has no subject stands first, so that it is not read as part of another one.
    const sorted = ofOperation.toSorted(
      (one, other) => Number(subjectOf(one.id) !== "") - Number(subjectOf(other.id) !== ""),
    );
    const rows = groupBy(sorted, ({ id }) => subjectOf(id)).flatMap((results) => {
      const subject = subjectOf(results[0].id);
      const cases = results.map((result) => buildRow(result, report, causes.length > 0 ? facetsOf : undefined));
      return subject === "" ? cases : [{ isGroup: true, cells: [[subject, " ", buildOutcome(results)]] }, ...cases];
    });
    const columns = ["Case", "Outcome", ...(causes.length > 0 ? ["Cause"] : []), "Rests on", "ms"];
    const cases = table({ label: `Cases of ${operation}`, columns, isFixed: true }, rows);
    const count = plural(ofOperation.length, "case");
    return details([operation, " ", buildOutcome(ofOperation)], cases, { level: 3 }, { count });
  });
  const facets = OUTCOMES.map((value) => ({
    value,
    name: NAMES[value].replace(/^./, (letter) => letter.toUpperCase()),
  }));
  const listed = { name: "All cases", count: report.results.length };
  return [heading(2, "All cases", "cases", { listed }), filtered(FIND_CASE, facets, groups)];
}

/** Empty for a case of an operation as a whole. */
function subjectOf(id: string): string {
  const [, subject = "", ...names] = id.split(" › ");
  return names.length > 0 ? subject : "";
}

export function countFailed(results: readonly Pick<Result, "outcome">[]): number {
  return results.filter(({ outcome }) => outcome === "fail" || outcome === "error").length;
}

function buildOutcome(results: Result[]): Content {
  const { pass, "not applicable": notApplicable } = countOutcomes({ results });
  const failed = countFailed(results);
  if (failed > 0) return tag(`${failed} of ${results.length} failed`, "bad");
  return pass > 0 ? tag(`${pass} passed`, "good") : tag(`${notApplicable} not applicable`);
}

function buildRow(result: Result, report: Report, facetsOf?: Facets): Row {
  const { id, outcome, ms } = result;
  const shown = toned(NAMES[outcome], TONES[outcome]);
  const { causes, rules } = facetsOf?.(result) ?? { causes: [], rules: [] };
  const facet = [outcome, partFacetOf(operationOf(id)), ...causes.map(causeFacetOf), ...rules].join("|");
  const own = facetsOf ? [buildCauseLinks(causes.filter((number) => !number.includes(".")))] : [];
  const cells = [buildCase(result, report), shown, ...own, buildCites(citesOf(result), report), ms];
  return { id: toCaseId(result, report), facet, cells };
}

export const buildCauseLinks = (causes: readonly string[]): Content =>
  causes.map((number, index) => [index > 0 && ", ", link(number, `#cause ${number}`, `Cause ${number}`)]);

/** A case opens to its requests and, if it failed, to what is wrong. */
function buildCase({ id, failure, reason, evidence }: Result, report: Report): Content {
  const [operation = "", ...names] = id.split(" › ");
  const name = names.slice(names.length > 1 ? 1 : 0).join(" › ") || operation;
  if (reason !== undefined)
    return [name, " ", marked(reason).map((part) => (typeof part === "string" ? soft(part) : part))];
  const content = [
    failure ? [buildFailed(failure), failure.next && buildFailed(failure.next)] : buildEvidence(evidence),
    failure?.isComplete && paragraph(soft("The case went on to its end, and the rest of it passed.")),
    codeBlock(formatRerun(report, id), { language: "sh", label: "Run this case again" }),
  ];
  return details(name, content, undefined, { isPlain: true });
}

const SHOWN_CHECKS = 8;

const buildEvidence = ({ checks, sent, received }: Evidence = { checks: [] }): Content => [
  buildChecks(checks.slice(0, SHOWN_CHECKS)),
  checks.length > SHOWN_CHECKS &&
    details(plural(checks.length - SHOWN_CHECKS, "more check"), buildChecks(checks.slice(SHOWN_CHECKS)), undefined, {
      isPlain: true,
    }),
  buildRequests(sent) ?? paragraph("It compares what earlier cases have read."),
  buildReceived(received),
];

const buildChecks = (checks: readonly string[]) => list(checks.map((check) => [toned("✓ ", "good"), marked(check)]));

const buildRequests = (requests: string | undefined): Content =>
  requests === undefined ? undefined : codeBlock(requests, { language: "sh", label: "Requests" });

const buildFailed = (failure: Failure): Content => [
  paragraph(marked(failure.sentence)),
  buildDifference(failure, failure.sentence),
  buildRequests(failure.curl),
];

export const operationOf = (id: string) => id.split(" › ")[0] ?? id;

/** Links to each clause or decision, with its text as tooltip. */
function buildCites(cites: readonly string[], { citations }: Report): Content {
  return cites.map((cite, index) => {
    const citation = formatCitation(cite);
    return [index > 0 && ", ", link(cite, `#cited ${citation}`, citations[citation])];
  });
}
