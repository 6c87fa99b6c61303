// The report for people, from one set of builders: a page, a comment on a pull request, and the terminal.
import {
  bar,
  type Content,
  callout,
  code,
  codeBlock,
  details,
  entry,
  type Facets,
  filterable,
  heading,
  list,
  pairs,
  paragraph,
  soft,
  strong,
  type Tone,
  table,
  tag,
  toned,
} from "../../report/blocks.js";
import { renderHtmlReport } from "../../report/render-html.js";
import { renderMarkdown } from "../../report/render-markdown.js";
import { renderTerminal } from "../../report/render-terminal.js";
import { OUTCOMES, type Outcome, type Result } from "../case.js";
import type { CoverageRow } from "../coverage.js";
import {
  countOutcomes,
  type FailureGroup,
  groupFailures,
  HEADINGS,
  type Report,
  summarizeFailures,
  toRepeat,
  type Verdict,
  verdictOf,
} from "../report.js";
import { toCites, toClauses } from "./citations.js";
import { toAlike, toFailureText, toSentence, toShown } from "./failure-text.js";

const TONES: Record<Outcome, Tone> = { pass: "good", fail: "bad", "not applicable": "warn", error: "bad" };
const VERDICT_TONES: Partial<Record<Verdict, Tone>> = { conforms: "good", violates: "bad" };
const toneOf = (report: Report): Tone => VERDICT_TONES[verdictOf(report)] ?? "warn";
const MAX_IN_TERMINAL = 20;
const MAX_SHOWN = 10; // a comment that is longer than a screen is not read

/** One self-contained page: the verdict, the failures, and the coverage matrix. */
export function toHtml(report: Report): string {
  const { url, capabilities, except, changed, coverage } = report;
  const verdict = HEADINGS[verdictOf(report)];
  const groups = groupFailures(report);
  const operations = [...new Set(coverage.requests.map(({ operation }) => operation))];
  return renderHtmlReport({
    title: `${verdict} · ${url}`,
    heading: verdict,
    content: [
      bar(OUTCOMES.map((outcome) => ({ label: outcome, count: countOutcomes(report)[outcome], tone: TONES[outcome] }))),
      paragraph(toSummary(report)),
      groups.length > 0 && [
        list(summarizeFailures(report)),
        heading(2, "Failures by cause", "failures"),
        filterable(
          "Failures",
          groups.map((group) => toFailure(group, report)),
        ),
      ],
      details("Clauses and decisions", toClauses(report), { level: 2, id: "clauses", isOpen: groups.length > 0 }),
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
      details(
        "Coverage of responses",
        table(
          { label: "Coverage of responses" },
          operations.map((id) => toResponses(id, coverage)),
        ),
        { level: 2, id: "responses" },
      ),
      details(`All cases (${report.results.length})`, filterable("Cases", toCaseTable(report)), {
        level: 2,
        id: "cases",
      }),
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

function toFailure({ first: { id, failure }, alike }: FailureGroup, report: Report): Content {
  const { what, expected, actual, cites, curl } = failure;
  const facets: Facets = { operation: id.split(" › ")[0] ?? id };
  const title = [strong(toSentence(failure)), " ", soft(`${alike.length + 1} × ${id}`)];
  return entry(
    { tone: "bad", title, id: `failure ${id}`, facets, isCollapsed: true },
    paragraph(strong(id), " ", toCites(cites, report)),
    pairs([
      [`${what}: expected`, code(toShown(expected, 2000))],
      ["actual", code(toShown(actual, 2000))],
    ]),
    curl !== undefined && codeBlock(curl, { language: "sh", label: "Request" }),
    paragraph("Repeat: ", code(toRepeat(id, report.seed))),
    alike.length > 0 && details(`${alike.length} alike`, list(alike)),
  );
}

function toMatrix(operation: string, all: readonly CoverageRow[]): Content {
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

function toCell({ keyword, status, pass, fail, why }: CoverageRow): Content {
  const tone = why !== undefined ? "warn" : fail > 0 ? "bad" : "good";
  return tag(`${keyword} → ${status} ${why ?? `${pass}/${pass + fail}`}`, tone);
}

function toResponses(id: string, { statuses, members }: Report["coverage"]): Content[] {
  const cells = statuses
    .filter(({ operation }) => operation === id)
    .map(({ status, responses }) =>
      responses > 0 ? tag(`${status} ${responses}`, "good") : tag(`${status} no request led to it`, "warn"),
    );
  const unseen = members.filter(({ operation, isSeen }) => operation === id && !isSeen);
  const note =
    unseen.length === 0
      ? paragraph("every member of a success was in a response")
      : details(
          `${unseen.length} members of a success were in no response of this target, so they are not tested`,
          list(unseen.map(({ member }) => code(member))),
        );
  return [id, [cells, note]];
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
    facets: { status: outcome, operation: id.split(" › ")[0] ?? id },
  }));
  return table({ label: "All cases", columns }, rows);
}

/** A comment on a pull request: the verdict, the first failures, and the gaps. */
export function toMarkdown(report: Report): string {
  const groups = groupFailures(report);
  const gaps = report.coverage.requests.filter(({ why }) => why).length;
  const further = groups.length - MAX_SHOWN;
  return renderMarkdown([
    callout(toneOf(report), HEADINGS[verdictOf(report)], paragraph(toSummary(report))),
    groups.length > 0 && list(summarizeFailures(report)),
    groups
      .slice(0, MAX_SHOWN)
      .map(({ first: { id, failure }, alike }) =>
        details([code(id), ` — ${failure.cites.join(", ")}${toAlike(alike)}`], codeBlock(toFailureText(failure))),
      ),
    further > 0 && paragraph(`… and ${further} more groups of failures.`),
    paragraph(
      `Not applicable: ${countOutcomes(report)["not applicable"]}. Promises of the contract that no case covered: ${gaps}. Repeat with `,
      code(`--seed ${report.seed}`),
      ".",
    ),
  ]);
}

/** The failures, then a summary in one line. */
export function toTerminal(report: Report, isColoured: boolean): string {
  const { results, changed, seed } = report;
  const skipped = results.filter(({ outcome }) => outcome === "not applicable");
  const errors = results.filter(({ outcome }) => outcome === "error");
  const groups = groupFailures(report);
  const further = groups.length - MAX_IN_TERMINAL;
  const content = [
    groups.slice(0, MAX_IN_TERMINAL).map((group) => toTerminalFailure(group, seed)),
    further > 0 && paragraph(`… and ${further} more groups of failures: see --html or --json.`),
    summarizeFailures(report).map((sentence) => paragraph(strong(sentence))),
    errors.map(({ id, reason = "" }: Result) =>
      entry({ tone: "warn", title: `${id}: the suite itself failed` }, paragraph(reason)),
    ),
    [...new Set(skipped.map(({ reason }) => reason))].map((reason) => {
      const count = skipped.filter((result) => result.reason === reason).length;
      return paragraph(soft(`not applicable (${count}): ${reason}`));
    }),
    changed.map((sentence) => paragraph(soft(sentence))),
    paragraph(toned(toSummary(report), verdictOf(report) === "conforms" ? "good" : "bad")),
  ];
  return renderTerminal(content, { isColoured });
}

function toTerminalFailure({ first: { id, failure }, alike }: FailureGroup, seed: number): Content {
  const { what, expected, actual, cites, curl, hypothesis } = failure;
  return entry(
    { tone: "bad", title: [strong(id), "  ", soft(`[${cites.join(", ")}]`)] },
    hypothesis !== undefined && paragraph(hypothesis),
    paragraph(what),
    pairs([
      ["expected", toned(toShown(expected), "good")],
      ["actual", toned(toShown(actual), "bad")],
    ]),
    curl !== undefined && codeBlock(curl),
    paragraph(`repeat: ${toRepeat(id, seed)}`),
    alike.length > 0 &&
      paragraph(`and ${alike.length} alike: ${alike.slice(0, 3).join("; ")}${alike.length > 3 ? "; …" : ""}`),
  );
}

/** One line: outcomes, target, contract, time, seed. */
function toSummary(report: Report): string {
  const { pass, fail, error, "not applicable": notApplicable } = countOutcomes(report);
  const counts = `${pass} passed, ${fail} failed, ${notApplicable} not applicable${error > 0 ? `, ${error} failed in the suite itself` : ""}`;
  return `${counts} · ${report.url} · contract ${report.contract.version} · ${report.seconds.toFixed(1)} s · seed ${report.seed}`;
}
