// The report as one self-contained page: the verdict, the causes of failures, the rules, and all cases.
import { groupBy } from "../../../contract/lists.js";
import { plural } from "../../../contract/violation.js";
import {
  bar,
  type Content,
  callout,
  causeFacetOf,
  code,
  codeBlock,
  details,
  filtered,
  formatMinute,
  heading,
  link,
  marked,
  meter,
  numbered,
  pairs,
  paragraph,
  partFacetOf,
  soft,
  table,
  toned,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import { buildBasis, formatCitation } from "../../citation-titles.js";
import { OUTCOMES } from "../case.js";
import { CAPABILITIES } from "../declared-target.js";
import { alikeOf, buildCases, FIND_CASE, linkToCase, linkToCases, NAMES, operationOf, TONES } from "./case-tables.js";
import { casesOf, type FailureGroup, groupFailures } from "./causes.js";
import { buildDifference } from "./difference-blocks.js";
import { buildNotApplicable, NOT_APPLICABLE, summarizeNotApplicable } from "./not-applicable.js";
import { countOutcomes, formatCi, formatRerun, HEADINGS, type Report, verdictOf } from "./report.js";
import { buildRules, findRules, formatRules, type Rule } from "./rule-table.js";
import { buildFailureBlocks, VERDICT_TONES } from "./text.js";

export function formatHtmlReport(report: Report): string {
  const verdict = HEADINGS[verdictOf(report)];
  const causes = groupFailures(report);
  const rules = findRules(report, causes);
  const parts = [
    [buildRules(rules, report), buildNotApplicable(report)],
    [buildCases(report, causes), causes.length === 0 && buildSlowest(report)],
  ];
  return renderHtmlReport({
    title: `${verdict} · ${report.url}`,
    heading: "Contract tests",
    about: report.url,
    content: [
      callout(
        VERDICT_TONES[verdictOf(report)] ?? "warn",
        causes.length > 0 ? `${verdict}: ${plural(causes.length, "cause").replace(" ", "\u00a0")}` : verdict,
        buildOverview(report, rules, causes.length),
      ),
      causes.length > 0 ? buildCauses(causes, report) : buildParts(report),
      causes.length > 0 ? parts.reverse() : parts,
      buildRun(report),
    ],
  });
}

/** What the verdict rests on: the counts, when, how long, against what, and how to repeat it. */
function buildOverview(report: Report, rules: readonly Rule[], causes: number): Content {
  const { url, contract, seed, started, seconds, incomplete } = report;
  const counts = countOutcomes(report);
  return [
    incomplete !== undefined && paragraph(`The run was stopped: ${incomplete}`),
    bar(
      "Outcomes",
      OUTCOMES.map((outcome) => ({
        name: NAMES[outcome],
        count: counts[outcome],
        tone: TONES[outcome],
        facet: outcome,
        section: outcome === "not applicable" ? NOT_APPLICABLE : undefined,
      })),
      { filters: { label: FIND_CASE, id: "cases" } },
    ),
    rules.length > 0 && paragraph(formatRules(rules, causes)),
    causes === 0 && summarizeNotApplicable(report),
    causes === 0 && counts.pass > 0 && paragraph("Next: ", link("run it in CI", "#ci"), ", so that it stays so."),
    pairs([
      ["Target", code(url)],
      ["Contract", contract.version],
      ["When", `${formatMinute(started)}, ${seconds.toFixed(1)} s`],
      ["Seed", code(String(seed))],
    ]),
  ];
}

/** A failure rests on the document, or on a decision of this project alone. */
const FACETS = [
  { value: "document", name: "Required by the document" },
  { value: "decision", name: "Decisions only" },
];

function buildCauses(causes: readonly FailureGroup[], report: Report): Content {
  return [
    heading(2, "Causes", "causes", { isHidden: true, listed: { name: "Causes", count: causes.length } }),
    filtered(
      "Find a cause",
      FACETS,
      causes.map((cause, index) => buildCause(cause, report, index + 1)),
      buildShared(causes),
    ),
  ];
}

/** Why the counts of the causes are more than the cases that failed. */
function buildShared(causes: readonly FailureGroup[]): Content {
  const ids = causes.flatMap((cause) => [...casesOf([cause, ...cause.consequences])]);
  const { length: shared } = groupBy(ids, (id) => id).filter(({ length }) => length > 1);
  if (shared === 0) return undefined;
  const failed = plural(new Set(ids).size, "failed case");
  return paragraph(
    `${shared} of ${failed} ${shared === 1 ? "has several causes, and counts" : "have several causes, and count"} for each.`,
  );
}

/** How much was tried, where nothing has failed. */
function buildParts({ results }: Report): Content {
  const rows = groupBy(results, ({ id }) => operationOf(id)).map((own) => {
    const operation = operationOf(own[0].id);
    const { pass } = countOutcomes({ results: own });
    const cases = linkToCases(`${pass} of ${plural(own.length, "case")}`, partFacetOf(operation));
    return [operation, meter(pass, own.length), cases];
  });
  return [heading(2, "Overview", "overview"), table({ label: "Overview", columns: ["Part", "", "Passed"] }, rows)];
}

const SLOWEST = 6;

/** Each leads to its row among all cases. */
function buildSlowest(report: Report): Content {
  const slowest = report.results.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST);
  const most = slowest[0]?.ms ?? 0;
  const rows = slowest.map((result) => [linkToCase(result, report), meter(result.ms, Math.max(1, most)), result.ms]);
  return [heading(2, "Slowest cases", "slowest"), table({ label: "Slowest cases", columns: ["Case", "", "ms"] }, rows)];
}

/** What else is known of the run, such as what the target declares. */
function buildRun(report: Report): Content {
  const { capabilities, except, changed, isTemporary } = report;
  return [
    heading(2, "The run", "run"),
    codeBlock(formatRerun(report), { language: "sh", label: "Run all cases again" }),
    paragraph(
      soft("A case stops at a wrong status or value: run it again once that is right. Requests read the key from "),
      code("NC_API_KEY"),
      soft(
        isTemporary ? ". This run had no key, and so temporary environments: unset it to run the cases again." : ".",
      ),
    ),
    heading(3, "In CI", "ci"),
    codeBlock(formatCi(report), { language: "sh", label: "Steps of a job" }),
    pairs([
      ["Changes", changed.join(" ") || "none"],
      ["Exceptions", except.join(", ") || "none"],
    ]),
    heading(3, "What the target can do", "capabilities"),
    table(
      { label: "Capabilities", columns: ["Capability", "The target", "Declared"] },
      Object.entries(CAPABILITIES).map(([name, meaning]) => [
        code(name),
        meaning,
        capabilities.includes(name) ? toned("yes", "good") : soft("no"),
      ]),
    ),
  ];
}

function buildCause(group: FailureGroup, report: Report, number: number): Content {
  const { title, first, alike, cites, consequences } = group;
  const all = casesOf([group, ...consequences]).size;
  const following = casesOf(consequences).size;
  return details(
    [numbered(number), marked(title)],
    [
      buildFailureBlocks(group, report.seed, {
        difference: buildDifference(first.failure, title),
        others: linkToCases(`${alike.length} alike`, causeFacetOf(alikeOf(number))),
        toCases: (count, consequence) => linkToCases(plural(count, "case"), causeFacetOf(`${number}.${consequence}`)),
        repeat: codeBlock(formatRerun(report, first.id), { language: "sh", label: "Run this case again" }),
      }),
      buildBasis(cites, report),
    ],
    undefined,
    {
      id: `cause ${number}`,
      listed: { name: title.replaceAll("`", "").replace(/^body\./, ""), number, count: all },
      note: marked(describeExtent(group, report)),
      count: plural(all, "case") + (following > 0 ? `\n${following} follow from it` : ""),
      facet: group.severity,
      isOpen: number === 1,
    },
  );
}

/** Whether the document requires it, the operations of a cause, or its only case, and the rules that it violates. */
function describeExtent(group: FailureGroup, { citations }: Report): string {
  const { first, alike, cites, severity } = group;
  const rules = groupBy(cites, formatCitation).map((ofOneRule) =>
    `${ofOneRule.join(", ")} ${citations[formatCitation(ofOneRule[0])] ?? ""}`.trim(),
  );
  const operations = new Set([...casesOf([group])].map(operationOf));
  const extent = alike.length === 0 ? first.id : [...operations].join(", ");
  return [severity === "document" ? "Required by the document" : "Decision", extent, ...rules].join(" · ");
}
