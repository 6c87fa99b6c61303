// The report as a comment on a pull request: the verdict, the first failures, and the gaps.
import { countOutcomes, groupFailures, HEADINGS, type Report, type Verdict, verdictOf } from "../report.js";
import { toAlike, toFailureText } from "./failure-text.js";
import { toSummary } from "./terminal.js";

const MAX_SHOWN = 10; // a comment that is longer than a screen is not read

const ICONS: Record<Verdict, string> = { conforms: "✅", violates: "❌", unknown: "⚠️", error: "⚠️" };

export function toMarkdown(report: Report): string {
  const { "not applicable": notApplicable } = countOutcomes(report);
  const verdict = verdictOf(report);
  const groups = groupFailures(report);
  const gaps = report.coverage.requests.filter(({ why }) => why).length;
  return [
    `### ${ICONS[verdict]} ${HEADINGS[verdict]}`,
    "",
    toSummary(report),
    "",
    ...groups
      .slice(0, MAX_SHOWN)
      .flatMap(({ first: { id, failure }, alike }) => [
        `<details><summary>${toCode(id)} — ${failure.cites.join(", ")}${toAlike(alike)}</summary>`,
        "",
        toFence(toFailureText(failure)),
        "",
        "</details>",
        "",
      ]),
    ...(groups.length > MAX_SHOWN ? [`… and ${groups.length - MAX_SHOWN} more groups of failures.`, ""] : []),
    `Not applicable: ${notApplicable}. Promises of the contract that no case covered: ${gaps}. Repeat with \`--seed ${report.seed}\`.`,
    "",
  ].join("\n");
}

/** Inside `<summary>`, Markdown is not rendered. */
function toCode(text: string): string {
  return `<code>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</code>`;
}

/** A fence longer than any inside it. */
function toFence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
