// Failures as annotations of a GitHub job, one for each cause.
import { groupFailures, type Report, toRepeat } from "../report.js";
import { toShown } from "./markup.js";

const MAX_SHOWN = 10; // what GitHub shows of one step

export function toAnnotations(report: Report): string {
  const lines = groupFailures(report)
    .slice(0, MAX_SHOWN)
    .map(({ first: { id, failure }, alike }) => {
      const { what, expected, actual, cites } = failure;
      const count = alike.length > 0 ? ` (and ${alike.length} alike)` : "";
      const text = `${what}: expected ${toShown(expected, 200)}, actual ${toShown(actual, 200)}\nrepeat: ${toRepeat(id, report.seed)}`;
      return `::error title=${toData(`${id} [${cites.join(", ")}]${count}`)
        .replaceAll(",", "%2C")
        .replaceAll(":", "%3A")}::${toData(text)}\n`;
    });
  return lines.join("");
}

function toData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
