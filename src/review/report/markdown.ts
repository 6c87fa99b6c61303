// The review as a comment on a pull request: the verdict, then folded details, within GitHub's limit.
import type { Change } from "../changes/change.js";
import type { Review } from "../review.js";
import { findGap } from "../trace.js";
import { countOf, summarise, toPlace, toVerdictText, toVersionText } from "./summary.js";
import { toWitnessTexts } from "./witness-text.js";

/** GitHub rejects comments of more than 65,536 characters. */
const LIMIT_BYTES = 60_000;

export function toMarkdown(review: Review): string {
  const { verdict, reasons, allowed, contract, base } = review;
  const against = base ? ` compared with \`${base.name}\` (${base.version})` : "";
  const head = [
    `## Contract review: ${verdict === "accept" ? "✅" : "❌"} ${verdict}`,
    `**${text(contract.title)} ${contract.version}**${against}. ${[toVerdictText(review), ...(review.version ? [text(toVersionText(review))] : [])].join(". ")}.`,
    list(
      reasons.map(
        ({ id, message, line, more = [] }) => `${toPlace(review, line)}${text(message)}${toMore(more)}<br>${code(id)}`,
      ),
    ),
    list(allowed.map((one) => `Allowed: ${text(one.message)} **${text(one.justification)}** ${code(one.id)}`)),
    list(summarise(review).map(text)),
  ];
  return toFit(head.filter((part) => part !== "").join("\n\n"), toSections(review));
}

function toSections(review: Review): string[] {
  const { changes, decisions, trace, examples, lint, typesDiff, rules, reasons } = review;
  const classes = (["breaking", "compatible", "editorial"] as const).map((kind) => {
    const some = changes.filter((change) => change.class === kind);
    return [`${some.length} ${kind}`, some.map(toChangeText)] as const;
  });
  const news = decisions.decisions.filter(({ status }) => status !== "unchanged");
  const failed = examples.filter(({ outcome }) => outcome === "failed");
  const gaps = trace.flatMap((clause) => findGap(clause) ?? []);
  const sections: (readonly [title: string, lines: string[]])[] = [
    ...classes,
    [
      "Decisions: new, changed, overdue",
      news.map(
        ({ id, status, question, answer, revisit }) =>
          `- **${id}** (${status}) ${text(question)} ${text(answer)} *Revisit: ${text(revisit)}*`,
      ),
    ],
    ["Clauses with a gap", gaps.map((gap) => `- ${text(gap)}`)],
    [
      "Wrong examples",
      failed.map(({ title, line, errors }) => `- ${toPlace(review, line)}${text(title)}: ${text(errors.join("; "))}`),
    ],
    ["Lint", lint.map(({ line, message, rule }) => `- ${toPlace(review, line)}${text(message)} ${code(rule)}`)],
    ["Rules that are off", Object.entries(rules.off).map(([name, reason]) => `- ${code(name)}: ${text(reason)}`)],
    [
      "To accept a reason",
      reasons.length === 0
        ? []
        : [fence(reasons.map(({ id }) => `--allow '${id}=justification'`).join(" \\\n  "), "sh")],
    ],
    ["TypeScript types", typesDiff === "" ? [] : [fence(typesDiff, "diff")]],
  ];
  return sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : [fold(title, lines)]));
}

/** Drops sections that do not fit, and says so. */
function toFit(head: string, sections: string[]): string {
  const note = "\n\n*Shortened to fit a comment: the HTML report is complete.*\n";
  const size = (part: string) => Buffer.byteLength(part);
  let whole = truncate(head, LIMIT_BYTES - size(note));
  let isShortened = whole !== head;
  for (const section of sections) {
    if (size(whole) + size(section) + size(note) + 2 <= LIMIT_BYTES) whole += `\n\n${section}`;
    else isShortened = true;
  }
  return isShortened ? `${whole}${note}` : `${whole}\n`;
}

function truncate(part: string, bytes: number): string {
  return Buffer.byteLength(part) <= bytes ? part : part.slice(0, Math.floor(bytes / 4));
}

function toChangeText(change: Change): string {
  const { id, operation, places, sentence, breaks, restsOn } = change;
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : "";
  const whom = breaks.length > 0 ? ` Breaks ${breaks.join(" and ")}.` : "";
  const basis = restsOn.length > 0 ? ` Rests on ${restsOn.join(", ")}.` : "";
  const line = `- **${text(operation ?? "shared")}** ${code(places[0] ?? "")}${more} ${text(`${sentence}.${whom}${basis}`)} ${code(id)}`;
  const details = toWitnessTexts(change).flatMap(({ claim, curl, response }) => [
    text(claim),
    ...(curl === undefined ? [] : [fence(curl, "sh")]),
    ...(response === undefined ? [] : [fence(response, "http")]),
  ]);
  return [line, ...details].join("\n\n");
}

function toMore(more: readonly string[]): string {
  return more.length === 0
    ? ""
    : ` And ${countOf(more, "more place")}: ${text(more.slice(0, 5).join("; "))}${more.length > 5 ? "; …" : ""}`;
}

function list(lines: string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function fold(title: string, lines: string[]): string {
  return `<details><summary>${title} (${lines.length})</summary>\n\n${lines.join("\n")}\n\n</details>`;
}

/** Text of the contract, without meaning as Markdown or HTML. */
function text(value: string): string {
  return value.replaceAll(/\s+/g, " ").replaceAll(/[\\*_{}[\]<>#|~@]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function code(value: string): string {
  return `<code>${text(value).replaceAll("`", "&#96;")}</code>`;
}

/** The fence is longer than any in the value. */
function fence(value: string, language: string): string {
  const longest = Math.max(2, ...(value.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${value}\n${mark}`;
}
