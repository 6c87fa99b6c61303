// The review as a comment on a pull request: the verdict, then folded details, within GitHub's limit.
import type { Change } from "../changes/change.js";
import type { Review } from "../review.js";
import { countOf, summarise, toPlace, toVerdictText, toVersionText } from "./summary.js";
import { toWitnessTexts } from "./witness-text.js";

/** GitHub rejects comments of more than 65,536 characters. */
const LIMIT_BYTES = 60_000;
/** How many of the further places of a reason are shown. */
const SHOWN = 5;

export function toMarkdown(review: Review): string {
  const { verdict, reasons, allowed, contract, base } = review;
  const against = base ? ` compared with \`${base.name}\` (${base.version})` : "";
  const verdictText = [toVerdictText(review), ...(review.version ? [text(toVersionText(review))] : [])].join(". ");
  const head = [
    `## Contract review: ${verdict === "accept" ? "✅" : "❌"} ${verdict}`,
    `**${text(contract.title)} ${contract.version}**${against}. ${verdictText}.`,
    list(
      reasons.map(({ id, message, line, more = [] }) => {
        const places = `${text(more.slice(0, SHOWN).join("; "))}${more.length > SHOWN ? "; …" : ""}`;
        const further = more.length === 0 ? "" : ` And ${countOf(more, "more place")}: ${places}`;
        return `${toPlace(review, line)}${text(message)}${further}<br>${code(id)}`;
      }),
    ),
    list(
      allowed.map((reason) => `Allowed: ${text(reason.message)} **${text(reason.justification)}** ${code(reason.id)}`),
    ),
    list(summarise(review).map(text)),
  ];
  const options = reasons.map(({ id }) => `--allow '${id}=justification'`).join(" \\\n  ");
  const sections = [
    ...toSections(review),
    ["To accept a reason", reasons.length === 0 ? [] : [fence(options, "sh")]] as const,
    ["TypeScript types", review.typesDiff === "" ? [] : [fence(review.typesDiff, "diff")]] as const,
  ];
  const folded = sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) => `<details><summary>${title} (${lines.length})</summary>\n\n${lines.join("\n")}\n\n</details>`,
    );
  return toFit(head.filter((part) => part !== "").join("\n\n"), folded);
}

/** The reasons name gaps of the trace, wrong examples and errors of lint already. */
function toSections(review: Review): (readonly [title: string, lines: string[]])[] {
  const classes = (["breaking", "compatible", "editorial"] as const).map((kind) => {
    const some = review.changes.filter((change) => change.class === kind);
    return [`${some.length} ${kind}`, some.map(toChangeText)] as const;
  });
  const news = review.decisions.decisions.filter(({ status }) => status !== "unchanged");
  const decisions = news.map(
    ({ id, status, question, answer, revisit }) =>
      `- **${id}** (${status}) ${text(question)} ${text(answer)} *Revisit: ${text(revisit)}*`,
  );
  const warnings = review.lint
    .filter(({ isError }) => !isError)
    .map(({ line, message, rule }) => `- ${toPlace(review, line)}${text(message)} ${code(rule)}`);
  return [...classes, ["Decisions: new, changed, overdue", decisions], ["Lint: warnings", warnings]];
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

/** Drops sections that do not fit, and says so. */
function toFit(head: string, sections: string[]): string {
  const note = "\n\n*Shortened to fit a comment: the HTML report is complete.*\n";
  const size = (part: string) => Buffer.byteLength(part);
  let isShortened = size(head) + size(note) > LIMIT_BYTES;
  let whole = isShortened ? head.slice(0, LIMIT_BYTES / 4) : head; // a character has at most four bytes
  for (const section of sections) {
    if (size(whole) + size(section) + size(note) + 2 <= LIMIT_BYTES) whole += `\n\n${section}`;
    else isShortened = true;
  }
  return isShortened ? `${whole}${note}` : `${whole}\n`;
}

function list(lines: string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
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
