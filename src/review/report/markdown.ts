// The review as a comment on a pull request: the verdict, then folded details, within what such a comment may hold.
import type { Change } from "../changes/change.js";
import type { Review } from "../review.js";
import { gapOf } from "../trace.js";
import { countOf, summarise } from "./summary.js";
import { toWitnessText } from "./witness-text.js";

/** GitHub refuses comments of more than 65,536 characters. */
const LIMIT_BYTES = 60_000;

export function toMarkdown(review: Review): string {
  const { verdict, reasons, allowed, contract, base, changes, decisions, trace, examples, lint, typesDiff, rules } =
    review;
  const against = base ? ` compared with \`${base.name}\` (${base.version})` : "";
  const isYes = verdict === "yes";
  const head = [
    `## Contract review: ${isYes ? "✅ yes" : "❌ no"}`,
    `**${text(contract.title)} ${contract.version}**${against}: ${isYes ? "nothing stands against it" : `${countOf(reasons, "reason")} to say no`}.`,
    list(reasons.map(({ id, sentence, line }) => `${at(line)}${text(sentence)}<br>${code(id)}`)),
    list(allowed.map(({ id, sentence, because }) => `Accepted: ${text(sentence)} **${text(because)}** ${code(id)}`)),
    list(summarise(review).map(text)),
  ];
  const news = decisions.decisions.filter((one) => one.news);
  const sections = [
    ...(["breaking", "compatible", "editorial"] as const).map((kind) => {
      const some = changes.filter((change) => change.class === kind);
      return fold(`${some.length} ${kind}`, some.map(toChangeText));
    }),
    fold(
      "Decisions: new, changed, overdue",
      news.map(
        ({ id, news: what, question, answer, revisit }) =>
          `- **${id}** (${what}) ${text(question)} ${text(answer)} *Revisit: ${text(revisit)}*`,
      ),
    ),
    fold(
      "Clauses with a gap",
      trace.flatMap((clause) => gapOf(clause) ?? []).map((gap) => `- ${text(gap)}`),
    ),
    fold(
      "Examples that do not hold",
      examples
        .filter(({ outcome }) => outcome === "broken")
        .map(({ title, line, faults }) => `- ${at(line)}${text(title)}: ${text(faults.join("; "))}`),
    ),
    fold(
      "Lint",
      lint.map(({ line, message, rule }) => `- ${at(line)}${text(message)} ${code(rule)}`),
    ),
    fold(
      "Rules switched off",
      Object.entries(rules.off).map(([name, why]) => `- ${code(name)}: ${text(why)}`),
    ),
    fold("TypeScript types", typesDiff === "" ? [] : [fence(typesDiff, "diff")]),
  ];
  return toFit(
    head.filter((part) => part !== "").join("\n\n"),
    sections.filter((part) => part !== ""),
  );
}

/** Drops what does not fit, and says so. */
function toFit(head: string, sections: string[]): string {
  const note = "\n\n*Shortened to fit a comment: the HTML report has everything.*\n";
  const size = (part: string) => Buffer.byteLength(part);
  let whole = cut(head, LIMIT_BYTES - size(note));
  let isShortened = whole !== head;
  for (const section of sections) {
    if (size(whole) + size(section) + size(note) + 2 <= LIMIT_BYTES) whole += `\n\n${section}`;
    else isShortened = true;
  }
  return isShortened ? `${whole}${note}` : `${whole}\n`;
}

function cut(part: string, bytes: number): string {
  return Buffer.byteLength(part) <= bytes ? part : part.slice(0, Math.floor(bytes / 4));
}

function toChangeText({ id, class: kind, operation, places, sentence, witness }: Change): string {
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : "";
  const line = `- **${text(operation ?? "shared")}** ${code(places[0] ?? "")}${more} ${text(sentence)} ${code(id)}`;
  if (!witness) return kind === "breaking" ? `${line} No witness was found: look at it yourself.` : line;
  const { claim, curl, answer } = toWitnessText(witness);
  return `${line}\n\n${text(claim)}\n\n${fence(curl, "sh")}${answer === undefined ? "" : `\n\n${fence(answer, "http")}`}`;
}

function at(line: number | undefined): string {
  return line === undefined ? "" : `openapi.yaml:${line}: `;
}

function list(lines: string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function fold(title: string, lines: string[]): string {
  return lines.length === 0
    ? ""
    : `<details><summary>${title} (${lines.length})</summary>\n\n${lines.join("\n")}\n\n</details>`;
}

/** Text of the contract, without meaning as Markdown or HTML. */
function text(value: string): string {
  return value.replaceAll(/\s+/g, " ").replaceAll(/[\\*_{}[\]<>#|~@]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function code(value: string): string {
  return `<code>${text(value).replaceAll("`", "&#96;")}</code>`;
}

/** A fence is longer than any within. */
function fence(value: string, language: string): string {
  const longest = Math.max(2, ...(value.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${value}\n${mark}`;
}
