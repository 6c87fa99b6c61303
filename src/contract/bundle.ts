// A contract in several files as one document. Everything wrong with a file is reported at its own line.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { posix } from "node:path";
import { ContractError, type ContractFile, type ContractText, type Pointer, toContractFile } from "./contract-file.js";
import { type ContractSource, readContractText } from "./contract-source.js";
import { toPointer, valueAt } from "./openapi-document.js";

const require = createRequire(import.meta.url);

/** Whether a text may refer to another file: a quick look, since most do not. */
export function mayHaveOtherFiles(text: string): boolean {
  return /\$ref["']?\s*:\s*["']?[^#"'\s]/.test(text);
}

type Files = Map<string, ContractFile>;

interface Place {
  file: string;
  pointer: Pointer;
}

/**
 * Reads the files that a contract refers to and bundles them.
 * @throws ContractError with file, line and reason.
 */
export async function bundle(source: ContractSource, text: ContractText): Promise<ContractFile> {
  const files: Files = new Map();
  const root = readFiles(source, source.root, text, files);
  if (files.size === 1) return root;
  const value = await bundleFiles(source, files);
  const digest = createHash("sha256");
  for (const [name, file] of files) digest.update(`${name}\0${file.digest}\0`);
  // Loaded here, where there is something to write: most contracts are one file.
  const { dump } = require("js-yaml") as typeof import("js-yaml");
  const whole = { path: text.path, text: dump(value, { lineWidth: -1, noRefs: true }) };
  return {
    ...toContractFile({ ...whole, digest: digest.digest("hex") }, value),
    placeOf: (pointer) => findPlace(files, source.root, pointer),
    lineOf: root.lineOf, // of what another file says: the line that refers to it
  };
}

function readFiles(source: ContractSource, name: string, text: ContractText, files: Files): ContractFile {
  const file = toContractFile(text);
  files.set(name, file);
  for (const { reference, pointer } of findReferences(file.value, [])) {
    const { path, line } = file.placeOf(pointer);
    const fail = (reason: string) => new ContractError(path, line, `$ref ${reference} ${reason}`);
    const target = toTarget(name, reference);
    if (!target)
      throw fail("leads out of the folder of the contract: a contract is served to everybody, so it may not");
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

/** Where a reference of a file leads; undefined if to another host, or out of the folder. */
function toTarget(name: string, reference: string): Place | undefined {
  const [path = "", fragment = ""] = reference.split("#", 2);
  const pointer = fragment === "" ? [] : toPointer(`#${fragment}`);
  if (path === "") return { file: name, pointer };
  const file = posix.normalize(posix.join(posix.dirname(name), decodeURIComponent(path)));
  const isOutside = /^[a-z][a-z0-9+.-]*:|^\/|\\/i.test(path) || file.startsWith("..");
  return isOutside ? undefined : { file, pointer };
}

function* findReferences(value: unknown, pointer: Pointer): Generator<{ reference: string; pointer: Pointer }> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const place = [...pointer, key];
    if (key === "$ref" && typeof child === "string") yield { reference: child, pointer: place };
    else yield* findReferences(child, place);
  }
}

/** Stands for the folder: the library resolves references as URLs. */
const FOLDER = "https://contract.invalid/";

async function bundleFiles(source: ContractSource, files: Files): Promise<unknown> {
  const { bundle: bundleDocument } = await import("@apidevtools/json-schema-ref-parser");
  const toName = (url: string) => decodeURIComponent(url.slice(FOLDER.length).replace(/[#?].*/s, ""));
  const root = structuredClone(files.get(source.root)?.value) as object;
  return bundleDocument(
    FOLDER + encodeURI(source.root),
    root as never,
    {
      resolve: {
        file: false,
        http: false,
        contract: {
          order: 1,
          canRead: true,
          read: ({ url }: { url: string }) => JSON.stringify(files.get(toName(url))?.value),
        },
      },
      parse: { any: { order: 1, canParse: true, parse: ({ data }: { data: unknown }) => JSON.parse(String(data)) } },
    } as never,
  );
}

/** Where a place of the bundled document is written: it may have come from a file that the root refers to. */
function findPlace(files: Files, root: string, pointer: Pointer): { path: string; line: number } {
  let place: Place = { file: root, pointer: [] };
  for (const part of pointer) {
    if (part !== "$ref") place = follow(files, place);
    place = { file: place.file, pointer: [...place.pointer, part] };
  }
  const { file, pointer: at } = follow(files, place);
  return (files.get(file) as ContractFile).placeOf(at);
}

/** Where the references of a place lead in the end, or back to it. */
function follow(files: Files, place: Place, visited = new Set<string>()): Place {
  const value = valueAt(files.get(place.file)?.value, place.pointer);
  const reference = (value as { $ref?: unknown } | null | undefined)?.$ref;
  const target = typeof reference === "string" ? toTarget(place.file, reference) : undefined;
  const key = JSON.stringify(target);
  return !target || visited.has(key) ? place : follow(files, target, visited.add(key));
}
