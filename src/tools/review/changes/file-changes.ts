// Changes of the files outside of messages: texts, examples, server addresses, what this review does not interpret, and
// one for everything that is written differently with the same meaning.
import { isText } from "../../../contract/annotations.js";
import type { Contract } from "../../../contract/contract.js";
import { formOf } from "../../../contract/grammar.js";
import { isEqual } from "../../../contract/json.js";
import { mapDefined, toList } from "../../../contract/lists.js";
import type { Provenance } from "../../../contract/model.js";
import { type Pointer, valueAt } from "../../../contract/pointer.js";
import { formatDifference } from "../../difference.js";
import type { Change } from "./change.js";
import { findFileDiff } from "./file-diff.js";
import { isSamePart } from "./same-part.js";

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

/** A removed address breaks clients: their requests reach no server that the contract describes. */
export function compareServers(versions: Versions): Change[] {
  const [older, newer] = [addressesOf(versions.before), addressesOf(versions.after)];
  return mapDefined([...new Map([...older, ...newer])], ([address, pointer]): Change | undefined => {
    const isRemoved = older.has(address);
    if (isRemoved && newer.has(address)) return undefined;
    const isOpen = isRemoved && address.includes("{");
    const { file } = isRemoved ? versions.before : versions.after;
    const line = file.lineOf(pointer);
    return createFileChange(versions, [], {
      id: `servers:${address}`,
      class: isOpen ? "undecided" : isRemoved ? "breaking" : "compatible",
      breaks: isRemoved && !isOpen ? ["clients"] : [],
      undecided: isOpen ? { clients: "this review does not compare variables that may have any value" } : {},
      side: "request",
      keyword: "servers",
      places: [address],
      sentence: isRemoved ? "is no longer a server address" : "is a server address now",
      before: isRemoved ? line : undefined,
      after: isRemoved ? undefined : line,
    });
  });
}

/** Each URL with the defaults of its variables, with each listed value, and as a template if any value is allowed. */
function addressesOf({ document }: Contract): Map<string, Pointer> {
  const addresses = (document.servers ?? []).flatMap(({ url, variables = {} }, index) => {
    const fill = (name: string, value: string) =>
      url.replaceAll(/{([^}]+)}/g, (whole, other) => (other === name ? value : (variables[other]?.default ?? whole)));
    const all = Object.entries(variables);
    const listed = all.flatMap(([name, { enum: values = [] }]) => values.map((value) => fill(name, value)));
    const templates = all.some(([, { enum: values }]) => values === undefined) ? [url] : [];
    return [fill("", ""), ...listed, ...templates].map((address) => [address, ["servers", index, "url"]] as const);
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
    return createFileChange(versions, [[name]], {
      id: `document:${name}`,
      class: "undecided",
      keyword: name,
      undecided: { clients: reason, implementations: reason },
      sentence: "has changed",
    });
  });
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
  return createFileChange(versions, places, { ...about, sentence: "is written differently, and means the same" });
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
    const own = isOfText ? "text" : HINTS.has(key) ? "hint" : undefined;
    return compare({ ...below, about: about === "text" ? about : (own ?? about) }, formOf(form.kind, key));
  });
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
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
