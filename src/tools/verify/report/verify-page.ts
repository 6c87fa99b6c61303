// The report as one self-contained page: the verdict, the causes of failures, what is not applicable, and all cases.
import { groupBy } from "../../../contract/lists.js";
import { quote } from "../../../contract/request.js";
import { plural } from "../../../contract/violation.js";
import {
  bar,
  type Content,
  callout,
  code,
  codeBlock,
  details,
  formatMinute,
  heading,
  link,
  marked,
  numbered,
  pairs,
  paragraph,
  soft,
  type Tone,
  table,
  tag,
  toned,
  wrongStatus,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import { buildBasis, formatCitation } from "../../citation-titles.js";
import { type Failure, OUTCOMES, type Outcome, type Result } from "../case.js";
import { CAPABILITIES } from "../declared-target.js";
import type { ReceivedText } from "../expectation.js";
import { casesOf, type FailureGroup, groupFailures } from "./causes.js";
import {
  COMMAND,
  countOutcomes,
  describeNotApplicable,
  formatCi,
  formatRerun,
  HEADINGS,
  type Report,
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

export function formatPage(report: Report): string {
  const verdict = HEADINGS[verdictOf(report)];
  const causes = groupFailures(report);
  return renderHtmlReport({
    title: `${verdict} · ${report.url}`,
    heading: "Contract tests",
    about: report.url,
    content: [
      callout(
        VERDICT_TONES[verdictOf(report)] ?? "warn",
        causes.length > 0 ? `${verdict}: ${plural(causes.length, "cause").replace(" ", "\u00a0")}` : verdict,
        buildOverview(report, causes.length),
      ),
      causes.map((cause, index) => buildCause(cause, report, index + 1)),
    ],
    run: [buildRun(report), buildNotApplicable(report), buildCases(report)],
  });
}

/** What the verdict rests on: the counts, when, how long, against what, and how to repeat it. */
function buildOverview(report: Report, causes: number): Content {
  const { url, contract, seed, started, seconds, incomplete } = report;
  const counts = countOutcomes(report);
  const parts = OUTCOMES.map((outcome) => ({ name: NAMES[outcome], count: counts[outcome], tone: TONES[outcome] }));
  return [
    incomplete !== undefined && paragraph(`The run was stopped: ${incomplete}`),
    bar("Outcomes", parts),
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

function buildCause(group: FailureGroup, report: Report, number: number): Content {
  const { title, first, cites, consequences } = group;
  const all = casesOf([group, ...consequences]).size;
  const following = casesOf(consequences).size;
  return details(
    [numbered(number), marked(title)],
    [
      buildFailureBlocks(group, report.seed, {
        difference: buildDifference(first.failure, title),
        repeat: codeBlock(formatRerun(report, first.id), { language: "sh", label: "Run this case again" }),
      }),
      buildBasis(cites, report),
    ],
    undefined,
    {
      id: `cause ${number}`,
      note: marked(describeExtent(group, report)),
      count: plural(all, "case") + (following > 0 ? `\n${following} follow from it` : ""),
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

/** Expected beside received, and the body with the place that is wrong; not what the title of the cause says. */
function buildDifference(
  { code: kind, title, sentence, what, expected, actual, received, status, violation, sent }: Failure,
  shown: string,
): Content {
  if (kind === "no response") return undefined;
  const body = (wrong: Readonly<Record<string, string>>) => buildReceived(received, wrong);
  const ofSent = sent !== undefined && pairs([["Sent", sent]]);
  if (status) return [wrongStatus(status.actual, `expected ${status.expected.join(" or ")}`), ofSent, body({})];
  if (violation) {
    const { location, message } = violation;
    if (location === "status" && received) return [wrongStatus(received.status, message), body({})];
    const isShown = shown.endsWith(`${message}.`);
    return [!isShown && paragraph(code(location), ` ${message}`), body({ [location]: message })];
  }
  const [wanted = "nothing", got = "nothing"] = [expected, actual].map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  return [
    title === undefined ? !shown.includes(what) && paragraph(code(what)) : sentence !== shown && paragraph(sentence),
    pairs([
      ["Expected", showValue("Expected", wanted)],
      ["Received", showValue("Received", got)],
    ]),
    body({ [what]: `expected ${wanted}` }),
  ];
}

const showValue = (label: string, text: string): Content =>
  /^[[{]/.test(text) ? codeBlock(text, { language: "json", label }) : code(text);

/** The body of a response, with the places that are wrong. */
function buildReceived(received: ReceivedText | undefined, wrong: Readonly<Record<string, string>>): Content {
  if (received === undefined || received.body === "") return undefined;
  return codeBlock(received.body, { language: "json", label: `Received body, status ${received.status}`, wrong });
}

/** In the verdict: the most frequent reason. Leads to the section. */
function summarizeNotApplicable(report: Report): Content {
  const { reasons, total, declaration } = describeNotApplicable(report);
  const [only, ...further] = reasons;
  if (!only) return undefined;
  const reason = further.length > 0 ? ` for ${reasons.length} reasons, most often: ${only.reason}` : `: ${only.reason}`;
  const name = declaration ? "What to declare" : "Which cases";
  return paragraph(
    marked(`${total} not applicable${reason}`),
    ". ",
    link(name, "#not-applicable"),
    declaration && [", or let ", code("verify --init"), " write it"],
    declaration && ".",
  );
}

function buildNotApplicable(report: Report): Content {
  const { reasons, total, declaration } = describeNotApplicable(report);
  if (total === 0) return undefined;
  const rows = reasons.map(({ reason, count }) => [marked(reason), plural(count, "case")]);
  const command = `${report.command ?? COMMAND} --init --url ${quote(report.url)}`;
  return [
    heading(3, "Not applicable", "not-applicable"),
    table({ label: "Reasons", columns: ["Reason", "Cases"] }, rows),
    declaration && [
      paragraph("If the target has it, declare it in ", code("verify.config.json"), ", with the target's own names:"),
      codeBlock(JSON.stringify(declaration), { language: "json", label: "verify.config.json" }),
      paragraph("Or let ", code("verify"), " ask the target, and write that file:"),
      codeBlock(command, { language: "sh", label: "Write the file" }),
    ],
  ];
}

/** The cases of each operation, folded. */
function buildCases({ results }: Report): Content {
  const parts = groupBy(results, ({ id }) => operationOf(id)).map((group) => {
    const rows = group.map(({ id, outcome, cites, reason }) => [
      id.split(" › ").slice(1).join(" › ") || id,
      [toned(NAMES[outcome], TONES[outcome]), reason !== undefined && [" ", soft(reason)]],
      cites.join(", "),
    ]);
    const name = operationOf(group[0].id);
    const cases = table({ label: `Cases of ${name}`, columns: ["Case", "Outcome", "Rests on"] }, rows);
    return details([name, " ", buildOutcome(group)], cases, undefined, {
      count: plural(group.length, "case"),
    });
  });
  return [heading(3, "All cases", "cases"), parts];
}

function buildOutcome(results: readonly Result[]): Content {
  const { pass, fail, error, "not applicable": notApplicable } = countOutcomes({ results });
  const failed = fail + error;
  if (failed > 0) return tag(`${failed} of ${results.length} failed`, "bad");
  return pass > 0 ? tag(`${pass} passed`, "good") : tag(`${notApplicable} not applicable`);
}

const operationOf = (id: string) => id.split(" › ")[0] ?? id;

/** What else is known of the run, such as what the target declares. */
function buildRun(report: Report): Content {
  const { capabilities, except, changed, isTemporary } = report;
  return [
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
