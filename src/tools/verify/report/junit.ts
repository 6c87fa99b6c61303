// The report as JUnit XML, in the dialect that Jenkins, GitLab and GitHub's actions read.
import { type Html, html as xml } from "../../../pages/docs/html.js";
import { toEscape } from "../../../pages/report/blocks.js";
import type { Result } from "../case.js";
import { countOutcomes, type Report, toRepeat } from "./report.js";
import { toFailureLine, toFailureText } from "./text.js";

export function toJunit(report: Report): string {
  const subjects = [...new Set(report.results.map(subjectOf))];
  const { text } = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="notifications-contract verify" ${totals(report.results)}>
${subjects.map((subject) => toSuite(subject, report))}</testsuites>
`;
  return text.replaceAll(NOT_IN_XML, toEscape);
}

const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu; // 1.0

function toSuite(subject: string, { results, started, seed, url }: Report): Html {
  const own = results.filter((result) => subjectOf(result) === subject);
  const { "not applicable": skipped } = countOutcomes({ results: own });
  return xml`<testsuite name="${subject}" timestamp="${started.slice(0, 19)}" ${totals(own)} skipped="${skipped}">
<properties><property name="seed" value="${seed}"/><property name="url" value="${url}"/></properties>
${own.map((result) => toTestcase(result, seed))}</testsuite>
`;
}

function toTestcase(result: Result, seed: number): Html {
  const { id, ms, cites } = result;
  const name = `${id} [${cites.join(", ")}]`;
  return xml`<testcase name="${name}" classname="${subjectOf(result)}" time="${(ms / 1000).toFixed(3)}">${toOutcome(result, seed)}</testcase>
`;
}

function toOutcome({ id, outcome, reason = "", failure }: Result, seed: number): Html | undefined {
  if (outcome === "pass") return undefined;
  if (outcome === "not applicable") return xml`<skipped message="${reason}"></skipped>`;
  if (!failure) return xml`<error message="the suite itself failed">${reason}</error>`;
  const text = `${toFailureText(failure)}\nrepeat: ${toRepeat(id, seed)}`;
  return xml`<failure message="${toFailureLine(failure, 80)}" type="${failure.cites.join(", ")}">${text}</failure>`;
}

function subjectOf({ id }: Result): string {
  return id.split(" › ")[0] ?? id;
}

function totals(results: Result[]): Html {
  const { fail, error } = countOutcomes({ results });
  const seconds = (results.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3);
  return xml`tests="${results.length}" failures="${fail}" errors="${error}" time="${seconds}"`;
}
