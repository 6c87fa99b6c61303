// The lines of a change in the two files, as a diff with line numbers:
//      315      schema:
//   -  316        maximum: 50
//   +  316        maximum: 20
import type { ContractFile } from "../../../contract/contract-file.js";
import { type Pointer, valueAt } from "../../../contract/pointer.js";

/** The number of lines of a value to show. */
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
  const { above } = own.lines.length > 0 ? own : old;
  const [was, is] = [old, own].map(({ lines }) => lines.map(({ text }) => text).join("\n"));
  const rows = [
    ...above.map((line) => ({ ...line, sign: " " })),
    ...(was === is ? [] : old.lines.map((line) => ({ ...line, sign: "-" }))),
    ...own.lines.map((line) => ({ ...line, sign: was === is ? " " : "+" })),
  ];
  if (rows.some(({ text }) => text.length > MAX_LENGTH)) return undefined;
  const width = Math.max(...rows.map(({ number }) => String(number).length));
  return rows.map(({ sign, number, text }) => `${sign} ${String(number).padStart(width)}  ${text}`).join("\n");
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
    all.slice(start, end).flatMap((text, index) => {
      return text.trim() === "" ? [] : { number: start + index + 1, text: text.trimEnd() };
    });
  const below = all.slice(line, line + SHOWN - 1);
  const end = below.findIndex((text) => indentOf(text) <= indentOf(all[line - 1]));
  return {
    above: rowsOf(Math.max(0, line - 2), line - 1),
    lines: rowsOf(line - 1, line + (end === -1 ? below.length : end)),
  };
}
