// The report as text: for the terminal, for a comment on a pull request, and as JUnit XML. All of them and the page show a failure
// by the same blocks.
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
  toEscape,
  toned,
} from "../../../pages/report/blocks.js";
import { renderMarkdown } from "../../../pages/report/render-markdown.js";
import { renderTerminal } from "../../../pages/report/render-terminal.js";
import { type Html, html as xml } from "../../../pages/shell/html.js";
import type { Result } from "../case.js";
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

export const VERDICT_TONES: Partial<Record<Verdict, Tone>> = { conforms: "good", violates: "bad" };
const MAX_IN_TERMINAL = 20;
const MAX_IN_COMMENT = 10; // a comment that is longer than a screen is not read

/** The title of a failure, with what it rests on. */
export function toFailureTitle({ title, first: { failure }, alike }: FailureGroup): Content {
  const further = alike.length > 0 ? ` (and ${alike.length} alike)` : "";
  return [strong(title), "  ", soft(`[${failure.cites.join(", ")}]${further}`)];
}

/** The body of a failure: the difference, the requests, and how to repeat them. */
export function toFailureBlocks(
  { title, alike, first: { id, failure } }: FailureGroup,
  seed: number,
  { longest, repeat = paragraph("repeat: ", code(toRepeat(id, seed))) }: { longest?: number; repeat?: Content } = {},
): Content {
  const { what, expected, actual, curl, hypothesis } = failure;
  const examples = alike.slice(0, 3).join("; ");
  return [
    id !== title && paragraph(id),
    hypothesis !== undefined && hypothesis !== title && paragraph(hypothesis),
    paragraph(what),
    pairs([
      ["expected", code(toShown(expected, longest))],
      ["actual", code(toShown(actual, longest))],
    ]),
    curl !== undefined && codeBlock(curl, { language: "sh", label: "Request" }),
    repeat,
    alike.length > 0 && paragraph(`and ${alike.length} alike: ${examples}${alike.length > 3 ? "; …" : ""}`),
  ];
}

/** A comment on a pull request: the verdict and the first failures. */
export function toMarkdown(report: Report): string {
  const groups = groupFailures(report);
  const further = groups.length - MAX_IN_COMMENT;
  return renderMarkdown([
    callout(VERDICT_TONES[verdictOf(report)] ?? "warn", HEADINGS[verdictOf(report)], paragraph(toSummary(report))),
    groups.slice(0, MAX_IN_COMMENT).map((group) => details(toFailureTitle(group), toFailureBlocks(group, report.seed))),
    further > 0 && paragraph(`… and ${further} more causes.`),
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
    groups
      .slice(0, MAX_IN_TERMINAL)
      .map((group) => entry({ tone: "bad", title: toFailureTitle(group) }, toFailureBlocks(group, seed))),
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

/** JUnit XML in the dialect that Jenkins, GitLab and GitHub's actions read. */
export function toJunit(report: Report): string {
  const { results, seed, started, seconds } = report;
  const { fail, error, "not applicable": skipped } = countOutcomes(report);
  const counts = xml`tests="${results.length}" failures="${fail}" errors="${error}" skipped="${skipped}"`;
  const { text } = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="notifications-contract verify" timestamp="${started.slice(0, 19)}" time="${seconds.toFixed(3)}" ${counts}>
${results.map((result) => toTestcase(result, seed))}</testsuite>
</testsuites>
`;
  return text.replaceAll(NOT_IN_XML, toEscape);
}

const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu; // 1.0

function toTestcase(result: Result, seed: number): Html {
  const { id, ms, cites } = result;
  const name = `${id} [${cites.join(", ")}]`;
  const [subject = id] = id.split(" › ");
  return xml`<testcase name="${name}" classname="${subject}" time="${(ms / 1000).toFixed(3)}">${toOutcome(result, seed)}</testcase>
`;
}

function toOutcome({ outcome, reason = "", failure, ...result }: Result, seed: number): Html | undefined {
  if (outcome === "pass") return undefined;
  if (outcome === "not applicable") return xml`<skipped message="${reason}"></skipped>`;
  if (!failure) return xml`<error message="the suite itself failed">${reason}</error>`;
  const { what, expected, actual, cites } = failure;
  const message = `${what}: expected ${toShown(expected, 80)}, actual ${toShown(actual, 80)}`;
  const group = { title: result.id, first: { ...result, outcome, failure }, alike: [] };
  const text = renderTerminal(toFailureBlocks(group, seed), { isColoured: false });
  return xml`<failure message="${message}" type="${cites.join(", ")}">${text}</failure>`;
}
