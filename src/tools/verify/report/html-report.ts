// The report as one self-contained page: the verdict, the failures, what they rest on, and all cases.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import {
  bar,
  type Content,
  callout,
  code,
  codeBlock,
  details,
  filtered,
  formatMinute,
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
import { formatCitation } from "../../citation-titles.js";
import { type Failure, OUTCOMES, type Outcome, type Result } from "../case.js";
import {
  citationsOf,
  countOutcomes,
  type FailureGroup,
  formatRerun,
  groupFailures,
  HEADINGS,
  type Report,
  verdictOf,
} from "./report.js";
import { buildFailureBlocks, countOf, describeNotApplicable, VERDICT_TONES } from "./text.js";

const TONES: Record<Outcome, Tone> = { pass: "good", fail: "bad", "not applicable": "soft", error: "warn" };
const FIND_CASE = "Find a case";
const NAMES: Record<Outcome, string> = {
  pass: "passed",
  fail: "failed",
  "not applicable": "not applicable",
  error: "failed in the suite itself",
};

export function formatHtmlReport(report: Report): string {
  const verdict = HEADINGS[verdictOf(report)];
  const groups = groupFailures(report).toSorted((one, other) => countOf([other]) - countOf([one]));
  const counts = countOutcomes(report);
  const causes = groups.length === 1 ? "1 cause" : `${groups.length} causes`;
  return renderHtmlReport({
    title: `${verdict} · ${report.url}`,
    heading: "Contract tests",
    about: report.url,
    content: [
      callout(
        VERDICT_TONES[verdictOf(report)] ?? "warn",
        groups.length > 0 ? `${verdict}: ${causes.replace(" ", "\u00a0")}` : verdict,
        buildOverview(report),
      ),
      groups.length > 0 && [
        heading(2, causes, "failures"),
        filtered(
          "Find a failure",
          FACETS.map(({ value, name }) => ({
            value,
            name: `${name} ${groups.filter(({ severity }) => severity === value).length}`,
          })),
          groups.map((cause, index) => buildCause(cause, report, index === 0)),
        ),
      ],
      heading(2, "Operations", "operations"),
      buildOperations(report),
      heading(2, "All cases", "cases"),
      filtered(
        FIND_CASE,
        OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => ({
          value: outcome,
          name: `${NAMES[outcome].replace(/^./, (letter) => letter.toUpperCase())} ${counts[outcome]}`,
        })),
        buildCases(report),
      ),
      heading(2, "Clauses and decisions", "clauses"),
      details(`${Object.keys(report.citations).length} rules that the cases rest on`, buildClauses(report)),
    ],
  });
}

/** What the verdict rests on: the counts, when, how long, against what, and how to repeat it. */
function buildOverview(report: Report): Content {
  const { url, contract, seed, started, seconds, incomplete, results } = report;
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
      })),
      { label: FIND_CASE, id: "cases" },
    ),
    buildNotApplicable(results),
    pairs([
      ["Target", code(url)],
      ["Contract", contract.version],
      ["When", `${formatMinute(started)}, ${seconds.toFixed(1)} s`],
      ["Seed", code(String(seed))],
    ]),
  ];
}

function buildNotApplicable(results: readonly Result[]): Content {
  const [first, ...others] = describeNotApplicable(results).map((sentence) => paragraph(marked(sentence)));
  return others.length > 0 ? details("Why cases are not applicable", [first, ...others]) : first;
}

/** A failure rests on the document, or on a decision of this project alone. */
const FACETS = [
  { value: "document", name: "Required by the document" },
  { value: "decision", name: "Decisions only" },
];

/** What the target declares, and each operation with its outcomes and times. */
function buildOperations({ results, capabilities, except, changed }: Report): Content {
  const columns = ["Operation", "Passed", "Failed", "Not applicable", "Seconds, summed", "Slowest case", "ms"];
  const rows = groupBy(results, ({ id }) => operationOf(id)).map((cases) => {
    const counts = countOutcomes({ results: cases });
    const slowest = cases.reduce((one, other) => (other.ms > one.ms ? other : one));
    const seconds = cases.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    const failed = counts.fail + counts.error;
    return [
      operationOf(slowest.id),
      counts.pass,
      failed,
      counts["not applicable"],
      Number(seconds.toFixed(1)),
      slowest.id.split(" › ").slice(1).join(" › "),
      slowest.ms,
    ];
  });
  return [
    table({ label: "Operations", columns }, rows),
    paragraph(soft("Cases run side by side, so the seconds of all cases add up to more than the run took.")),
    details("What the target declares", [
      pairs([
        ["Capabilities", capabilities.join(", ") || "none"],
        ["Exceptions", except.join(", ") || "none"],
        ["Changes", changed.join(" ") || "none"],
      ]),
    ]),
  ];
}

const operationOf = (id: string) => id.split(" › ")[0] ?? id;

function buildCause(group: FailureGroup, report: Report, isOpen: boolean): Content {
  const { title, first, alike, consequences } = group;
  const { cites } = first.failure;
  const count = 1 + alike.length;
  const following = countOf(consequences);
  const counts = [count === 1 ? "1 case" : `${count} cases`, ...(following > 0 ? [`+${following} that follow`] : [])];
  return details(
    marked(title),
    [
      buildFailureBlocks(group, report.seed, {
        difference: buildDifference(first.failure),
        repeat: codeBlock(formatRerun(report, first.id), { language: "sh", label: "Run this case again" }),
      }),
      paragraph("Rests on ", buildCites(cites, report), "."),
    ],
    undefined,
    { note: marked(describeExtent(group, report)), count: counts.join("\n"), facet: group.severity, isOpen },
  );
}

/** The operations of a cause, or its only case, and the rules that all its failures violate. */
function describeExtent({ first, alike }: FailureGroup, { results, citations }: Report): string {
  const ids = new Set([first.id, ...alike]);
  const failures = mapDefined(results, ({ id, failure }) => (ids.has(id) ? failure : undefined));
  const shared = first.failure.cites.filter((cite) => failures.every(({ cites }) => cites.includes(cite)));
  const rules = groupBy(shared, formatCitation).map((ofOneRule) =>
    `${ofOneRule.join(", ")} ${citations[formatCitation(ofOneRule[0])] ?? ""}`.trim(),
  );
  const operations = new Set([...ids].map(operationOf));
  return [alike.length === 0 ? first.id : [...operations].join(", "), ...rules].join(" · ");
}

/** Expected beside received, and the body with the place that is wrong. */
function buildDifference({
  code: kind,
  title,
  sentence,
  what,
  expected,
  actual,
  received,
  status,
  violation,
}: Failure): Content {
  if (kind === "no response") return undefined;
  const body = (wrong: Readonly<Record<string, string>>) =>
    received &&
    received.body !== "" &&
    codeBlock(received.body, { language: "json", label: `Received body, status ${received.status}`, wrong });
  if (status) {
    const isTold = /"statusCode":/.test(received?.body ?? "");
    return [
      buildExpected(status.expected.join(" or "), String(status.actual)),
      body(isTold ? { "body.statusCode": `expected ${status.expected.join(" or ")}` } : {}),
    ];
  }
  if (violation) {
    const { location, message } = violation;
    return [paragraph(code(location), ` ${message}`), body({ [location]: message })];
  }
  const [wanted, got] = [expected, actual].map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return [
    title === undefined ? paragraph(code(what)) : paragraph(sentence),
    buildExpected(wanted ?? "nothing", got ?? "nothing"),
  ];
}

function buildExpected(expected: string, received: string): Content {
  const show = (label: string, text: string) =>
    /^[[{]/.test(text) ? codeBlock(text, { language: "json", label }) : code(text);
  return pairs([
    ["Expected", show("Expected", expected)],
    ["Received", show("Received", received)],
  ]);
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

function buildOutcome(results: Result[]): Content {
  const { pass, "not applicable": notApplicable } = countOutcomes({ results });
  const failed = countFailed(results);
  if (failed > 0) return tag(`${failed} of ${results.length} failed`, "bad");
  return pass > 0 ? tag(`${pass} passed`, "good") : tag(`${notApplicable} not applicable`);
}

function buildCaseTable(label: string, results: readonly Result[], report: Report): Content {
  const columns = ["Case", "Outcome", "Rests on", "ms"];
  const rows = results.map(({ id, cites, outcome, ms, reason }) => ({
    facet: outcome,
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
