// A diff with line numbers as HTML: sign, number, indent and text in columns, and the words that differ are marked.
import { type Html, html } from "../docs/html.js";
import { diffArrays } from "./jsdiff.js";

interface Line {
  sign: string;
  number: string;
  indent: string;
  words: readonly string[];
}

/** Removed and added lines as such, for a screen reader too. */
export function renderDiff(text: string): Html[] {
  const lines = text.split("\n").map((line): Line => {
    const [, sign = "", number = "", indent = "", rest = ""] = /^(@@|.)( *\d*)( *)(.*)$/.exec(line) ?? [];
    return { sign, number, indent, words: rest.match(/\w+|\s+|./gu) ?? [] };
  });
  return splitBlocks(lines).flatMap(renderBlock);
}

/** Changed lines below each other, and each other line: words are compared where lines take the place of others. */
function splitBlocks(lines: readonly Line[]): Line[][] {
  const isChanged = (line: Line | undefined) => line?.sign === "-" || line?.sign === "+";
  const blocks: Line[][] = [];
  for (const [index, line] of lines.entries()) {
    if (isChanged(line) && isChanged(lines[index - 1])) blocks.at(-1)?.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function renderBlock(lines: readonly Line[]): Html[] {
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
