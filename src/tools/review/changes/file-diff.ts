// The lines of changes in the two files, as hunks with line numbers and the lines around them. Each hunk begins with
// the place that it is in:
//   @@ components › parameters › limit
//      315      schema:
//   -  316        maximum: 50
//   +  316        maximum: 20
import type { ContractFile } from "../../../contract/contract-file.js";
import { type Pointer, toReference, valueAt } from "../../../contract/pointer.js";
import { plural } from "../../../contract/violation.js";
import { diffArrays } from "../../../pages/report/jsdiff.js";

/** The most equal lines before and after changed ones. */
const AROUND = 3;
/** Up to so many changed lines below each other are shown whole, those of other changes included. */
const MAX_RUN = 12;
/** The most lines of a diff. */
const MAX_ROWS = 300;
/** A longer line, such as a whole contract as JSON, shows nothing. */
const MAX_LENGTH = 300;

interface Files {
  before: ContractFile;
  after: ContractFile;
}

/** The places of changes in both files; those that a file lacks have no lines there. */
export type Places = Record<keyof Files, readonly Pointer[]>;

/** undefined if a line is too long. */
export function findFileDiff(files: Files, places: Places): string | undefined {
  const rows = alignLines(files);
  const old = findRanges(files.before, places.before);
  const current = findRanges(files.after, places.after);
  const references = [...places.before, ...places.after].map(toReference);
  const isOfPlace = ({ old: was, current: is, text }: Row) =>
    isWithinAny(was, old) || isWithinAny(is, current) || references.some((reference) => isReference(text, reference));
  const changed = findRuns(rows).flatMap((run) => {
    const found = run.filter(isOfPlace);
    return found.length > 0 && run.length <= MAX_RUN ? run : found;
  });
  if (changed.length === 0 || changed.some(({ text }) => text.length > MAX_LENGTH)) return undefined;
  return formatHunks(findHunks(rows, changed), files);
}

/** A line of one file, or of both. */
interface Row {
  index: number;
  /** Its number in each file, from 1. */
  old?: number;
  current?: number;
  text: string;
}

const isChanged = ({ old, current }: Row) => old === undefined || current === undefined;

const aligned = new WeakMap<ContractFile, WeakMap<ContractFile, Row[]>>();

/** All lines of both files in one list: the removed ones before those in their place. */
function alignLines({ before, after }: Files): Row[] {
  const known = aligned.get(before) ?? new WeakMap<ContractFile, Row[]>();
  aligned.set(before, known);
  const rows = known.get(after) ?? createRows(before.text.split("\n"), after.text.split("\n"));
  known.set(after, rows);
  return rows;
}

/** Of files that differ in more lines, all are removed or added. */
const MAX_CHANGES = 2000;

function createRows(old: string[], current: string[]): Row[] {
  const rows: Row[] = [];
  let [x, y] = [0, 0];
  const all = [
    { value: old, removed: true },
    { value: current, added: true },
  ];
  const parts: { value: string[]; removed?: boolean; added?: boolean }[] =
    diffArrays(old, current, { maxEditLength: MAX_CHANGES }) ?? all;
  for (const { value, removed, added } of parts)
    for (const line of value) {
      const numbers = { ...(added ? {} : { old: ++x }), ...(removed ? {} : { current: ++y }) };
      rows.push({ index: rows.length, ...numbers, text: line.trimEnd() });
    }
  return rows;
}

/** The changed lines that stand below each other. */
function findRuns(rows: readonly Row[]): Row[][] {
  const runs: Row[][] = [];
  for (const row of rows) {
    if (!isChanged(row)) continue;
    if (row.index > 0 && runs.at(-1)?.at(-1)?.index === row.index - 1) runs.at(-1)?.push(row);
    else runs.push([row]);
  }
  return runs;
}

type Range = readonly [start: number, end: number];

function isWithinAny(number: number | undefined, ranges: readonly Range[]): boolean {
  return number !== undefined && ranges.some(([start, end]) => number >= start && number <= end);
}

function isReference(text: string, reference: string): boolean {
  return text.includes(`"${reference}"`) || text.includes(`'${reference}'`);
}

/** The lines of values, from the first to the last. */
function findRanges(file: ContractFile, pointers: readonly Pointer[]): Range[] {
  // A keyword that the file leaves out, such as a default style, has no lines.
  const present = pointers.filter((pointer) => valueAt(file.value, pointer) !== undefined);
  const lines = file.text.split("\n");
  return present.map(file.lineOf).map((line): Range => [line, line + countBelow(lines.slice(line), lines[line - 1])]);
}

const indentOf = (text = "") => text.search(/\S|$/);

/** The number of lines of the value of a key; the items of a list may begin below its first letter. */
function countBelow(lines: readonly string[], head = ""): number {
  const indent = indentOf(head);
  const isItem = head.trimStart().startsWith("- ");
  const end = lines.findIndex((text) => {
    const isNext = indentOf(text) < indent || (indentOf(text) === indent && (isItem || !/^\s*- /.test(text)));
    return text.trim() !== "" && isNext;
  });
  return end === -1 ? lines.length : end;
}

/** The rows with those around them: all in order, split where rows are left out. */
function findHunks(rows: readonly Row[], changed: readonly Row[]): Row[][] {
  const hunks: Row[][] = [];
  for (const { index } of changed) {
    const last = hunks.at(-1);
    const next = (last?.at(-1)?.index ?? -1) + 1;
    const start = Math.max(0, index - AROUND, next);
    const hunk = rows.slice(start, index + AROUND + 1);
    if (last && start === next) last.push(...hunk);
    else hunks.push(hunk);
  }
  return hunks.map((hunk) => {
    const isShown = (row: Row) => isChanged(row) || row.text !== "";
    return hunk.slice(hunk.findIndex(isShown), hunk.findLastIndex(isShown) + 1);
  });
}

function formatHunks(hunks: readonly Row[][], files: Files): string {
  const width = String(Math.max(...hunks.flat().map(({ old = 0, current = 0 }) => Math.max(old, current)))).length;
  const lines = hunks.flatMap((hunk) => {
    const place = findEnclosing(hunk, files);
    return [`@@ ${place.join(" › ")}`.trimEnd(), ...hunk.map((row) => formatRow(row, width))];
  });
  if (lines.length <= MAX_ROWS) return lines.join("\n");
  return [...lines.slice(0, MAX_ROWS), `@@ ${plural(lines.length - MAX_ROWS, "more line")}`].join("\n");
}

function formatRow({ old, current, text }: Row, width: number): string {
  const sign = current === undefined ? "-" : old === undefined ? "+" : " ";
  const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return `${sign} ${String(current ?? old).padStart(width)}  ${shown}`.trimEnd();
}

const KEY = /^\s*(?:- )*(["']?)([^\s"':#][^\s"':]*)\1:(?:\s|$)/;

/** The keys around the first changed line that the hunk does not show. */
function findEnclosing(hunk: readonly Row[], { before, after }: Files): string[] {
  const first = hunk.find(isChanged);
  const isRemoved = first?.current === undefined;
  const lines = (isRemoved ? before : after).text.split("\n");
  const numberOf = ({ old, current }: Row) => (isRemoved ? old : current);
  const shown = new Set(hunk.map(numberOf));
  const keys: string[] = [];
  let indent = indentOf(first?.text);
  for (let number = ((first && numberOf(first)) ?? 1) - 1; number > 0 && indent > 0; number--) {
    const text = lines[number - 1] ?? "";
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    const [, , key] = KEY.exec(text) ?? [];
    if (key !== undefined && !shown.has(number)) keys.unshift(key);
  }
  return keys;
}
