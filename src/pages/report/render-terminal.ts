// A report as text for a terminal. Code starts at the margin, so that it can be pasted.
import { styleText } from "node:util";
import {
  type Block,
  buildSummary,
  type Content,
  escapeControls,
  formatContent,
  formatShares,
  type Span,
  splitLines,
  type Tone,
} from "./blocks.js";

type Style = "bold" | "green" | "red" | "yellow" | "dim";

const STYLES: Record<Tone, Style> = { good: "green", bad: "red", warn: "yellow", soft: "dim" };
const MARKS: Record<Tone, string> = { good: "✓", bad: "✗", warn: "!", soft: "-" };

export function renderTerminal(content: Content, { isColoured }: { isColoured: boolean }): string {
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text);

  function render(part: Content, indent: string): string[] {
    return splitLines(part).flatMap((line) =>
      Array.isArray(line) ? renderLine(line, indent) : renderBlock(line, indent),
    );
  }

  function renderBlock(block: Block, indent: string): string[] {
    const deeper = `${indent}  `;
    const { kind } = block;
    if (kind === "heading")
      return ["", ...renderLine([{ kind: "strong", text: formatContent(block.content) }], indent), ""];
    if (kind === "paragraph") return render(block.content, indent);
    if (kind === "list")
      return block.isOrdered ? renderSteps(block.items, deeper) : block.items.flatMap((item) => render(item, deeper));
    if (kind === "table") {
      const rows = block.rows.map(({ cells }) => cells.map((cell) => escapeControls(formatContent(cell))));
      return alignColumns(rows).map((line) => indent + line);
    }
    if (kind === "pairs") {
      const width = Math.max(...block.pairs.map(([term]) => term.length));
      return block.pairs.flatMap(([term, value]) => render([`${term.padEnd(width)}  `, value], indent));
    }
    if (kind === "codeBlock") return escapeControls(block.text).split("\n");
    if (kind === "details") return [...render(buildSummary(block), indent), ...render(block.content, deeper)];
    if (kind === "entry") {
      const mark = paint(STYLES[block.tone], MARKS[block.tone]);
      const [title = "", ...rest] = render(block.title, deeper);
      return [`${indent}${mark} ${title.trimStart()}`, ...rest, ...render(block.content, `${deeper}  `), ""];
    }
    if (kind === "bar") return renderLine([formatShares(block)], indent);
    const title: Span = { kind: "toned", tone: block.tone, text: formatContent(block.title) };
    return [...renderLine([title], indent), ...render(block.content, indent)];
  }

  function renderSteps(items: readonly Content[], indent: string): string[] {
    const steps = items.flatMap((item, index) => {
      const [first = "", ...rest] = render(item, `${indent}   `);
      return [`${indent}${index + 1}. ${first.trimStart()}`, ...rest];
    });
    return [...steps, ""];
  }

  function renderLine(spans: readonly (string | Span)[], indent: string): string[] {
    const texts = spans.map((span) => {
      if (typeof span === "string") return escapeControls(span);
      const style = span.kind === "strong" ? "bold" : span.tone && STYLES[span.tone];
      return style ? paint(style, escapeControls(span.text)) : escapeControls(span.text);
    });
    const lines = texts.join("").split("\n");
    return lines.map((line) => (indent + line).trimEnd());
  }

  const text = render(content, "").join("\n");
  return `${text.replaceAll(/\n{3,}/g, "\n\n").trimEnd()}\n`;
}

/** Each row as a line of columns. */
export function alignColumns(rows: readonly string[][]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widthOf(column))).join("  "));
  return lines.map((line) => line.trimEnd());
}
