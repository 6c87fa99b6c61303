// The report as text: for the terminal, for a comment on a pull request, and as annotations of a GitHub job. And failures as
// text, as all reports show them.
import {
  type Content,
  callout,
  code,
  codeBlock,
  details,
  entry,
  pairs,
  paragraph,
  soft,
  strong,
  type Tone,
  toned,
} from "../../../pages/report/blocks.js";
import { renderMarkdown } from "../../../pages/report/render-markdown.js";
import { renderTerminal } from "../../../pages/report/render-terminal.js";
import type { Failure } from "../case.js";
import {
  countOutcomes,
  type FailureGroup,
  groupFailures,
  HEADINGS,
  type Report,
  toRepeat,
  toShown,
  toSummary,
  type Verdict,
  verdictOf,
} from "./report.js";

const VERDICT_TONES: Partial<Record<Verdict, Tone>> = { conforms: "good", violates: "bad" };
const MAX_IN_TERMINAL = 20;
const MAX_SHOWN = 10; // a comment that is longer than a screen is not read, and GitHub shows no more annotations of one step

/** A comment on a pull request: the verdict, the first failures, and the gaps. */
export function toMarkdown(report: Report): string {
  const groups = groupFailures(report);
  const gaps = report.coverage.requests.filter(({ why }) => why).length;
  const further = groups.length - MAX_SHOWN;
  return renderMarkdown([
    callout(VERDICT_TONES[verdictOf(report)] ?? "warn", HEADINGS[verdictOf(report)], paragraph(toSummary(report))),
    groups
      .slice(0, MAX_SHOWN)
      .map(({ title, first: { id, failure }, alike }) =>
        details(
          [title, ` — ${failure.cites.join(", ")}${toAlike(alike)}`],
          [paragraph(code(id)), codeBlock(toFailureText(failure))],
        ),
      ),
    further > 0 && paragraph(`… and ${further} more causes.`),
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
    further > 0 && paragraph(`… and ${further} more causes: see --html or --json.`),
    errors.map(({ id, reason = "" }) =>
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

function toTerminalFailure({ title, first: { id, failure }, alike }: FailureGroup, seed: number): Content {
  const { what, expected, actual, cites, curl, hypothesis } = failure;
  return entry(
    { tone: "bad", title: [strong(title), "  ", soft(`[${cites.join(", ")}]${toAlike(alike)}`)] },
    id !== title && paragraph(id),
    hypothesis !== undefined && hypothesis !== title && paragraph(hypothesis),
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

/** On several lines: what differs, and the requests. */
export function toFailureText({ hypothesis, what, expected, actual, curl }: Failure): string {
  const lines = [hypothesis, what, `expected  ${toShown(expected)}`, `actual    ${toShown(actual)}`, curl];
  return lines.filter((line) => line !== undefined).join("\n");
}

/** On one line. */
export function toFailureLine({ what, expected, actual }: Failure, longest: number): string {
  return `${what}: expected ${toShown(expected, longest)}, actual ${toShown(actual, longest)}`;
}

/** How many other failures are alike, in brackets. */
function toAlike({ length }: readonly string[]): string {
  return length > 0 ? ` (and ${length} alike)` : "";
}

export function toAnnotations(report: Report): string {
  const lines = groupFailures(report)
    .slice(0, MAX_SHOWN)
    .map(({ title, first: { id, failure }, alike }) => {
      const line = toData(`${title} [${failure.cites.join(", ")}]${toAlike(alike)}`);
      const text = `${id}\n${toFailureLine(failure, 200)}\nrepeat: ${toRepeat(id, report.seed)}`;
      return `::error title=${line.replaceAll(",", "%2C").replaceAll(":", "%3A")}::${toData(text)}\n`;
    });
  return lines.join("");
}

function toData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
