// The report as one self-contained page: the verdict, the failures, what they rest on, and the coverage matrix.
import {
  type Content,
  details,
  heading,
  link,
  marked,
  paragraph,
  soft,
  type Tone,
  table,
  tag,
  toned,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import type { Outcome } from "../case.js";
import type { MatrixRow } from "../coverage.js";
import {
  citationsOf,
  type FailureGroup,
  groupFailures,
  HEADINGS,
  type Report,
  toCitation,
  toSummary,
  verdictOf,
} from "./report.js";
import { toFailureBlocks, toFailureTitle } from "./text.js";

const TONES: Record<Outcome, Tone> = { pass: "good", fail: "bad", "not applicable": "warn", error: "bad" };

export function toHtml(report: Report): string {
  const { url, capabilities, except, changed, coverage } = report;
  const verdict = HEADINGS[verdictOf(report)];
  const groups = groupFailures(report);
  const operations = [...new Set(coverage.requests.map(({ operation }) => operation))];
  return renderHtmlReport({
    title: `${verdict} · ${url}`,
    heading: verdict,
    content: [
      paragraph(toSummary(report)),
      groups.length > 0 && [
        heading(2, "Failures by cause", "failures"),
        groups.map((group) => toFailure(group, report)),
      ],
      details("Clauses and decisions", toClauses(report), { level: 2, id: "clauses" }),
      details(
        "Coverage of requests",
        [
          paragraph(
            "Each place of a request, with the keywords of its schema and the status that the contract requires for a violation. ",
            "“accepts” stands for valid values; 1/4: one of four cases passed.",
          ),
          operations.map((id) => toMatrix(id, coverage.requests)),
        ],
        { level: 2, id: "requests" },
      ),
      details(`All cases (${report.results.length})`, toCaseTable(report), { level: 2, id: "cases" }),
      heading(2, "The target", "target"),
      paragraph(
        `${url}, declared capabilities: ${capabilities.join(", ") || "none"}`,
        except.length > 0 && `; excepted: ${except.join(", ")}`,
        ".",
      ),
      changed.map((sentence) => paragraph(sentence)),
    ],
  });
}

function toFailure(group: FailureGroup, report: Report): Content {
  const { id, failure } = group.first;
  return details(
    [tag("failed", "bad"), toFailureTitle(group)],
    [paragraph("Rests on ", toCites(failure.cites, report), "."), toFailureBlocks(group, report.seed, 2000)],
    { id: `failure ${id}` },
  );
}

function toMatrix(operation: string, all: readonly MatrixRow[]): Content {
  const rows = all.filter((row) => row.operation === operation);
  const covered = rows.filter(({ why }) => why === undefined).length;
  const places = [...new Set(rows.map(({ place }) => place))];
  return [
    heading(3, [operation, " ", soft(`${covered} of ${rows.length} covered`)]),
    table(
      { label: `Coverage of ${operation}` },
      places.map((place) => [place, rows.filter((row) => row.place === place).map(toCell)]),
    ),
  ];
}

function toCell({ keyword, status, pass, fail, why }: MatrixRow): Content {
  const tone = why !== undefined ? "warn" : fail > 0 ? "bad" : "good";
  return tag(`${keyword} → ${status} ${why ?? `${pass}/${pass + fail}`}`, tone);
}

function toCaseTable(report: Report): Content {
  const columns = ["Case", "Outcome", "Rests on", "Time"];
  const rows = report.results.map(({ id, cites, outcome, ms, reason }) => ({
    cells: [
      [id, reason !== undefined && [" ", soft(reason)]],
      toned(outcome, TONES[outcome]),
      toCites(cites, report),
      `${ms} ms`,
    ],
    id: `case ${id}`,
  }));
  return table({ label: "All cases", columns }, rows);
}

/** The clauses and decisions that cases rest on, with their number: those with failures first, the rest folded. */
function toClauses({ results, citations }: Report): Content {
  const columns = ["Rests on", "What it settles", "Cases"];
  const all = Object.entries(citations).map(([citation, title]) => {
    const cases = results.filter((result) => citationsOf(result).includes(citation));
    return { citation, title, cases: cases.length, failures: cases.filter(({ failure }) => failure).length };
  });
  const toTable = (rows: typeof all) =>
    table(
      { label: "Clauses and decisions", columns },
      rows.map(({ citation, title, cases, failures }) => ({
        id: `cited ${citation}`,
        cells: [
          citation,
          marked(title),
          failures > 0 ? toned(`${failures} of ${cases} failed`, "bad") : `${cases} ${cases === 1 ? "case" : "cases"}`,
        ],
      })),
    );
  const failed = all.filter(({ failures }) => failures > 0).toSorted((a, b) => b.failures - a.failures);
  const others = all.filter(({ failures }) => failures === 0);
  return [
    failed.length > 0 && toTable(failed),
    others.length > 0 && details(`${others.length} without a failure`, toTable(others)),
  ];
}

/** Links to what each clause or decision says, which they say themselves on demand. */
function toCites(cites: readonly string[], { citations }: Report): Content {
  return cites.map((cite, index) => {
    const citation = toCitation(cite);
    return [index > 0 && ", ", link(cite, `#cited ${citation}`, citations[citation])];
  });
}
