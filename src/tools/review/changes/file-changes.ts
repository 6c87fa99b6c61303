// Changes of the files outside of messages: texts, examples, server addresses, what this review does not interpret, and
// one for everything that is written differently with the same meaning.

import type { Contract } from "../../../contract/contract.js";
import { formOf, isText } from "../../../contract/grammar.js";
import { isEqual } from "../../../contract/json.js";
import { mapDefined, toList } from "../../../contract/lists.js";
import type { Operation, Provenance } from "../../../contract/model.js";
import { type Pointer, valueAt } from "../../../contract/pointer.js";
import { formatDifference, isContainer } from "../../difference.js";
import type { Change } from "./change.js";
import { isSamePart } from "./equivalence.js";
import { findFileDiff } from "./file-diff.js";

/** The contracts that are compared. */
export interface Versions {
  before: Contract;
  after: Contract;
}

/** A change at places of the files, with the lines of the first. */
function createFileChange(
  { before, after }: Versions,
  pointers: readonly Pointer[],
  about: Pick<Change, "id" | "class" | "keyword" | "sentence"> & Partial<Change>,
): Change {
  const [first = []] = pointers;
  const lineIn = ({ file }: Contract) => (valueAt(file.value, first) === undefined ? undefined : file.lineOf(first));
  return {
    side: "text",
    operation: undefined,
    places: pointers.map((pointer) => pointer.join(" › ")),
    at: [],
    pointers: [...pointers],
    breaks: [],
    undecided: {},
    counterexamples: {},
    restsOn: [],
    before: lineIn(before),
    after: lineIn(after),
    ...about,
  };
}

/** Servers of the document, of paths and of operations. */
export function compareServers({ before, after }: Versions): Change[] {
  const ofOperations = before.operations.flatMap((older) => {
    const newer = after.operations.find(({ path, method }) => path === older.path && method === older.method);
    const places = [serversOf(before, older), newer && serversOf(after, newer)];
    const isBelowRoot = places.some((place) => place && place.length > 1);
    return newer && isBelowRoot ? compareAddresses({ before, after }, places as [Pointer, Pointer], newer.id) : [];
  });
  return [...compareAddresses({ before, after }, [["servers"], ["servers"]]), ...ofOperations];
}

/** The place of an operation's servers: those of the path or the document where it has none. */
function serversOf({ file }: Contract, { pointer }: Operation): Pointer {
  const places = [pointer, pointer.slice(0, -1)].map((place) => [...place, "servers"]);
  return places.find((place) => valueAt(file.value, place) !== undefined) ?? ["servers"];
}

/** A removed address breaks clients: their requests reach no server that the contract describes. */
function compareAddresses(versions: Versions, places: readonly [Pointer, Pointer], operation?: string): Change[] {
  const { before, after } = versions;
  const [older, newer] = [addressesOf(before, places[0]), addressesOf(after, places[1])];
  const removed = [...older.keys()].filter((address) => !newer.has(address));
  const added = [...newer.keys()].filter((address) => !older.has(address));
  const isOther = removed.length === 1 && added.length === 1;
  const create = (was: string | undefined, is: string | undefined): Change => {
    const address = was ?? is ?? "";
    // Without servers, the address is where the contract was loaded from, which nobody here knows.
    const isUnknown = operation !== undefined && (older.size === 0 || newer.size === 0);
    const isOpen = isUnknown || (was?.includes("{") ?? false);
    const reason = isUnknown ? "one contract says no address" : "this review does not compare variables of any value";
    const [from, to] = [older.get(was ?? ""), newer.get(is ?? "")];
    const sentence = was === undefined ? "is a server address now" : "is no longer a server address";
    const diff = findFileDiff(filesOf(versions), { before: from ? [from] : [], after: to ? [to] : [] });
    return createFileChange(versions, [], {
      id: `servers:${operation === undefined ? "" : `${operation}:`}${address}`,
      class: isOpen ? "undecided" : was === undefined ? "compatible" : "breaking",
      breaks: was !== undefined && !isOpen ? ["clients"] : [],
      undecided: isOpen ? { clients: reason } : {},
      side: "request",
      operation,
      keyword: "servers",
      places: [address],
      sentence: isOther ? `is no longer a server address: \`${is}\` is` : sentence,
      before: from && before.file.lineOf(from),
      after: to && after.file.lineOf(to),
      ...(diff ? { diff } : {}),
    });
  };
  if (isOther) return [create(removed[0], added[0])];
  return [
    ...removed.map((address) => create(address, undefined)),
    ...added.map((address) => create(undefined, address)),
  ];
}

const filesOf = ({ before, after }: Versions) => ({ before: before.file, after: after.file });

/** Each URL with the defaults of its variables, with each listed value, and as a template if any value is allowed. */
function addressesOf({ file }: Contract, place: Pointer): Map<string, Pointer> {
  const servers = (valueAt(file.value, place) ?? []) as NonNullable<Contract["document"]["servers"]>;
  const addresses = servers.flatMap(({ url, variables = {} }, index) => {
    const fill = (name: string, value: string) =>
      url.replaceAll(/{([^}]+)}/g, (whole, other) => (other === name ? value : (variables[other]?.default ?? whole)));
    const all = Object.entries(variables);
    const listed = all.flatMap(([name, { enum: values = [] }]) => values.map((value) => fill(name, value)));
    const templates = all.some(([, { enum: values }]) => values === undefined) ? [url] : [];
    return [fill("", ""), ...listed, ...templates].map((address) => [address, [...place, index]] as const);
  });
  return new Map(addresses);
}

/** Members of the document that operations do not use, and that this review does not interpret. */
const UNCOMPARED = ["webhooks", "jsonSchemaDialect", "$self"];

/** One undecided change for each that differs once references are followed. */
export function compareDocuments(versions: Versions): Change[] {
  return mapDefined(UNCOMPARED, (name) => {
    const { before, after } = versions;
    const partOf = (contract: Contract) => ({ contract, value: valueAt(contract.file.value, [name]) });
    if (isSamePart(name, partOf(before), partOf(after))) return undefined;
    const reason = `this review does not compare ${name}`;
    const parts = compare({ pointer: [name], before: partOf(before).value, after: partOf(after).value }, undefined);
    const pointers = parts.map(({ pointer }) => pointer);
    const diff = findFileDiff(filesOf(versions), { before: pointers, after: pointers });
    return createFileChange(versions, [[name]], {
      ...(diff ? { diff } : {}),
      id: `document:${name}`,
      class: "undecided",
      keyword: name,
      undecided: { clients: reason, implementations: reason },
      sentence: parts.map(describePart).join("; ") || "a component that it refers to has changed",
    });
  });
}

/** `done › post is new`, `self: "a" → "b"` */
function describePart({ pointer, before, after }: FileDifference): string {
  const name = pointer.slice(1).join(" › ");
  if (isContainer(before ?? after))
    return `${name && `${name} `}${before === undefined ? "is new" : after === undefined ? "is removed" : "has changed"}`;
  return `${name}${name && ": "}${formatDifference(before, after)}`;
}

interface FileDifference {
  pointer: Pointer;
  before: unknown;
  after: unknown;
  /** What it is below: a keyword for people, or a hint for clients, which changes no message. */
  about?: "text" | "hint" | undefined;
}

/** For people as well. */
const NAMES = new Set(["info", "operationId"]);
const HINTS = new Set(["links"]);

/** Where the files differ, at the innermost places. */
export function findFileDifferences({ before, after }: Versions): FileDifference[] {
  const whole = { pointer: [], before: before.file.value, after: after.file.value };
  return compare(whole, { kind: "document", shape: "one" });
}

/** One for all places that are written differently with the same meaning. */
export function createEquivalence(versions: Versions, places: readonly Pointer[]): Change {
  const about = { id: "equivalent", class: "equivalent", keyword: "equivalent" } as const;
  const diff = findFileDiff(filesOf(versions), { before: places, after: places });
  const sentence = "is written differently";
  return createFileChange(versions, places, { ...about, ...(diff ? { diff } : {}), sentence });
}

/** @param form tells keywords from names that the contract chooses; undefined for data */
function compare(difference: FileDifference, form: ReturnType<typeof formOf>): FileDifference[] {
  const { pointer, before, after, about } = difference;
  if (isEqual(before, after)) return [];
  const isWhole = about === "text" && pointer.at(-1) !== "info";
  if (isWhole || !isContainer(before) || !isContainer(after) || isListDifference(before, after)) return [difference];
  if (referenceOf(before) !== referenceOf(after)) return [difference]; // their targets are compared at their own places
  const keys = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => key !== "x-decisions"));
  const isPart = form?.shape === "one";
  return [...keys].flatMap((key) => {
    const below = { pointer: [...pointer, key], before: before[key], after: after[key] };
    if (!isPart) return compare({ ...below, about }, form && { ...form, shape: "one" });
    const isOfText = (isText(key) && key !== "x-literal-plus") || NAMES.has(key);
    const ofKey = isOfText ? "text" : HINTS.has(key) ? "hint" : undefined;
    return compare({ ...below, about: about === "text" ? about : (ofKey ?? about) }, formOf(form.kind, key));
  });
}

function referenceOf(value: unknown): string | undefined {
  return isContainer(value) && typeof value.$ref === "string" ? value.$ref : undefined;
}

/** True for lists that differ as a whole, by length or order, rather than item by item. */
function isListDifference(before: object, after: object): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const [one, other] = [before, after].map((list) => list.map((item) => JSON.stringify(item)).toSorted());
  const isScalar = (item: unknown) => !isContainer(item); // such as the names of `required`
  return before.length !== after.length || before.every(isScalar) || isEqual(one, other);
}

export function createTextChange(versions: Versions, { pointer, about, ...values }: FileDifference): Change {
  const { before, after } = versions;
  const [section, path, method] = pointer;
  const operations = section === "paths" ? [...before.operations, ...after.operations] : [];
  const place = (valueAt(before.document, pointer.slice(0, -1)) ?? {}) as Provenance;
  const diff = findFileDiff({ before: before.file, after: after.file }, { before: [pointer], after: [pointer] });
  const { before: was, after: is } = values;
  // No message changes, but the methods of generated clients are named after it.
  const isMethodName =
    section === "paths" &&
    pointer.length === 4 &&
    pointer[3] === "operationId" &&
    was !== undefined &&
    is !== undefined;
  return createFileChange(versions, [pointer], {
    ...(diff ? { diff } : {}),
    id: `text:${pointer.join("/")}`,
    class: about === "hint" || isMethodName ? "compatible" : "editorial",
    keyword: isMethodName ? "operationId" : "text",
    operation: operations.find((one) => one.path === path && one.method === method)?.id,
    sentence: isMethodName ? `\`${was}\` is \`${is}\` now` : `${formatDifference(was, is)}.`,
    restsOn: pointer.at(-1) === "description" ? toList(place["x-decision"] ?? []) : [],
  });
}
