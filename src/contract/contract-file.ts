// A contract's file, in a folder or in a git revision: its text, its value, and the lines of its places.
import { isUtf8 } from "node:buffer";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { ContractError } from "./openapi-document.js";
import type { Pointer } from "./pointer.js";
import { assertRegularFile } from "./regular-file.js";
import { parseYaml, parseYamlInSteps, type YamlText } from "./yaml-text.js";

/** The contracts of the API and of the control plane. The relative paths are the same from `src` and `dist`. */
export const CONTRACT_PATH = fileURLToPath(new URL("../../openapi.yaml", import.meta.url));
export const CONTROL_CONTRACT_PATH = fileURLToPath(
  new URL("../../src/core/control/control.openapi.yaml", import.meta.url),
);

export interface ContractFile extends ContractText {
  value: unknown;
  /** The line of a place, from 1; of its nearest parent if the file does not contain it. */
  lineOf(pointer: Pointer): number;
  /** Start and end offset of a text or number; undefined if the file does not contain it. */
  rangeOf(pointer: Pointer): readonly [start: number, end: number] | undefined;
}

/** The text of a contract, not yet read as YAML. */
export interface ContractText {
  path: string;
  text: string;
  /** SHA-256 of the text, hexadecimal. */
  digest: string;
}

/**
 * Reads a file, or a file in a git revision: `proposal:openapi.yaml`, `HEAD~2:./api/openapi.yaml`.
 * @param cwd a folder of the revision's repository.
 * @throws ContractError if it cannot be read.
 */
export function readContractText(path: string, cwd?: string): ContractText {
  const bytes = readBytes(path, cwd);
  if (!isUtf8(bytes)) throw new ContractError(path, findLineOfOther(bytes), "is not UTF-8. Save the file as UTF-8");
  return { path, text: bytes.toString(), digest: createHash("sha256").update(bytes).digest("hex") };
}

function readBytes(path: string, cwd: string | undefined): Buffer {
  try {
    const [revision] = splitRevision(path) ?? [];
    if (revision) return showObject(path, revision, cwd);
    assertRegularFile(path);
    return readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file: check the path" : message;
    throw new ContractError(path, undefined, `cannot be read: ${reason}`);
  }
}

/** Splits `proposal:openapi.yaml`; undefined for the name of a file. */
export function splitRevision(name: string): [revision: string, path: string] | undefined {
  const [, revision, path] = (!existsSync(name) && /^([^:]+):(.+)$/s.exec(name)) || [];
  return revision && path ? [revision, path] : undefined;
}

/** @param object its path as git reads it: from the top of the repository, or from `cwd` if it begins with `./`. */
function showObject(object: string, revision: string, cwd: string | undefined): Buffer {
  const { status, stdout, stderr, error } = runGit(["show", "--end-of-options", object], cwd);
  if (status === 0) return stdout;
  const [reason] = (stderr.toString() || error?.message || "").trim().split("\n");
  const isRevision = runGit(["rev-parse", "--verify", "--end-of-options", revision], cwd).status === 0;
  const remedy = isRevision
    ? `Choose one of its files: git ls-tree -r --name-only ${revision}`
    : "Choose a branch (git branch --all), a tag or a commit; if a remote repository has it, fetch it first (git fetch)";
  throw new Error(`there is no such file, and git has no ${object}: ${reason} ${remedy}.`);
}

/** Without --end-of-options, a revision that begins with a dash would be an option. */
function runGit(args: readonly string[], cwd: string | undefined) {
  return spawnSync("git", args, { cwd, maxBuffer: 64 * 1024 * 1024 });
}

/** The first line that is not UTF-8. A line feed is part of no other character of UTF-8. */
function findLineOfOther(bytes: Buffer): number {
  const lines = bytes.toString("latin1").split("\n");
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1"))) + 1;
}

/**
 * Parses a contract's text. If its value is known, only a search for lines does.
 * @throws ContractError if it is not YAML.
 */
export function parseContractFile(source: ContractText, knownValue?: unknown): ContractFile {
  let result: YamlText | undefined;
  const parsedOnce = () => {
    result ??= parseYaml(source);
    return result;
  };
  return createFile(source, knownValue ?? parsedOnce().value, parsedOnce);
}

/** Parses a contract's text in steps, between which a server responds to requests. @throws ContractError */
export async function readContractFile(source: ContractText): Promise<ContractFile> {
  const yaml = await parseYamlInSteps(source);
  return createFile(source, yaml.value, () => yaml);
}

function createFile(source: ContractText, value: unknown, yaml: () => YamlText): ContractFile {
  return {
    ...source,
    value,
    lineOf: (pointer) => yaml().locate(pointer).line,
    rangeOf: (pointer) => yaml().locate(pointer).range,
  };
}

// What the build has checked in full, which a start does not check again: contracts as JSON text, by the SHA-256 of
// their bytes, and the digests of seeds. To check the package's own ones at each start would take 900 ms of processor
// time. src/ and dist/ read the same file.
const FILE = new URL("../../dist/prechecked.json.br", import.meta.url);

let prechecked: Record<string, string> | undefined;

function read(): Record<string, string> {
  // The file is absent where the sources run before the first build.
  prechecked ??= existsSync(FILE) ? JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString()) : {};
  return prechecked as Record<string, string>;
}

/** The value of a contract that the build has checked, a new one at each call. */
export function findPrechecked(digest: string): unknown {
  const text = read()[digest];
  return text === undefined ? undefined : JSON.parse(text);
}

/** Whether the build has checked what has this digest. */
export const isPrechecked = (digest: string): boolean => Object.hasOwn(read(), digest);

/** Called by the build alone. */
export function writePrechecked(values: Record<string, string>): void {
  prechecked = values;
  writeFileSync(FILE, brotliCompressSync(JSON.stringify(values)));
}
