// The report as one self-contained page: the verdict, the failures, what they rest on, and all cases.
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
  const { url, capabilities, except, changed } = report;
  const verdict = HEADINGS[verdictOf(report)];
  const groups = groupFailures(report);
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
  const { failure } = group.first;
  return details(
    [tag("failed", "bad"), toFailureTitle(group)],
    [paragraph("Rests on ", toCites(failure.cites, report), "."), toFailureBlocks(group, report.seed, 2000)],
  );
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
  }));
  return table({ label: "All cases", columns }, rows);
}

/** The text of each clause or decision, with the number of its cases. */
function toClauses({ results, citations }: Report): Content {
  const columns = ["Rests on", "What it settles", "Cases"];
  const rows = Object.entries(citations).map(([citation, title]) => {
    const cases = results.filter((result) => citationsOf(result).includes(citation));
    const failures = cases.filter(({ failure }) => failure).length;
    const count = failures > 0 ? toned(`${failures} of ${cases.length} failed`, "bad") : String(cases.length);
    return { id: `cited ${citation}`, cells: [citation, marked(title), count] };
  });
  return table({ label: "Clauses and decisions", columns }, rows);
}

/** Links to each clause or decision, with its text as tooltip. */
function toCites(cites: readonly string[], { citations }: Report): Content {
  return cites.map((cite, index) => {
    const citation = toCitation(cite);
    return [index > 0 && ", ", link(cite, `#cited ${citation}`, citations[citation])];
  });
}
