// The report as text: for the terminal, for a comment on a pull request, and as JUnit XML. All of them and the page
// show a failure by the same blocks.
import { type Html, html as xml } from "../../../pages/docs/html.js";
import {
  type Content,
  callout,
  code,
  codeBlock,
  details,
  entry,
  escapeOf,
  list,
  marked,
  pairs,
  paragraph,
  soft,
  strong,
  type Tone,
  toned,
} from "../../../pages/report/blocks.js";
import { renderMarkdown } from "../../../pages/report/render-markdown.js";
import { renderTerminal } from "../../../pages/report/render-terminal.js";
import type { Failure, Result } from "../case.js";
import { formatPair, shorten } from "../expectation.js";
import { type FailureGroup, groupFailures } from "./causes.js";
import {
  countFailures,
  countOutcomes,
  findReasons,
  formatRepeat,
  formatSummary,
  formatVerdict,
  HEADINGS,
  type Report,
  type Verdict,
  verdictOf,
} from "./report.js";

export const VERDICT_TONES: Partial<Record<Verdict, Tone>> = { conforms: "good", known: "good", violates: "bad" };
const MAX_IN_TERMINAL = 20;
const MAX_IN_COMMENT = 10; // a comment that is longer than a screen is not read

/** The title of a failure, with what it rests on. */
function buildFailureTitle(group: FailureGroup): Content {
  const { title, severity, cites, alike } = group;
  const further = alike.length > 0 ? ` (and ${alike.length} alike)` : "";
  return [strong(title), "  ", soft(`[${severity}: ${cites.join(", ")}]${further}`)];
}

/** The body of a failure: the difference, the requests, how to repeat them, and what follows from it. */
export function buildFailureBlocks(
  { title, alike, first: { id, failure }, consequences }: FailureGroup,
  randomSeed: number,
  {
    difference,
    repeat = paragraph("repeat: ", code(formatRepeat(id, randomSeed))),
  }: Partial<Record<"difference" | "repeat", Content>> = {},
): Content {
  const { curl, sentence } = failure;
  const examples = alike.slice(0, 3).join("; ");
  return [
    paragraph(id),
    difference ?? [sentence !== title && paragraph(sentence), buildDifference(failure)],
    curl !== undefined && codeBlock(curl, { language: "sh", label: "Request" }),
    repeat,
    alike.length > 0 && paragraph(`and ${alike.length} alike: ${examples}${alike.length > 3 ? "; …" : ""}`),
    consequences.length > 0 && [
      paragraph(`What probably follows from it (${countOf(consequences)}):`),
      list(consequences.slice(0, MAX_CONSEQUENCES).map((group) => [marked(group.title), ` (${countOf([group])})`])),
    ],
  ];
}

const MAX_CONSEQUENCES = 8;
export const countOf = (groups: readonly FailureGroup[]) =>
  groups.reduce((sum, { alike }) => sum + 1 + alike.length, 0);

/** Where the status or the form is wrong, the received response; else what differs. */
function buildDifference({ what, expected, actual, code: kind, received, status, sent }: Failure): Content {
  const body = received && code(shorten(`${received.status} ${received.body}`));
  const ofSent: Parameters<typeof pairs>[0] = sent === undefined ? [] : [["sent", sent]];
  if (status) return pairs([...ofSent, ...(body ? [["received", body] as const] : [])]);
  if (kind === "no response") return undefined;
  if (kind !== "contract") {
    const [wanted, got] = formatPair(expected, actual).map((text) => code(text));
    return [
      paragraph(code(what)),
      pairs([
        ["expected", wanted],
        ["actual", got],
      ]),
    ];
  }
  const violations = Array.isArray(actual) && actual.length > 1 ? list(actual.map(String)) : undefined;
  return [violations, pairs(body ? [["received", body]] : [])];
}

/** A comment on a pull request: the verdict and the first failures that the baseline lacks. */
export function formatMarkdown(report: Report): string {
  const groups = groupFailures(report).filter(({ isKnown }) => !isKnown);
  const further = groups.length - MAX_IN_COMMENT;
  return renderMarkdown([
    callout(VERDICT_TONES[verdictOf(report)] ?? "warn", HEADINGS[verdictOf(report)], paragraph(formatSummary(report))),
    groups
      .slice(0, MAX_IN_COMMENT)
      .map((group) => details(buildFailureTitle(group), buildFailureBlocks(group, report.seed))),
    further > 0 && paragraph(`… and ${further} more causes.`),
    buildFixed(report),
  ]);
}

const buildFixed = ({ fixed = [] }: Report): Content =>
  fixed.length > 0 && [paragraph("Fixed, so remove them with --update-baseline:"), list(fixed)];

/** The verdict, the failures that the baseline lacks, and the verdict again in the last line. */
export function formatTerminal(report: Report, isColoured: boolean): string {
  const { results, changed, seed } = report;
  const errors = results.filter(({ outcome }) => outcome === "error");
  const groups = groupFailures(report);
  const added = groups.filter(({ isKnown }) => !isKnown);
  const further = added.length - MAX_IN_TERMINAL;
  const verdict = paragraph(toned(formatVerdict(report), VERDICT_TONES[verdictOf(report)] ?? "bad"));
  const content = [
    groups.length > 0 && verdict,
    added
      .slice(0, MAX_IN_TERMINAL)
      .map((group) => entry({ tone: "bad", title: buildFailureTitle(group) }, buildFailureBlocks(group, seed))),
    further > 0 && paragraph(`… and ${further} more causes: see --html or --json.`),
    errors.map(({ id, reason = "" }) =>
      entry({ tone: "warn", title: `${id}: the suite itself failed` }, paragraph(reason)),
    ),
    buildFixed(report),
    findReasons(results).map(({ reason, count }) => paragraph(soft(`${count} not applicable: ${reason}`))),
    changed.map((sentence) => paragraph(soft(sentence))),
    verdict,
  ];
  return renderTerminal(content, { isColoured });
}

/** Workflow commands of GitHub Actions: an annotation for each cause that the baseline lacks. */
export function formatAnnotations(report: Report): string {
  const added = groupFailures(report).filter(({ isKnown }) => !isKnown);
  const toData = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const lines = added.slice(0, MAX_IN_COMMENT).map(({ title, severity, first, alike }) => {
    const cases = alike.length > 0 ? `${first.id} and ${alike.length} alike` : first.id;
    const level = severity === "document" ? "error" : "warning";
    return `::${level} title=Contract tests::${toData(`${title} [${first.failure.cites.join(", ")}] ${cases}`)}\n`;
  });
  return lines.join("");
}

/** JUnit XML in the dialect that Jenkins, GitLab and GitHub's actions read. */
export function formatJunit(report: Report): string {
  const { results, seed, started, seconds, known: baseline = [] } = report;
  const { error, "not applicable": skipped } = countOutcomes(report);
  const { added, known } = countFailures(report);
  const counts = xml`tests="${results.length}" failures="${added}" errors="${error}" skipped="${skipped + known}"`;
  const { text } = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="notifications-contract verify" timestamp="${started.slice(0, 19)}" time="${seconds.toFixed(3)}" ${counts}>
${results.map((result) => buildTestcase(result, seed, baseline))}</testsuite>
</testsuites>
`;
  return text.replaceAll(NOT_IN_XML, escapeOf);
}

const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu; // 1.0

function buildTestcase(result: Result, randomSeed: number, baseline: readonly string[]): Html {
  const { id, ms, cites } = result;
  const name = `${id} [${cites.join(", ")}]`;
  const [subject = id] = id.split(" › ");
  return xml`<testcase name="${name}" classname="${subject}" time="${(ms / 1000).toFixed(3)}">${buildOutcome(result, randomSeed, baseline)}</testcase>
`;
}

function buildOutcome(result: Result, randomSeed: number, baseline: readonly string[]): Html | undefined {
  const { outcome, reason = "", failure, ...rest } = result;
  if (outcome === "pass") return undefined;
  if (outcome === "not applicable") return xml`<skipped message="${reason}"></skipped>`;
  if (!failure) return xml`<error message="the suite itself failed">${reason}</error>`;
  const { sentence } = failure;
  // What else is wrong has no test of its own.
  const results = [{ ...rest, outcome, failure: { ...failure, further: [] } }];
  const groups = groupFailures({ results, known: [...baseline] }).filter(({ isKnown }) => !isKnown);
  const [group] = groups;
  if (!group) return xml`<skipped message="known: ${sentence}"></skipped>`;
  const sentences = groups.map(({ first }) => first.failure.sentence).join(" ");
  const blocks = groups.map((group) => buildFailureBlocks(group, randomSeed));
  const text = renderTerminal(blocks, { isColoured: false });
  return xml`<failure message="${sentences}" type="${group.severity}: ${group.cites.join(", ")}">${text}</failure>`;
}
