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
  const nearest = own ?? old;
  if (!old || !own || !nearest) return undefined;
  const context = (own.lines.length > 0 ? own : old).above;
  const isSame = old.lines.map(({ text }) => text).join("\n") === own.lines.map(({ text }) => text).join("\n");
  const rows = [
    ...context.map((line) => ({ ...line, sign: " " })),
    ...(isSame ? [] : old.lines.map((line) => ({ ...line, sign: "-" }))),
    ...own.lines.map((line) => ({ ...line, sign: isSame ? " " : "+" })),
  ];
  if (rows.some(({ text }) => text.length > MAX_LENGTH)) return undefined;
  const width = Math.max(...rows.map(({ number }) => String(number).length));
  return rows.map(({ sign, number, text }) => `${sign} ${String(number).padStart(width)}  ${text}`).join("\n");
}

interface Line {
  number: number;
  text: string;
}

function linesOf({ file, pointer }: DiffSide): { above: Line[]; lines: Line[] } | undefined {
  if (!pointer || valueAt(file.value, pointer) === undefined) return { above: [], lines: [] }; // such as a default style
  const { path, line } = file.placeOf(pointer);
  if (path !== file.path) return undefined;
  const all = file.text.split("\n");
  const lineAt = (number: number): Line[] => {
    const text = all[number - 1]?.trimEnd();
    return text === undefined || text === "" ? [] : [{ number, text }];
  };
  const indent = indentOf(all[line - 1] ?? "");
  const below = all.slice(line, line + SHOWN - 1);
  const end = below.findIndex((text) => indentOf(text) <= indent);
  const count = 1 + (end === -1 ? below.length : end);
  return {
    above: lineAt(line - 1),
    lines: Array.from({ length: count }, (_none, index) => lineAt(line + index)).flat(),
  };
}

const indentOf = (text: string) => text.search(/\S|$/);
