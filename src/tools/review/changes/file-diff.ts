// The lines of a change in the two files, as a diff with line numbers:
//      315      schema:
//   -  316        maximum: 50
//   +  316        maximum: 20
import type { ContractFile } from "../../../contract/contract-file.js";
import { type Pointer, valueAt } from "../../../contract/pointer.js";

/** The most lines of a side to show. */
const SHOWN = 3;
/** A longer line, such as a whole contract as JSON, shows nothing. */
const MAX_LENGTH = 300;

interface DiffSide {
  file: ContractFile;
  /** undefined if the file does not have it. */
  pointer: Pointer | undefined;
}

/** undefined if a value is not in the file itself (a contract may have several), or its line is too long. */
export function findFileDiff(before: DiffSide, after: DiffSide): string | undefined {
  const [old, own] = [before, after].map(linesOf);
  if (!old || !own) return undefined;
  const same = countEqual(old.lines, own.lines);
  const [was, is] = [old.lines.slice(same), own.lines.slice(same)];
  const end = countEqual(was.toReversed(), is.toReversed());
  const isEqual = was.length + is.length === 0;
  const { above } = own.lines.length > 0 ? own : old;
  const rows = [
    ...[...above, ...own.lines.slice(0, same)].slice(isEqual ? 0 : -1, isEqual ? 1 + SHOWN : undefined),
    ...was
      .slice(0, was.length - end)
      .slice(0, SHOWN)
      .map((line) => ({ ...line, sign: "-" })),
    ...is
      .slice(0, is.length - end)
      .slice(0, SHOWN)
      .map((line) => ({ ...line, sign: "+" })),
  ];
  if (rows.some(({ text }) => text.length > MAX_LENGTH)) return undefined;
  const width = Math.max(...rows.map(({ number }) => String(number).length));
  return rows.map(({ sign = " ", number, text }) => `${sign} ${String(number).padStart(width)}  ${text}`).join("\n");
}

interface Line {
  number: number;
  text: string;
  sign?: string;
}

/** How many lines both begin with. */
function countEqual(old: readonly Line[], own: readonly Line[]): number {
  const index = old.findIndex(({ text }, at) => text !== own[at]?.text);
  return index === -1 ? old.length : index;
}

/** The lines of a value, and the line above it. */
function linesOf({ file, pointer }: DiffSide) {
  // A keyword that the file leaves out, such as a default style, has no lines.
  if (!pointer || valueAt(file.value, pointer) === undefined) return { above: [], lines: [] };
  const { path, line } = file.placeOf(pointer);
  if (path !== file.path) return undefined;
  const all = file.text.split("\n");
  const indentOf = (text = "") => text.search(/\S|$/);
  const rowsOf = (start: number, end: number) =>
    all.slice(start, end).flatMap((text, index): Line | [] => {
      return text.trim() === "" ? [] : { number: start + index + 1, text: text.trimEnd() };
    });
  const below = all.slice(line);
  const end = below.findIndex((text) => indentOf(text) <= indentOf(all[line - 1]));
  return {
    above: rowsOf(Math.max(0, line - 2), line - 1),
    lines: rowsOf(line - 1, line + (end === -1 ? below.length : end)),
  };
}
