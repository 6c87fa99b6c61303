// The review as a comment on a pull request: the verdict, then folded details, within GitHub's limit.
import type { Change } from "../changes/change.js";
import type { Review } from "../review.js";
import { findGap } from "../trace.js";
import { summarise, toVerdictText } from "./summary.js";
import { toWitnessText } from "./witness-text.js";

/** GitHub rejects comments of more than 65,536 characters. */
const LIMIT_BYTES = 60_000;

export function toMarkdown(review: Review): string {
  const { verdict, reasons, allowed, contract, base } = review;
  const against = base ? ` compared with \`${base.name}\` (${base.version})` : "";
  const head = [
    `## Contract review: ${verdict === "accept" ? "✅" : "❌"} ${verdict}`,
    `**${text(contract.title)} ${contract.version}**${against}. ${toVerdictText(review)}.`,
    list(reasons.map(({ id, message, line }) => `${at(line)}${text(message)}<br>${code(id)}`)),
    list(allowed.map((one) => `Allowed: ${text(one.message)} **${text(one.justification)}** ${code(one.id)}`)),
    list(summarise(review).map(text)),
  ];
  return toFit(head.filter((part) => part !== "").join("\n\n"), toSections(review));
}

function toSections({ changes, decisions, trace, examples, lint, typesDiff, rules }: Review): string[] {
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
      failed.map(({ title, line, errors }) => `- ${at(line)}${text(title)}: ${text(errors.join("; "))}`),
    ],
    ["Lint", lint.map(({ line, message, rule }) => `- ${at(line)}${text(message)} ${code(rule)}`)],
    ["Rules that are off", Object.entries(rules.off).map(([name, reason]) => `- ${code(name)}: ${text(reason)}`)],
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

function toChangeText({ id, class: kind, operation, places, sentence, witness }: Change): string {
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : "";
  const line = `- **${text(operation ?? "shared")}** ${code(places[0] ?? "")}${more} ${text(sentence)} ${code(id)}`;
  if (!witness) return kind === "breaking" ? `${line} No witness was found: check it yourself.` : line;
  const { claim, curl, response } = toWitnessText(witness);
  const fences = [fence(curl, "sh"), ...(response === undefined ? [] : [fence(response, "http")])];
  return [line, text(claim), ...fences].join("\n\n");
}

function at(line: number | undefined): string {
  return line === undefined ? "" : `openapi.yaml:${line}: `;
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
