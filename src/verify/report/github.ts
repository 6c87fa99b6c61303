// Failures as annotations of a GitHub job, one for each cause.
import { groupFailures, type Report, toRepeat } from "../report.js";
import { toAlike, toFailureLine } from "./failure-text.js";

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
