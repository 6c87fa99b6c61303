// A diff with line numbers as HTML: sign, number, indent and text in columns, and the words that differ are marked.
import { type Html, html } from "../shell/html.js";

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
  const common = findCommon(removed, added);
  const isAlike = common.length > 0 && 2 * common.length >= Math.min(removed.length, added.length);
  const places = { "-": common.map(([old]) => old), "+": common.map(([, own]) => own) };
  const next = { "-": 0, "+": 0 };
  return lines.map(({ sign, number, indent, words }) => {
    if (sign === "@@") return html`<span class="hunk soft">${words}\n</span>`;
    const head = html`<span>${sign}</span><span class="soft">${number}</span><span>${indent}</span>`;
    if (sign !== "-" && sign !== "+") return html`<span class="line">${head}<span>${words}</span>\n</span>`;
    const shown = words.map((word) => {
      const isSame = places[sign].includes(next[sign]++) || word.trim() === "" || !isAlike;
      return isSame ? html`${word}` : html`<mark>${word}</mark>`;
    });
    const line = html`${head}<span>${shown}</span>\n`;
    return sign === "-" ? html`<del>${line}</del>` : html`<ins>${line}</ins>`;
  });
}

/** The places of the words that both have in the same order, as many as possible. */
export function findCommon(old: readonly string[], own: readonly string[]): [old: number, own: number][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(own.length + 1));
  const lengthAt = (x: number, y: number) => lengths[x]?.[y] ?? 0;
  for (let x = old.length - 1; x >= 0; x--)
    for (let y = own.length - 1; y >= 0; y--) {
      const longest = old[x] === own[y] ? lengthAt(x + 1, y + 1) + 1 : Math.max(lengthAt(x + 1, y), lengthAt(x, y + 1));
      lengths[x]?.fill(longest, y, y + 1);
    }
  const common: [number, number][] = [];
  for (let [x, y] = [0, 0]; x < old.length && y < own.length; ) {
    if (old[x] === own[y]) common.push([x++, y++]);
    else if (lengthAt(x + 1, y) >= lengthAt(x, y + 1)) x++;
    else y++;
  }
  return common;
}
