// Finds all changes between two contracts. The path of a change: message-schema.ts turns the requests and responses of
// an operation into schemas; operation-differences.ts compares them; schema-differences.ts tries values of one version on
// the other; counterexample.ts puts them into whole messages; this file joins differences of one cause into a
// change.
import type { Contract } from "../../../contract/contract.js";
import { isEqual } from "../../../contract/json.js";
import { groupBy, mapDefined, toList } from "../../../contract/lists.js";
import type { Provenance } from "../../../contract/model.js";
import { isWithin, type Pointer, parseReference, valueAt } from "../../../contract/pointer.js";
import { type Change, type ChangeClass, placeOf, type Side } from "./change.js";
import {
  compareDocuments,
  compareServers,
  createEquivalence,
  createTextChange,
  findFileDifferences,
  type Versions,
} from "./file-changes.js";
import { findFileDiff, type Places } from "./file-diff.js";
import { MEANINGS, NOTES } from "./meanings.js";
import { type Break, compareOperations, type Difference } from "./operation-differences.js";
import { describeBound, describeValues, SCHEMAS, withoutReason } from "./wording.js";

export function findChanges(before: Contract, after: Contract, policy: Policy = "strict"): Change[] {
  const all = compareOperations(before, after).filter(matters);
  const differences = policy === "tolerant" ? all.map(tolerate) : all;
  const versions = { before, after };
  const inFiles = findFileDifferences(versions);
  const places = mapDefined(inFiles, ({ about, pointer }) => (about ? undefined : pointer));
  const renames = findRenames(differences, versions);
  const ofMessages = groupBy(differences, createCauseOf(differences)).map((group) => {
    return createChange(group, versions, { inFiles: places, other: renames.get(group[0]) });
  });
  const changes = [
    ...addDiffs(ofMessages, versions, places),
    ...compareDocuments(versions),
    ...compareServers(versions),
  ];
  const texts = inFiles.filter(({ about }) => about !== undefined).map((text) => createTextChange(versions, text));
  // If nothing but texts has changed, everything else is proved to be written differently alone.
  const isSame = changes.length === 0 && places.length > 0;
  return [...changes, ...texts, ...(isSame ? [createEquivalence(versions, places)] : [])];
}

/** The place of what differs, if a keyword reads the same and only the target of one of its references has changed. */
function findBelow(
  { before: was, after: is }: Difference,
  { before, after }: Versions,
  places: readonly Pointer[],
): Pointer | undefined {
  if (!isEqual(was.value, is.value)) return undefined;
  const references = [...referencesIn(was.value, before.file.value), ...referencesIn(is.value, after.file.value)];
  const targets = references.map(parseReference);
  return places.find((place) => targets.some((target) => isWithin(place, target)));
}

/** The references of a value, and of what they lead to. */
function referencesIn(value: unknown, document: unknown, reached = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return reached;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === "string" && !reached.has($ref)) {
    reached.add($ref);
    referencesIn(valueAt(document, parseReference($ref)), document, reached);
  }
  for (const part of Object.values(value)) referencesIn(part, document, reached);
  return reached;
}

/** `tolerant`: clients ignore members that they do not know, so that a new one breaks none of them. */
export type Policy = "strict" | "tolerant";

function tolerate(difference: Difference): Difference {
  const { side, keyword, before, breaks, sentence } = difference;
  const isNew = side === "response" && keyword === "properties" && before.pointer === undefined;
  if (!isNew || !breaks.clients) return difference;
  const { clients: _clients, ...ofImplementations } = breaks;
  return { ...difference, breaks: ofImplementations, sentence: withoutReason(sentence) };
}

/** Keywords whose differences are listed even if they break nobody. */
const LISTED = new Set(["existence", "content", "security", "nullable", ...MEANINGS]);

function matters({ keyword, breaks }: Difference): boolean {
  return LISTED.has(keyword) || Object.keys(breaks).length > 0;
}

/** The same difference in this many members of an object is one change. */
const MANY = 10;

/** A change of a shared component has one cause, but appears in several places and operations. */
function createCauseOf(differences: readonly Difference[]): (difference: Difference) => string {
  const parentOf = ({ side, keyword, sentence, place }: Difference) =>
    JSON.stringify([side, keyword, sentence, place.split(".").slice(0, -1)]);
  const parents = groupBy(differences, parentOf).filter(({ length }) => length >= MANY);
  const many = new Set(parents.map(([first]) => parentOf(first)));
  return (difference) => {
    const { side, keyword, sentence, before, after, place } = difference;
    if (many.has(parentOf(difference))) return parentOf(difference);
    const isWhole = keyword === "existence" && (before.pointer === undefined || after.pointer === undefined);
    const member = keyword === "required" || keyword === "properties" ? place.split(".").at(-1) : isWhole && place;
    // If only one version has the keyword, the other place is merely the nearest.
    const pointers = [before, after].filter(({ value }) => value !== undefined).map(({ pointer }) => pointer);
    const places = pointers.length > 0 ? pointers : [before.pointer, after.pointer];
    return JSON.stringify([side, keyword, sentence, places, member]);
  };
}

/** A change, and where it stands in both files. */
interface Located {
  change: Change;
  lines: Places;
}

/** Changes at one place are shown together, so each has the lines of all. */
function addDiffs(located: readonly Located[], { before, after }: Versions, inFiles: readonly Pointer[]): Change[] {
  const files = { before: before.file, after: after.file };
  const diffs = groupBy(located, ({ change }) => placeOf(change)).flatMap((group) => {
    const linesIn = (side: keyof Places) => group.flatMap(({ lines }) => lines[side]);
    const lines = { before: linesIn("before"), after: linesIn("after") };
    const near = findNear(
      group.flatMap(({ change }) => change.pointers),
      inFiles,
    );
    const diff = findFileDiff(files, lines) ?? findFileDiff(files, { before: near, after: near });
    return group.map(({ change }) => [change, diff] as const);
  });
  const diffOf = new Map(diffs);
  return located.map(({ change }) => {
    const diff = diffOf.get(change);
    return diff === undefined ? change : { ...change, diff };
  });
}

/** Where the files differ next to a change: in the nearest part around its places that differs, or as a whole. */
function findNear(pointers: readonly Pointer[], inFiles: readonly Pointer[]): Pointer[] {
  for (const pointer of pointers)
    for (let length = pointer.length; length > 2; length -= 1) {
      const part = pointer.slice(0, length);
      const near = inFiles.filter((place) => isWithin(place, part) || isWithin(part, place));
      if (near.length > 0) return near;
    }
  return [];
}

/**
 * The places of differences, with the list that makes a member required, if that is another one.
 * @param below instead, if only the target of a reference has changed
 */
function findLines(group: readonly Difference[], { before, after }: Versions, below: Pointer | undefined): Places {
  if (below) return { before: [below], after: [below] };
  const linesIn = (side: keyof Places) =>
    group.flatMap(({ [side]: at }) => (at.value === undefined || !at.pointer ? [] : [at.pointer, ...(at.also ?? [])]));
  const places = { before: linesIn("before"), after: linesIn("after") };
  const lists = mapDefined([...places.before, ...places.after], (pointer): Pointer | undefined => {
    const [parent, name] = [pointer.slice(0, -2), pointer.at(-1)];
    if (pointer.at(-2) !== "properties" || name === undefined) return undefined;
    const list = [...parent, "required"];
    const [old, current] = [before, after].map(({ file }) => toList(valueAt(file.value, list) ?? []).includes(name));
    return old === current ? undefined : list;
  });
  return { before: [...places.before, ...lists], after: [...places.after, ...lists] };
}

/** @param about where the files differ, texts aside; and the part that has the other name, if one is renamed */
function createChange(
  group: [Difference, ...Difference[]],
  versions: Versions,
  { inFiles, other }: { inFiles: readonly Pointer[]; other: Difference | undefined },
): Located {
  const { before, after } = versions;
  const [first] = group;
  const { operation, side, place, keyword, before: was, after: is } = first;
  const sides = shownBreaks(group);
  const breaks = mapDefined(sides, ([name, { undecided }]) => (undecided ? undefined : name));
  const collect = (key: keyof Break) =>
    Object.fromEntries(mapDefined(sides, ([name, { [key]: value }]) => (value ? [name, value] : undefined)));
  const below = SCHEMAS.has(keyword) ? findBelow(first, versions, inFiles) : undefined;
  const line = below ?? is.pointer;
  const nameWritten = (one: Difference) => findWritten(one.place, [before, after]);
  const isOldName = other?.after.value !== undefined && other.after.pointer !== undefined;
  const places = group.map((one) =>
    one.operation === operation ? nameWritten(one) : `${one.operation} ${nameWritten(one)}`,
  );
  const brief = describeBound(keyword, was.value, is.value);
  const sentence = isOldName ? `is renamed to \`${nameWritten(other)}\`` : describeAt(first, below, versions);
  const change: Change = {
    id: `${operation}:${side}:${place}:${keyword}`.replaceAll(" ", "/"),
    class: classify(first, sides),
    breaks,
    undecided: collect("undecided"),
    operation,
    side,
    keyword,
    places: [...new Set(places)],
    sentence: sentence + describeDeprecation(before, first),
    ...(brief ? { brief } : {}),
    at: group.map((one) => ({ operation: one.operation, place: one.place, steps: one.steps })),
    pointers: group
      .flatMap((one) => [one.before.pointer ?? [], one.after.pointer ?? []])
      .filter(({ length }) => length > 0),
    before: was.pointer && before.file.lineOf(was.pointer),
    after: line && after.file.lineOf(line),
    ...(other && !isOldName ? { renamedFrom: nameWritten(other) } : {}),
    ...(was.pointer && !is.pointer ? { nearest: after.file.lineOf(was.pointer) } : {}),
    counterexamples: collect("counterexample"),
    restsOn: was.pointer ? findBasis(before, [was.pointer, ...was.trail.toReversed()]) : [],
  };
  return { change, lines: findLines(group, versions, below) };
}

/** By side: of all differences the break that has a counterexample, or the first. */
function shownBreaks(group: readonly Difference[]): [Side, Break][] {
  return mapDefined(["clients", "implementations"] as const, (side): [Side, Break] | undefined => {
    const breaks = mapDefined(group, (difference) => difference.breaks[side]);
    const shown = breaks.find(({ counterexample }) => counterexample) ?? breaks[0];
    return shown && [side, shown];
  });
}

function classify({ keyword }: Difference, sides: readonly [Side, Break][]): ChangeClass {
  if (sides.some(([side, { undecided }]) => side === "clients" && !undecided)) return "breaking";
  if (sides.some(([, { undecided }]) => undecided)) return "undecided";
  return sides.length === 0 && NOTES.has(keyword) ? "note" : "compatible";
}

/** @param below the place that differs, if only the target of a reference has changed */
function describeAt({ sentence }: Difference, below: Pointer | undefined, { before, after }: Versions): string {
  if (!below) return sentence;
  const [was, is] = [before, after].map(({ file }) => valueAt(file.value, below));
  return describeValues(below.join(" › "), was, is);
}

/**
 * A part that is removed beside a new one with the same schema is probably the same part with another name.
 * @returns the new part of each removed one, and the other way round; none where several are alike
 */
function findRenames(differences: readonly Difference[], versions: Versions): Map<Difference, Difference> {
  const isRemoved = ({ before }: Difference) => before.value !== undefined;
  const parts = differences.filter(({ keyword, steps, before, after }) => {
    const isWhole = keyword === "existence" || keyword === "properties";
    return isWhole && steps.length > 0 && (before.value === undefined) !== (after.value === undefined);
  });
  const keyOf = (difference: Difference) => {
    const { operation, side, steps, before, after } = difference;
    const [{ file }, { pointer = [] }] = isRemoved(difference) ? [versions.before, before] : [versions.after, after];
    const part = valueAt(file.value, pointer) as { schema?: unknown } | undefined;
    return JSON.stringify([operation, side, steps.slice(0, -1), part?.schema ?? part]);
  };
  const pairs = groupBy(parts, keyOf).flatMap(([one, other, ...more]): (readonly [Difference, Difference])[] => {
    const isPair = other && more.length === 0 && isRemoved(one) !== isRemoved(other);
    return isPair ? [[one, other] as const, [other, one] as const] : [];
  });
  return new Map(pairs);
}

/** Headers as the contracts write them: `header.Retry-After`. */
function findWritten(place: string, contracts: readonly Contract[]): string {
  return place.replace(/(?<=header\.)[^.[]+/, (name) => {
    const operations = contracts.flatMap((contract) => contract.operations);
    const declared = operations.flatMap(({ parameters, responses }) => [
      ...parameters.filter((parameter) => parameter.in === "header"),
      ...responses.flatMap(({ headers }) => headers),
    ]);
    return declared.find((header) => header.name.toLowerCase() === name)?.name ?? name;
  });
}

/** What the base says of a removed place: that it is deprecated, and until when it stays. */
function describeDeprecation({ document }: Contract, { before, after }: Pick<Difference, "before" | "after">): string {
  if (before.value === undefined || after.value !== undefined || !before.pointer) return "";
  const place = valueAt(document, before.pointer) as { deprecated?: boolean; "x-sunset"?: string } | undefined;
  if (!place?.deprecated) return "";
  const { "x-sunset": sunset } = place;
  const isOver = sunset !== undefined && new Date(sunset) <= new Date();
  const until =
    sunset === undefined ? "" : isOver ? `, and its x-sunset ${sunset} has passed` : `, before its x-sunset ${sunset}`;
  return ` after it was deprecated${until}`;
}

/**
 * The clauses and decisions of the nearest enclosing object that names any, of the first place that has such an object.
 */
function findBasis({ document }: Contract, places: readonly Pointer[]): string[] {
  for (const pointer of places) {
    for (let length = pointer.length; length > 0; length -= 1) {
      const place = (valueAt(document, pointer.slice(0, length)) ?? {}) as Provenance;
      const ids = [place["x-source"] ?? [], place["x-decision"] ?? []].flat(2);
      if (ids.length > 0) return ids;
    }
  }
  return [];
}
