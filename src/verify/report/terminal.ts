// The report for people at a terminal: failures first to last, then one line that says how it stands.
import { styleText } from "node:util";
import { countOutcomes, type FailureGroup, foldFailures, hintOf, type Report, verdictOf } from "../report.js";
import { toPrintable, toShown } from "./markup.js";

export function toTerminal(report: Report, isColoured: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColoured ? styleText(style, toPrintable(text), { validateStream: false }) : toPrintable(text);

  function toFailure({ first: { id, failure }, alike }: FailureGroup): string[] {
    const { what, expected, got, cites, curl } = failure;
    return [
      `${paint("red", "✗")} ${paint("bold", id)}  ${paint("dim", `[${cites.join(", ")}]`)}`,
      `    ${what}`,
      `      expected  ${paint("green", toShown(expected))}`,
      `      got       ${paint("red", toShown(got))}`,
      ...(curl ? [`    ${toPrintable(curl)}`] : []),
      `    again: --seed ${report.seed} --only ${toPrintable(quote(id))}`,
      ...(alike.length > 0
        ? [`    and ${alike.length} alike: ${alike.slice(0, 3).join("; ")}${alike.length > 3 ? "; …" : ""}`]
        : []),
      "",
    ];
  }

  const hint = hintOf(report);
  const broken = report.results.filter(({ outcome }) => outcome === "broken");
  const reasons = new Map<string, number>();
  for (const { outcome, reason = "" } of report.results) {
    if (outcome === "not applicable") reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [
    ...foldFailures(report).flatMap(toFailure),
    ...broken.flatMap(({ id, reason = "" }) => [
      `${paint("magenta", "!")} ${toPrintable(id)}: the suite itself broke`,
      `    ${toPrintable(reason)}`,
      "",
    ]),
    ...[...reasons].map(([reason, count]) => paint("dim", `not applicable (${count}): ${reason}`)),
    ...report.changed.map((sentence) => paint("dim", sentence)),
    ...(hint ? [paint("yellow", hint)] : []),
    paint(verdictOf(report) === "kept" ? "green" : "red", toSummary(report)),
    "",
  ].join("\n");
}

/** One line: how many of which outcome, against what, in which time, from which seed. */
export function toSummary(report: Report): string {
  const { pass, fail, broken, "not applicable": notApplicable } = countOutcomes(report);
  const counts = `${pass} passed, ${fail} failed, ${notApplicable} not applicable${broken > 0 ? `, ${broken} broken` : ""}`;
  return `${counts} · ${report.url} · contract ${report.contract.version} · ${report.seconds.toFixed(1)} s · seed ${report.seed}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
