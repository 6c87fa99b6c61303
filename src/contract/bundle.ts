// Bundles a contract of several files into one document. Values of other files become components; path items replace the
// references to them. Errors name the file and line in which a value is written.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { stringify } from "yaml";
import { ContractError, type ContractFile, type ContractText, type Pointer, toContractFile } from "./contract-file.js";
import { type ContractSource, readContractText } from "./contract-source.js";
import { decodePart, findReferences, toPointer, toReference, valueAt } from "./openapi-document.js";

type Files = Map<string, ContractFile>;

interface Place {
  file: string;
  pointer: Pointer;
}

/**
 * Reads the files that a contract refers to and bundles them; returns the text if there are none.
 * @throws ContractError with file, line and reason.
 */
export function bundle(source: ContractSource, text: ContractText): ContractText | ContractFile {
  const mayHaveOtherFiles = /\$ref["']?\s*:\s*["']?[^#"'\s]/.test(text.text); // a quick look, since most have none
  if (!mayHaveOtherFiles) return text;
  const files: Files = new Map();
  const root = readFiles(source, source.root, text, files);
  if (files.size === 1) return root;
  const { value, placeOf, writtenAt } = bundleFiles(files, source.root);
  const digest = createHash("sha256");
  for (const [name, file] of files) digest.update(`${name}\0${file.digest}\0`);
  const whole = { path: text.path, text: stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }) };
  return {
    ...toContractFile({ ...whole, digest: digest.digest("hex") }, value),
    ...{ placeOf, writtenAt },
    lineOf: (pointer) => root.lineOf(writtenAt(pointer)),
  };
}

function readFiles(source: ContractSource, name: string, text: ContractText, files: Files): ContractFile {
  const file = toContractFile(text);
  files.set(name, file);
  for (const { reference, pointer } of findReferences(file.value)) {
    const { path, line } = file.placeOf(pointer);
    const fail = (reason: string) => new ContractError(path, line, `$ref ${reference} ${reason}`);
    const target = toTarget(name, reference);
    if (!target)
      throw fail("leads out of the contract's folder. A contract is served to everybody, so its files must be inside");
    if (!files.has(target.file)) readReferred(source, target.file, files, fail);
    if (valueAt(files.get(target.file)?.value, target.pointer) === undefined) throw fail("leads nowhere");
  }
  return file;
}

function readReferred(source: ContractSource, name: string, files: Files, fail: (reason: string) => Error): void {
  let text: ContractText;
  try {
    text = readContractText(source, name);
  } catch (error) {
    throw fail(`cannot be followed: ${(error as Error).message}`);
  }
  readFiles(source, name, text, files);
}

/** The target of a reference; undefined if it leads to another host, or out of the folder. */
function toTarget(name: string, reference: string): Place | undefined {
  const [path = "", fragment = ""] = reference.split("#", 2);
  const pointer = fragment === "" ? [] : toPointer(`#${fragment}`);
  if (path === "") return { file: name, pointer };
  const file = posix.normalize(posix.join(posix.dirname(name), decodePart(path)));
  const isOutside = /^[a-z][a-z0-9+.-]*:|^\/|\\/i.test(path) || file.startsWith("..");
  return isOutside ? undefined : { file, pointer };
}

/** The section of `components` for a value, by the object that holds the reference to it. All others are schemas. */
const SECTIONS = new Map([
  ["paths", "pathItems"],
  ...["parameters", "responses", "headers", "examples", "links", "callbacks"].map((name) => [name, name] as const),
]);

interface BundledDocument {
  paths: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
}

/** A value of another file, and its place in the bundled document. */
interface Move {
  from: Place;
  to: readonly string[];
  /** The place of the first reference to it in the bundled document. */
  referrer: Pointer;
}

function bundleFiles(files: Files, root: string): Pick<ContractFile, "value" | "placeOf" | "writtenAt"> {
  const whole = { paths: {}, components: {}, ...(files.get(root)?.value as Partial<BundledDocument>) };
  const moves = new Map<string, Move>();
  const components = Object.entries(whole.components).map(
    ([section, named]) => [["components", section], named] as const,
  );
  for (const [holder, named] of [[["paths"], whole.paths] as const, ...components]) {
    for (const [name, value] of Object.entries(named)) {
      const from = targetOf(root, value);
      const isAlias = from && from.file !== root && Object.keys(value as object).length === 1;
      const to = [...holder, name];
      if (isAlias) moves.set(keyOf(from), { from, to, referrer: to });
    }
  }
  const bundled = rewrite(whole, root, []) as BundledDocument;
  for (const { from, to } of moves.values()) {
    const [name = "", section = ""] = to.toReversed();
    if (to[0] === "components") bundled.components[section] ??= {};
    const holder = valueAt(bundled, to.slice(0, -1)) as Record<string, unknown>;
    holder[name] = rewrite(valueAt(files.get(from.file)?.value, from.pointer), from.file, to); // which may move others
  }

  /** Copies a value of a file to a place of the bundled document, with its references adapted. */
  function rewrite(value: unknown, file: string, pointer: Pointer): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => rewrite(item, file, [...pointer, index]));
    const target = targetOf(file, value);
    const entries = Object.entries(value).map(([key, child]) =>
      key === "$ref" && target ? [key, refer(target, pointer)] : [key, rewrite(child, file, [...pointer, key])],
    );
    return Object.fromEntries(entries);
  }

  function refer(from: Place, place: Pointer): string {
    if (from.file === root) return toReference(from.pointer);
    const move = moves.get(keyOf(from)) ?? { from, to: toFreePlace(from, place), referrer: place };
    moves.set(keyOf(from), move);
    return toReference(move.to);
  }

  /** A component of the value's name in its file, numbered if that is taken. */
  function toFreePlace({ file, pointer }: Place, place: Pointer): string[] {
    const [holder, key] = place.slice(-2).map(String);
    const section = key === "requestBody" ? "requestBodies" : (SECTIONS.get(String(holder)) ?? "schemas");
    const name = String(pointer.at(-1) ?? posix.parse(file).name).replaceAll(/[^\w.-]+/g, "_");
    const taken = [...moves.values()].map(({ to }) => String(to));
    const isTaken = (to: string[]) => taken.includes(String(to)) || valueAt(whole, to) !== undefined;
    let to = ["components", section, name];
    for (let count = 2; isTaken(to); count++) to = ["components", section, `${name}${count}`];
    return to;
  }

  const moveOf = (pointer: Pointer) =>
    [...moves.values()].find(({ to }) => to.every((part, index) => pointer[index] === part));

  function writtenAt(pointer: Pointer): Pointer {
    const { to, referrer } = moveOf(pointer) ?? { to: pointer, referrer: pointer };
    return to.join() === referrer.join() ? referrer : writtenAt(referrer);
  }

  /** The file and line of a place in the bundled document. */
  function placeOf(pointer: Pointer): { path: string; line: number } {
    const move = moveOf(pointer);
    const file = files.get(move?.from.file ?? root) as ContractFile;
    return file.placeOf(move ? [...move.from.pointer, ...pointer.slice(move.to.length)] : pointer);
  }

  return { value: bundled, placeOf, writtenAt };
}

const keyOf = ({ file, pointer }: Place) => file + toReference(pointer);

/** The target if the value is a reference. */
function targetOf(file: string, value: unknown): Place | undefined {
  const { $ref } = (value ?? {}) as { $ref?: unknown };
  return typeof $ref === "string" ? toTarget(file, $ref) : undefined;
}
