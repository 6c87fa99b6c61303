// A report as Markdown for a comment on a pull request, within GitHub's limit.
import { type Block, type Content, flattenContent, isBlock, type Row, type Span, toLines } from "./blocks.js";

/** GitHub rejects comments of more than 65,536 characters. */
const LIMIT_BYTES = 60_000;
const SHORTENED = "*Shortened to fit a comment: the HTML report is complete.*";

/** Leaves out parts that do not fit, and says so. */
export function renderMarkdown(content: Content): string {
  const parts = toLines(content)
    .map(renderLine)
    .filter((text) => text !== "");
  const shown: string[] = [];
  let rest = LIMIT_BYTES;
  for (const text of parts) {
    const bytes = Buffer.byteLength(text) + 2;
    if (bytes > rest) continue;
    shown.push(text);
    rest -= bytes;
  }
  if (shown.length < parts.length) shown.push(SHORTENED);
  return `${shown.join("\n\n")}\n`;
}

function render(content: Content): string {
  return toLines(content).map(renderLine).filter(Boolean).join("\n\n");
}

function renderLine(line: Block | (string | Span)[]): string {
  return Array.isArray(line) ? line.map(renderSpan).join("") : renderBlock(line);
}

function renderSpan(span: string | Span): string {
  if (typeof span === "string") return escapeText(span);
  const text = escapeText(span.text);
  if (span.kind === "code") return `<code>${text}</code>`;
  if (span.kind === "strong" || span.kind === "tag") return `**${text}**`;
  return span.kind === "link" && !span.href?.startsWith("#") ? `[${text}](${span.href})` : text;
}

function renderBlock(block: Block): string {
  const { kind } = block;
  if (kind === "heading") return `${"#".repeat(block.level)} ${render(block.content)}`;
  if (kind === "paragraph") return render(block.content);
  if (kind === "list") return block.items.map((item) => `- ${render(item)}`).join("\n");
  if (kind === "table") return renderTable(block.columns, block.rows);
  if (kind === "pairs") return block.pairs.map(([term, value]) => `- ${escapeText(term)}: ${render(value)}`).join("\n");
  if (kind === "codeBlock") return fence(block.text, block.language);
  if (kind === "details") {
    // GitHub renders no Markdown in a summary.
    const summary = flattenContent(block.summary).map((part) => (isBlock(part) ? "" : toSummary(part)));
    return `<details><summary>${summary.join("")}</summary>\n\n${render(block.content)}\n\n</details>`;
  }
  if (kind === "entry") return [`- ${render(block.title)}`, render(block.content)].filter(Boolean).join("\n\n");
  if (kind !== "callout") return ""; // shown in HTML only
  return [`## ${MARKS[block.tone]} ${escapeText(block.title)}`, render(block.content)].join("\n\n");
}

const MARKS = { good: "✅", bad: "❌", warn: "⚠️", soft: "" };

function toSummary(part: string | Span): string {
  return typeof part !== "string" && part.kind === "code"
    ? renderSpan(part)
    : escapeText(typeof part === "string" ? part : part.text);
}

function renderTable(columns: readonly string[] | undefined, rows: readonly Row[]): string {
  const toRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const head = columns ?? rows[0]?.cells.map(() => "") ?? [];
  const cells = rows.map((row) => toRow(row.cells.map((cell) => render(cell).replaceAll("\n", "<br>"))));
  return [toRow(head.map(escapeText)), toRow(head.map(() => "---")), ...cells].join("\n");
}

/** Escapes whatever Markdown or HTML gives a meaning. */
function escapeText(value: string): string {
  return value
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\*_{}[\]<>#|~@`&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The fence is longer than any in the text. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language === "text" ? "" : language}\n${text}\n${mark}`;
}
