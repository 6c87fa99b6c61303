// The report as one self-contained page: the verdict, the failures, what they rest on, and all cases.
import { groupBy } from "../../../contract/lists.js";
import { quote } from "../../../contract/request-spec.js";
import {
  bar,
  type Content,
  callout,
  code,
  codeBlock,
  details,
  filtered,
  heading,
  link,
  marked,
  pairs,
  paragraph,
  soft,
  type Tone,
  table,
  tag,
  toned,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import { OUTCOMES, type Outcome, type Result } from "../case.js";
import {
  citationsOf,
  countOutcomes,
  type FailureGroup,
  formatCitation,
  formatRepeat,
  groupFailures,
  HEADINGS,
  type Report,
  severityOf,
  verdictOf,
} from "./report.js";
import { buildFailureBlocks, VERDICT_TONES } from "./text.js";

const TONES: Record<Outcome, Tone> = { pass: "good", fail: "bad", "not applicable": "soft", error: "warn" };
const NAMES: Record<Outcome, string> = {
  pass: "passed",
  fail: "failed",
  "not applicable": "not applicable",
  error: "failed in the suite itself",
};

export function formatHtmlReport(report: Report): string {
  const verdict = HEADINGS[verdictOf(report)];
  const groups = groupFailures(report);
  return renderHtmlReport({
    title: `${verdict} · ${report.url}`,
    heading: "Contract tests",
    about: report.url,
    content: [
      callout(VERDICT_TONES[verdictOf(report)] ?? "warn", verdict, buildOverview(report)),
      groups.length > 0 && [heading(2, "Failures by cause", "failures"), buildCauses(groups, report)],
      heading(2, "All cases", "cases"),
      filtered("Find a case", FACETS, buildCases(report)),
      heading(2, "Clauses and decisions", "clauses"),
      details(`${Object.keys(report.citations).length} rules that the cases rest on`, buildClauses(report)),
    ],
  });
}

/** What the verdict rests on: the counts, when, how long, against what, and how to repeat it. */
function buildOverview(report: Report): Content {
  const { url, contract, capabilities, except, seed, started, seconds, changed, incomplete } = report;
  const counts = countOutcomes(report);
  return [
    incomplete !== undefined && paragraph(`The run was stopped: ${incomplete}`),
    bar(
      "Outcomes",
      OUTCOMES.map((outcome) => ({ name: NAMES[outcome], count: counts[outcome], tone: TONES[outcome] })),
    ),
    pairs([
      ["Target", code(url)],
      ["Contract", contract.version],
      ["When", `${started.slice(0, 16).replace("T", " ")} UTC, ${seconds.toFixed(1)} s`],
      ["Seed", code(String(seed))],
      ["Capabilities", capabilities.join(", ") || "none"],
      ...(except.length > 0 ? [["Exceptions", except.join(", ")] as const] : []),
      ...(changed.length > 0 ? [["Changes", changed.join(" ")] as const] : []),
    ]),
  ];
}

/** A failure rests on the document, or on a decision of this project alone. */
const FACETS = [
  { value: "document", name: "Required by the document" },
  { value: "decision", name: "Decisions only" },
];

function buildCauses(groups: readonly FailureGroup[], report: Report): Content {
  return filtered(
    "Find a failure",
    FACETS,
    groupBy(groups, ({ first }) => operationOf(first.id)).map((causes) => [
      heading(3, operationOf(causes[0].first.id)),
      causes.map((cause) => buildCause(cause, report)),
    ]),
  );
}

const operationOf = (id: string) => id.split(" › ")[0] ?? id;

function buildCause(group: FailureGroup, report: Report): Content {
  const { title, first, alike } = group;
  const { cites } = first.failure;
  const rules = groupBy(cites, formatCitation).map((ofOneRule) =>
    `${ofOneRule.join(", ")} ${report.citations[formatCitation(ofOneRule[0])] ?? ""}`.trim(),
  );
  return details(
    marked(title),
    [
      buildFailureBlocks(group, report.seed, {
        longest: 2000,
        repeat: codeBlock(formatRerun(report, first.id), { language: "sh", label: "Run this case again" }),
      }),
      paragraph("Rests on ", buildCites(cites, report), "."),
    ],
    undefined,
    { note: marked(rules.join(" · ")), count: 1 + alike.length, facet: group.severity },
  );
}

function formatRerun({ url, seed }: Report, id: string): string {
  return `npx notifications-contract verify --url ${quote(url)} ${formatRepeat(id, seed)}`;
}

/** The cases by operation and subject: `listNotifications`, `query.limit`. */
function buildCases(report: Report): Content {
  return groupBy(report.results, ({ id }) => operationOf(id)).map((ofOperation) => {
    const subjects = groupBy(ofOperation, ({ id }) => subjectOf(id)).map((results) => {
      const subject = subjectOf(results[0].id);
      const isWhole = countFailed(results) === 0;
      return details(subject, buildCaseTable(subject, results, report), undefined, {
        note: isWhole ? undefined : buildOutcome(results),
        count: results.length,
      });
    });
    return details([operationOf(ofOperation[0].id), " ", buildOutcome(ofOperation)], subjects, { level: 3 });
  });
}

const subjectOf = (id: string) => id.split(" › ")[1] ?? id;

function countFailed(results: readonly Result[]): number {
  return results.filter(({ outcome }) => outcome === "fail" || outcome === "error").length;
}

function buildOutcome(results: readonly Result[]): Content {
  const failed = countFailed(results);
  return failed > 0 ? tag(`${failed} of ${results.length} failed`, "bad") : tag(`${results.length} passed`, "good");
}

function buildCaseTable(label: string, results: readonly Result[], report: Report): Content {
  const columns = ["Case", "Outcome", "Rests on", "ms"];
  const rows = results.map(({ id, cites, outcome, ms, reason }) => ({
    facet: severityOf(cites),
    cells: [
      [id.split(" › ").slice(2).join(" › ") || id, reason !== undefined && [" ", soft(reason)]],
      toned(NAMES[outcome], TONES[outcome]),
      buildCites(cites, report),
      ms,
    ],
  }));
  return table({ label, columns }, rows);
}

/** The text of each clause or decision, with the number of its cases. */
function buildClauses({ results, citations }: Report): Content {
  const columns = ["Rests on", "What it settles", "Failed", "Cases"];
  const rows = Object.entries(citations).map(([citation, title]) => {
    const cases = results.filter((result) => citationsOf(result).includes(citation));
    const failures = cases.filter(({ failure }) => failure).length;
    return { id: `cited ${citation}`, cells: [citation, marked(title), failures, cases.length] };
  });
  return table({ label: "Clauses and decisions", columns }, rows);
}

/** Links to each clause or decision, with its text as tooltip. */
function buildCites(cites: readonly string[], { citations }: Report): Content {
  return cites.map((cite, index) => {
    const citation = formatCitation(cite);
    return [index > 0 && ", ", link(cite, `#cited ${citation}`, citations[citation])];
  });
}
