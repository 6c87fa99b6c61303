// The report as JUnit XML, in the dialect that Jenkins, GitLab and GitHub's actions read.
import { type Report, toRepeat } from "../report.js";
import type { Outcome, Result } from "../result.js";
import { toFailureLine, toFailureText } from "./failure-text.js";
import { escapeMarkup } from "./markup.js";

export function toJunit(report: Report): string {
  const groups = new Map<string, Result[]>();
  for (const result of report.results) {
    const [subject = ""] = result.id.split(" › ");
    groups.set(subject, [...(groups.get(subject) ?? []), result]);
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    tag("testsuites", { name: "notifications-contract verify", ...totals(report.results) }),
    ...[...groups].flatMap(([name, results]) => [
      tag("testsuite", {
        name,
        timestamp: report.started.slice(0, 19),
        ...totals(results),
        skipped: count(results, "not applicable"),
      }),
      `<properties><property name="seed" value="${report.seed}"/><property name="url" value="${escapeMarkup(report.url)}"/></properties>`,
      ...results.map((result) => toTestcase(result, name, report.seed)),
      "</testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function toTestcase({ id, ms, outcome, reason = "", failure, cites }: Result, classname: string, seed: number): string {
  const open = tag("testcase", { name: `${id} [${cites.join(", ")}]`, classname, time: (ms / 1000).toFixed(3) });
  if (outcome === "pass") return `${open}</testcase>`;
  if (outcome === "not applicable") return `${open}${tag("skipped", { message: reason })}</skipped></testcase>`;
  if (!failure)
    return `${open}${tag("error", { message: "the suite itself failed" })}${escapeMarkup(reason)}</error></testcase>`;
  const text = `${toFailureText(failure)}\nrepeat: ${toRepeat(id, seed)}`;
  const message = toFailureLine(failure, 80);
  return `${open}${tag("failure", { message, type: failure.cites.join(", ") })}${escapeMarkup(text)}</failure></testcase>`;
}

function totals(results: readonly Result[]) {
  return {
    tests: results.length,
    failures: count(results, "fail"),
    errors: count(results, "error"),
    time: (results.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3),
  };
}

function count(results: readonly Result[], outcome: Outcome): number {
  return results.filter((result) => result.outcome === outcome).length;
}

function tag(name: string, attributes: Record<string, string | number>): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`);
  return `<${name}${list.join("")}>`;
}
