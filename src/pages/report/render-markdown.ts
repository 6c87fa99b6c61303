// A report as Markdown for a comment on a pull request, within GitHub's limit.
import {
  type Block,
  buildSummary,
  type Content,
  flattenContent,
  formatShares,
  isBlock,
  type Row,
  type Span,
  splitLines,
} from "./blocks.js";

/** GitHub rejects comments of more than 65,536 characters. */
const LIMIT_BYTES = 60_000;
const SHORTENED = "*Shortened to fit a comment: the HTML report is complete.*";

/** Omits parts that do not fit, and says so. */
export function renderMarkdown(content: Content): string {
  const parts = renderParts(content);
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

function renderParts(content: Content): string[] {
  const parts = splitLines(content).map((line) =>
    Array.isArray(line) ? line.map(renderSpan).join("") : renderBlock(line),
  );
  return parts.filter((text) => text !== "");
}

const render = (content: Content) => renderParts(content).join("\n\n");

function renderSpan(span: string | Span): string {
  if (typeof span === "string") return escapeText(span);
  const text = escapeText(span.text);
  if (span.kind === "code") return `<code>${text}</code>`;
  if (span.kind === "strong" || span.kind === "tag") return `**${text}**`;
  return span.kind === "link" && !span.href?.startsWith("#") ? `[${text}](${span.href})` : text;
}

function renderBlock(block: Block): string {
  const { kind } = block;
  if (kind === "heading") return `${"#".repeat(block.head.level)} ${render(block.content)}`;
  if (kind === "paragraph") return render(block.content);
  if (kind === "list")
    return block.items.map((item, index) => `${block.isOrdered ? `${index + 1}.` : "-"} ${render(item)}`).join("\n");
  if (kind === "table") return renderTable(block);
  if (kind === "pairs") return block.pairs.map(([term, value]) => `- ${escapeText(term)}: ${render(value)}`).join("\n");
  if (kind === "codeBlock") return fence(block.text, block.language);
  if (kind === "details") {
    // GitHub renders no Markdown in a summary.
    const summary = flattenContent(buildSummary(block)).map((part) => (isBlock(part) ? "" : formatSummary(part)));
    return `<details><summary>${summary.join("")}</summary>\n\n${render(block.content)}\n\n</details>`;
  }
  if (kind === "entry") return [`- ${render(block.title)}`, render(block.content)].filter(Boolean).join("\n\n");
  if (kind === "bar") return escapeText(formatShares(block));
  return [`## ${MARKS[block.tone]} ${render(block.title)}`, render(block.content)].join("\n\n");
}

const MARKS = { good: "✅", bad: "❌", warn: "⚠️", soft: "" };

function formatSummary(part: string | Span): string {
  if (typeof part === "string") return escapeText(part);
  return part.kind === "code" ? renderSpan(part) : escapeText(part.text);
}

function renderTable({ columns, rows }: { columns: readonly string[]; rows: readonly Row[] }): string {
  const formatRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const body = rows.map(({ cells }) => formatRow(cells.map((cell) => render(cell).replaceAll("\n", "<br>"))));
  return [formatRow(columns.map(escapeText)), formatRow(columns.map(() => "---")), ...body].join("\n");
}

/** Escapes every character that has a meaning in Markdown or HTML. */
function escapeText(value: string): string {
  return value
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\*_{}[\]<>#|~@`&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A fence that is longer than any in the text. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language === "text" ? "" : language}\n${text}\n${mark}`;
}
