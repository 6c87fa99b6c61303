// Values and failures as text, as reports show them, and as annotations of a GitHub job.
import type { Failure } from "../case.js";
import { groupFailures, type Report, toRepeat } from "../report.js";

/** A value: JSON, truncated to a readable length. */
export function toShown(value: unknown, longest = 400): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** On several lines: what differs, and the requests. */
export function toFailureText({ hypothesis, what, expected, actual, curl }: Failure): string {
  const lines = [
    ...(hypothesis ? [hypothesis] : []),
    what,
    `expected  ${toShown(expected)}`,
    `actual    ${toShown(actual)}`,
    ...(curl ? [curl] : []),
  ];
  return lines.join("\n");
}

/** What is wrong, or the difference, without the response. */
export function toSentence({ hypothesis, ...failure }: Failure): string {
  if (hypothesis || failure.what !== "status") return hypothesis ?? toFailureLine(failure, 60);
  return `The status is ${String(failure.actual).slice(0, 3)} instead of ${failure.expected}.`;
}

/** On one line. */
export function toFailureLine({ what, expected, actual }: Failure, longest: number): string {
  return `${what}: expected ${toShown(expected, longest)}, actual ${toShown(actual, longest)}`;
}

/** How many other failures are alike, in brackets. */
export function toAlike({ length }: readonly string[]): string {
  return length > 0 ? ` (and ${length} alike)` : "";
}

const MAX_SHOWN = 10; // what GitHub shows of one step

export function toAnnotations(report: Report): string {
  const lines = groupFailures(report)
    .slice(0, MAX_SHOWN)
    .map(({ first: { id, failure }, alike }) => {
      const title = toData(`${id} [${failure.cites.join(", ")}]${toAlike(alike)}`);
      const text = `${toFailureLine(failure, 200)}\nrepeat: ${toRepeat(id, report.seed)}`;
      return `::error title=${title.replaceAll(",", "%2C").replaceAll(":", "%3A")}::${toData(text)}\n`;
    });
  return lines.join("");
}

function toData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
