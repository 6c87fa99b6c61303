// A report as one page that loads nothing, in the frame of all pages.
import { breakable, Html, heading, html, snippet, table, toAnchor } from "../docs/html.js";
import { renderPage } from "../docs/page-frame.js";
import {
  type Block,
  type BlockOf,
  type Content,
  escapeControls,
  flattenContent,
  isBlock,
  isWorthShowing,
  type Row,
  type Span,
} from "./blocks.js";
import { diffArrays } from "./jsdiff.js";

/** The same for every tool. */
export interface ReportPage {
  title: string;
  heading: string;
  /** In the bar: the target, the file. */
  about?: string;
  /** The verdict, then causes or changes: what a reader decides by. */
  content: Content;
  /** Folded beneath: counts, target, options, how to run it again. */
  run?: Content;
}

export function renderHtmlReport({ title, heading: name, about, content, run }: ReportPage): string {
  const fold =
    run !== undefined && html`<details id="run"><summary><h2>About this run</h2></summary>${render(run)}</details>`;
  const body = html`<main id="main"><h1>${breakable(name)}</h1>${render(content)}${fold}</main>`;
  const { text, policy } = renderPage({
    title: `${escapeControls(title)} · notifications-contract`,
    aside: html`${about !== undefined && html`<span class="version soft small">${escapeControls(about)}</span>`}`,
    kind: "report",
    body: new Html(escapeControls(body.text)),
  });
  // A file has no headers, so its policy is in a meta element, where frame-ancestors is not allowed.
  const meta = html`<meta http-equiv="Content-Security-Policy" content="${policy.replace(/ frame-ancestors [^;]*;/, "")}">`;
  return text.replace("<meta charset", () => `${meta}<meta charset`);
}

function render(content: Content): Html {
  return html`${flattenContent(content).map((part) => {
    if (typeof part === "string") return breakable(part);
    return isBlock(part) ? renderBlock(part) : renderSpan(part);
  })}`;
}

function renderSpan({ kind, text, tone, href, title }: Span): Html {
  const shown = breakable(text);
  if (kind === "number") return html`<b class="no">${text}</b> `;
  if (kind === "code") return html`<code>${shown}</code>`;
  if (kind === "strong") return html`<b>${shown}</b>`;
  if (kind === "toned") return html`<span class="${tone}">${shown}</span>`;
  if (kind === "tag") return html`<span class="tag ${tone ?? "soft"}">${shown}</span> `;
  const target = href?.startsWith("#") ? `#${toAnchor(href.slice(1))}` : href;
  return html`<a href="${target}"${title !== undefined && html` title="${title}"`}>${shown}</a>`;
}

function renderBlock(block: Block): Html {
  const { kind } = block;
  if (kind === "heading") return renderHeading(block.head, block.content);
  if (kind === "paragraph") return html`<p>${render(block.content)}</p>`;
  if (kind === "list") {
    const items = block.items.map((item) => html`<li>${render(item)}</li>`);
    return block.isOrdered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
  }
  if (kind === "table") return table(block, renderRows(block), findNumbers(block.rows));
  if (kind === "pairs") {
    return html`<dl class="pairs">${block.pairs.map(([term, value]) => html`<div><dt>${term}</dt><dd>${render(value)}</dd></div>`)}</dl>`;
  }
  if (kind === "codeBlock") {
    if (block.language === "sh") return snippet(block.label, block.text);
    if (block.language === "json") return snippet(block.label, block.text, block.wrong ?? {});
    const [, head, body] = (block.language === "http" && /^(.*?)\n\n(.*)$/s.exec(block.text)) || [];
    if (head !== undefined && body !== undefined) return snippet(head.replaceAll("\n", ", "), body, block.wrong ?? {});
    const text = block.language === "diff" ? renderDiff(block.text) : renderLines(block);
    return html`<pre tabindex="0" role="group" aria-label="${block.label}"><code>${text}</code></pre>`;
  }
  if (kind === "details") return renderDetails(block);
  if (kind === "bar") return renderBar(block);
  if (kind === "entry") {
    return html`<div class="entry ${block.tone}"${buildId(block.id)}><p>${render(block.title)}</p>${render(block.content)}</div>`;
  }
  return html`<div class="verdict ${block.tone}"><strong>${render(block.title)}</strong>${render(block.content)}</div>`;
}

/** The wrong ones, by their places, are marked as in JSON. */
function renderLines({ text, wrong }: BlockOf<"codeBlock">): Html {
  if (wrong === undefined) return html`${text}`;
  return html`${text.split("\n").map((line, index) => {
    const reason = wrong[index];
    return reason === undefined
      ? html`${line}\n`
      : html`<span class="wrong" data-reason="${reason}"><span>${line}\n</span></span>`;
  })}`;
}

function renderDetails({ summary, content, head, note, count, id, isOpen, isPlain }: BlockOf<"details">): Html {
  const title = head
    ? renderHeading(head, summary)
    : html`<span>${render(summary)}${note !== undefined && html`<span class="note">${render(note)}</span>`}</span>`;
  return html`<details${isPlain && html` class="plain"`}${buildId(id)}${isOpen && " open"}><summary>${title}${isWorthShowing(count) && html`<span class="count">${count}</span>`}</summary>${render(content)}</details>`;
}

/** Every share can be seen, however small. */
const LEAST_WIDTH = 0.8;

function renderBar({ label, parts }: BlockOf<"bar">): Html {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const widths = parts.map(({ count }) => Math.max(LEAST_WIDTH, (100 * count) / total));
  const whole = widths.reduce((sum, width) => sum + width, 0);
  let x = 0;
  const rects = parts.map(({ tone }, index) => {
    const width = widths[index] ?? 0;
    const rect = html`<rect class="${tone}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="10"/>`;
    x += width;
    return rect;
  });
  const legend = parts.map(
    ({ name, count, tone }) => html`<li><span class="key ${tone}"></span><b>${count}</b> ${name}</li>`,
  );
  return html`<div class="bar-chart" role="group" aria-label="${label}"><svg viewBox="0 0 ${whole.toFixed(2)} 10" preserveAspectRatio="none" aria-hidden="true">${rects}</svg><ul>${legend}</ul></div>`;
}

function renderHeading({ level, id }: NonNullable<BlockOf<"details">["head"]>, content: Content): Html {
  return heading(level, id === undefined ? undefined : toAnchor(id), render(content));
}

/** On a narrow screen, where a row is a stack, each cell says its column. */
function renderRows({ columns, rows }: BlockOf<"table">): Html[] {
  return rows.map(({ cells: [head, ...cells], id, isGroup }) => {
    if (isGroup)
      return html`<tr class="group"><th scope="rowgroup" colspan="${columns.length}">${render(head)}</th></tr>`;
    const bodyCells = cells.map((cell, index) => {
      const label = html` data-label="${columns[index + 1] ?? ""}"`;
      return html`<td${typeof cell === "number" && html` class="number"`}${label}>${render(cell)}</td>`;
    });
    return html`<tr${buildId(id)}><th scope="row">${render(head)}</th>${bodyCells}</tr>`;
  });
}

/** The columns whose heads stand at the right, as their numbers do. */
function findNumbers(rows: readonly Row[]): number[] {
  const cells = rows.find(({ isGroup }) => !isGroup)?.cells ?? [];
  return cells.flatMap((cell, index) => (index > 0 && typeof cell === "number" ? [index] : []));
}

function buildId(id: string | undefined): Html | undefined {
  return id === undefined ? undefined : html` id="${toAnchor(id)}"`;
}

interface Line {
  sign: string;
  number: string;
  indent: string;
  words: readonly string[];
}

/** Removed and added lines as such, for a screen reader too. */
function renderDiff(text: string): Html[] {
  const lines = text.split("\n").map((line): Line => {
    const [, sign = "", number = "", indent = "", rest = ""] = /^(@@|.)( *\d*)( *)(.*)$/.exec(line) ?? [];
    return { sign, number, indent, words: rest.match(/\w+|\s+|./gu) ?? [] };
  });
  return splitChanges(lines).flatMap(renderChange);
}

/** Changed lines below each other, and each other line: words are compared where lines take the place of others. */
function splitChanges(lines: readonly Line[]): Line[][] {
  const isChanged = (line: Line | undefined) => line?.sign === "-" || line?.sign === "+";
  const blocks: Line[][] = [];
  for (const [index, line] of lines.entries()) {
    if (isChanged(line) && isChanged(lines[index - 1])) blocks.at(-1)?.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function renderChange(lines: readonly Line[]): Html[] {
  const wordsOf = (sign: string) => lines.filter((line) => line.sign === sign).flatMap(({ words }) => words);
  const [removed, added] = [wordsOf("-"), wordsOf("+")];
  const parts = diffArrays(removed, added);
  const common = parts.flatMap((part) => (part.added || part.removed ? [] : part.value)).length;
  const isAlike = common > 0 && 2 * common >= Math.min(removed.length, added.length);
  // In the order of the words: whether the other side has each of them.
  const isCommon = {
    "-": parts.flatMap((part) => (part.added ? [] : part.value.map(() => !part.removed))),
    "+": parts.flatMap((part) => (part.removed ? [] : part.value.map(() => !part.added))),
  };
  const next = { "-": 0, "+": 0 };
  return lines.map(({ sign, number, indent, words }) => {
    if (sign === "@@") return html`<span class="hunk soft">${words}\n</span>`;
    const head = html`<span>${sign}</span><span class="soft">${number}</span><span>${indent}</span>`;
    if (sign !== "-" && sign !== "+") return html`<span class="line">${head}<span>${words}</span>\n</span>`;
    const shown = words.map((word) => {
      const isSame = isCommon[sign][next[sign]++] || word.trim() === "" || !isAlike;
      return isSame ? html`${word}` : html`<mark>${word}</mark>`;
    });
    const line = html`${head}<span>${shown}</span>\n`;
    return sign === "-" ? html`<del>${line}</del>` : html`<ins>${line}</ins>`;
  });
}
