// Bundles a contract of several files into one document. Values of other files become components; path items replace
// the references to them. Errors name the file and line in which a value is written.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { ContractError } from "./contract-error.js";
import { type ContractFile, type ContractText, parseContractFile, readContractFile } from "./contract-file.js";
import { type ContractSource, readContractText } from "./contract-source.js";
import { formOf, type Kind, mapParts, sectionOf, walkNodes } from "./grammar.js";
import { isObject } from "./json.js";
import { decodePart, type Pointer, splitReference, toReference, valueAt } from "./pointer.js";
import { loadYaml } from "./yaml-text.js";

type Files = Map<string, ContractFile>;

interface FilePlace {
  file: string;
  pointer: Pointer;
}

/**
 * Reads the files that a contract refers to and bundles them; returns the text if there are none.
 * @throws ContractError with file, line and reason.
 */
export async function bundle(source: ContractSource, text: ContractText): Promise<ContractText | ContractFile> {
  const mayHaveOtherFiles = /\$ref["']?\s*:\s*["']?[^#"'\s]/.test(text.text); // a quick look, since most have none
  if (!mayHaveOtherFiles) return text;
  const files: Files = new Map();
  const root = await readFiles(source, text, files);
  if (files.size === 1) return root;
  const { value, placeOf, writtenAt } = bundleFiles(files, source.root);
  const digest = createHash("sha256");
  for (const [name, file] of files) digest.update(`${name}\0${file.digest}\0`);
  const whole = { path: text.path, text: loadYaml().stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }) };
  return {
    ...parseContractFile({ ...whole, digest: digest.digest("hex") }, value),
    placeOf,
    writtenAt,
    lineOf: (pointer) => root.lineOf(writtenAt(pointer)),
  };
}

async function readFiles(source: ContractSource, text: ContractText, files: Files): Promise<ContractFile> {
  const root = await readContractFile(text);
  files.set(source.root, root);
  const visited = new Set<unknown>();
  await readReferred(source.root, root.value, "document", []);
  return root;

  /** Reads the files that the parts of a value refer to. */
  async function readReferred(from: string, value: unknown, kind: Kind, at: Pointer): Promise<void> {
    for (const node of walkNodes(value, kind, at, visited)) {
      if (typeof node.value.$ref !== "string") continue;
      const { path, line } = (files.get(from) as ContractFile).placeOf([...node.pointer, "$ref"]);
      const fail = (reason: string) => new ContractError(path, line, `$ref ${node.value.$ref} ${reason}`);
      const target = findTarget(from, node.value.$ref, fail);
      if (!files.has(target.file)) files.set(target.file, await readContractFile(readText(target.file, fail)));
      const referred = valueAt(files.get(target.file)?.value, target.pointer);
      const isChecked = target.file !== source.root; // references in the main file are followed once it is whole
      if (referred === undefined && isChecked) throw fail("leads nowhere");
      await readReferred(target.file, referred, node.kind, target.pointer);
    }
  }

  function readText(file: string, fail: (reason: string) => Error): ContractText {
    try {
      return readContractText(source, file);
    } catch (error) {
      throw fail(`cannot be followed: ${(error as Error).message}`);
    }
  }
}

const OUTSIDE = "leads out of the contract's folder. A contract is served to everybody, so its files must be inside";

/** The place that a reference leads to. `fail` creates the error for one that cannot be followed. */
function findTarget(name: string, reference: string, fail: (reason: string) => Error): FilePlace {
  const { path, pointer } = splitReference(reference, fail);
  if (path === "") return { file: name, pointer };
  const file = posix.normalize(posix.join(posix.dirname(name), decodePart(path)));
  if (/^[a-z][a-z0-9+.-]*:|^\//i.test(path) || file.startsWith("..")) throw fail(OUTSIDE);
  return { file, pointer };
}

interface BundledDocument {
  paths: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
}

/** A value of another file, and its place in the bundled document. */
interface Move {
  from: FilePlace;
  to: readonly string[];
  kind: Kind;
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
      const kind = formOf(holder[0] === "paths" ? "document" : "components", String(holder.at(-1)))?.kind ?? "schema";
      if (isAlias) moves.set(keyOf(from), { from, to, kind, referrer: to });
    }
  }
  const bundled = rewrite(whole, { file: root, kind: "document", pointer: [] }) as BundledDocument;
  for (const { from, to, kind } of moves.values()) {
    const [name = "", section = ""] = to.toReversed();
    if (to[0] === "components") bundled.components[section] ??= {};
    const holder = valueAt(bundled, to.slice(0, -1)) as Record<string, unknown>;
    const value = valueAt(files.get(from.file)?.value, from.pointer);
    holder[name] = rewrite(value, { file: from.file, kind, pointer: to }); // which may move others
  }

  /** Copies a part of a file to a place of the bundled document, with its references adapted. */
  function rewrite(value: unknown, { file, kind, pointer }: { file: string; kind: Kind; pointer: Pointer }): unknown {
    if (!isObject(value)) return value;
    const target = targetOf(file, value);
    const copy = mapParts(kind, value, (child) =>
      rewrite(child.value, { file, kind: child.kind, pointer: [...pointer, ...child.path] }),
    );
    return target ? { ...copy, $ref: refer(target, kind, pointer) } : copy;
  }

  function refer(from: FilePlace, kind: Kind, place: Pointer): string {
    if (from.file === root) return toReference(from.pointer);
    const move = moves.get(keyOf(from)) ?? { from, to: findFreePlace(from, kind), kind, referrer: place };
    moves.set(keyOf(from), move);
    return toReference(move.to);
  }

  /** A component of the value's name in its file, numbered if that is taken. */
  function findFreePlace({ file, pointer }: FilePlace, kind: Kind): string[] {
    const section = sectionOf(kind) ?? "schemas";
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

const keyOf = ({ file, pointer }: FilePlace) => file + toReference(pointer);

/** The target if the value is a reference, which reading the files has followed. */
function targetOf(file: string, value: unknown): FilePlace | undefined {
  const { $ref } = (value ?? {}) as { $ref?: unknown };
  return typeof $ref === "string" ? findTarget(file, $ref, (reason) => new Error(reason)) : undefined;
}
