// The report for people at a terminal: the failures, then a summary in one line.
import { styleText } from "node:util";
import { countOutcomes, type FailureGroup, groupFailures, type Report, toRepeat, verdictOf } from "../report.js";
import { toPrintable, toShown } from "./failure-text.js";

export function toTerminal(report: Report, isColoured: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColoured ? styleText(style, toPrintable(text), { validateStream: false }) : toPrintable(text);

  function toFailure({ first: { id, failure }, alike }: FailureGroup): string[] {
    const { what, expected, actual, cites, curl } = failure;
    const others = `    and ${alike.length} alike: ${alike.slice(0, 3).join("; ")}${alike.length > 3 ? "; …" : ""}`;
    return [
      `${paint("red", "✗")} ${paint("bold", id)}  ${paint("dim", `[${cites.join(", ")}]`)}`,
      `    ${what}`,
      `      expected  ${paint("green", toShown(expected))}`,
      `      actual    ${paint("red", toShown(actual))}`,
      ...(curl ? [toPrintable(curl)] : []), // from the margin, so that it can be pasted
      `    repeat: ${toPrintable(toRepeat(id, report.seed))}`,
      ...(alike.length > 0 ? [others] : []),
      "",
    ];
  }

  const errors = report.results.filter(({ outcome }) => outcome === "error");
  const skipped = report.results.filter(({ outcome }) => outcome === "not applicable");
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return [
    ...groupFailures(report).flatMap(toFailure),
    ...errors.flatMap(({ id, reason = "" }) => [
      `${paint("magenta", "!")} ${toPrintable(id)}: the suite itself failed`,
      `    ${toPrintable(reason)}`,
      "",
    ]),
    ...reasons.map((reason) => {
      const count = skipped.filter((result) => result.reason === reason).length;
      return paint("dim", `not applicable (${count}): ${reason}`);
    }),
    ...report.changed.map((sentence) => paint("dim", sentence)),
    paint(verdictOf(report) === "conforms" ? "green" : "red", toSummary(report)),
    "",
  ].join("\n");
}

/** One line: outcomes, target, contract, time, seed. */
export function toSummary(report: Report): string {
  const { pass, fail, error, "not applicable": notApplicable } = countOutcomes(report);
  const counts = `${pass} passed, ${fail} failed, ${notApplicable} not applicable${error > 0 ? `, ${error} failed in the suite itself` : ""}`;
  return `${counts} · ${report.url} · contract ${report.contract.version} · ${report.seconds.toFixed(1)} s · seed ${report.seed}`;
}
