// The parts of a review in a line each: what changed, the verdict, the version, the counts.
import { type Content, soft } from "../../../pages/report/blocks.js";
import { CHANGE_CLASSES } from "../changes/change.js";
import type { Review } from "../review.js";
import { findGap } from "../trace.js";

export function countOf(items: readonly unknown[], noun: string): string {
  return `${items.length === 0 ? "no" : items.length} ${noun}${items.length === 1 ? "" : "s"}`;
}

export function toneOf({ verdict }: Review): "good" | "bad" {
  return verdict === "accept" ? "good" : "bad";
}

/** The change in one sentence: the heaviest change, how many others there are, and which decisions. */
export function toSubject({ base, changes, contract, decisions, reasons }: Review): string {
  if (!base || !contract.isReadable || reasons.some(({ id }) => id === "review:comparing")) return "";
  const [first, ...others] = CHANGE_CLASSES.flatMap((kind) => changes.filter((change) => change.class === kind));
  const more = others
    .filter(({ id }) => id !== "text:info/version")
    .filter(({ operation, places }) => operation !== first?.operation || places[0] !== first?.places[0]);
  const answered = decisions.decisions.filter(({ before, answer }) => before && before.answer !== answer);
  const parts = [
    first &&
      `${first.operation ?? "The contract"}: ${first.places[0]} ${first.sentence.replace(/\. The old contract .*|\.$/s, "")}`,
    more.length > 0 && countOf(more, "more change"),
    answered.length > 0 && `another answer to ${answered.map(({ id }) => id).join(", ")}`,
  ].filter((part) => typeof part === "string");
  return (parts.join("; and ") || "Nothing changed").replace(/(?<!\.”)$/, ".");
}

export function toVerdictText({ verdict, reasons }: Review): string {
  return verdict === "accept" ? "Accept: no reason to reject it" : `Reject: ${countOf(reasons, "reason")}`;
}

const BUMPS = {
  major: "a major version: clients break",
  minor: "a minor version: the changes are compatible for clients",
  patch: "a patch version: only texts change",
  none: "no new version",
};

export function toVersionText({ version, base, contract, changes, reasons }: Review): string {
  if (!version || !base || reasons.some(({ id }) => id === "review:comparing")) return "";
  const isOpen = version.needed !== "major" && changes.some(({ class: kind }) => kind === "undecided");
  const needed = isOpen ? "a minor version at least: not every change is decided" : BUMPS[version.needed];
  const asked = `Semantic versioning asks for ${needed}. info.version was ${base.version}`;
  if (version.error) return `${asked}; ${version.error}`;
  const verdict = version.isEnough ? "which is enough" : `which is lower than ${version.lowest}`;
  const still = base.version === contract.version ? "still " : "";
  return `${asked} and is ${still}${contract.version}, ${verdict}`;
}

/** `openapi.yaml:316` */
export function toPlace(path: string, line: number | undefined): Content {
  return line === undefined ? undefined : soft(`${path}:${line}`);
}

export function summarize({ contract, base, changes, decisions, trace, examples, lint, rules }: Review): string[] {
  if (!contract.isReadable) return ["Nothing else was checked: the contract cannot be read."];
  const ofClass = (kind: string) => changes.filter((change) => change.class === kind).length;
  const ofStatus = (status: string) => decisions.decisions.filter((decision) => decision.status === status).length;
  const examplesOf = (...kinds: string[]) => examples.filter(({ outcome }) => kinds.includes(outcome)).length;
  const onImplementations = changes.filter(({ breaks }) => breaks.includes("implementations")).length;
  const unreplayed = examplesOf("unreplayed");
  const errors = lint.filter(({ isError }) => isError);
  const warnings = lint.filter(({ isError }) => !isError);
  const gaps = trace.filter((clause) => findGap(clause)).length;
  const note = trace.some(({ tests }) => tests) ? "" : " (the tests are not part of this package)";
  return [
    ...(base
      ? [
          `Changes: ${ofClass("breaking")} breaking, ${ofClass("undecided")} not decided, ${ofClass("compatible")} compatible for clients, ${ofClass("editorial")} editorial; ${onImplementations} ${onImplementations === 1 ? "breaks" : "break"} implementations`,
        ]
      : []),
    `Decisions: ${decisions.decisions.length}; ${ofStatus("new")} new, ${ofStatus("changed")} changed, ${decisions.removed.length} removed, ${ofStatus("overdue")} overdue`,
    `Clauses of the document: ${trace.length}, ${gaps} with a gap${note}`,
    `Examples: ${examplesOf("matched", "accepted")} correct, ${examplesOf("failed")} wrong${unreplayed > 0 ? `, ${unreplayed} not replayed` : ""}`,
    `Lint: ${countOf(errors, "error")}, ${countOf(warnings, "warning")}; ${Object.keys(rules.off).length} rules are off, each with its reason`,
  ];
}
