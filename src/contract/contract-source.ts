// Reads the files of a contract from a folder, or from a git revision (`proposal:openapi.yaml`). A file may refer only
// to files in its folder and below, since a contract is served to everybody.
import { isUtf8 } from "node:buffer";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve, sep } from "node:path";
import { ContractError } from "./contract-error.js";
import type { ContractText } from "./contract-file.js";
import { assertRegularFile } from "./regular-file.js";

export interface ContractSource {
  /** The main file, relative to the folder. */
  root: string;
  /** The name of a file in messages. */
  nameOf(file: string): string;
  /** @throws Error with the reason. */
  read(file: string): Buffer;
}

const REVISION = /^([^:]+):(.+)$/s;

/**
 * Opens a file, or a file in a git revision: `proposal:openapi.yaml`, `HEAD~2:./api/openapi.yaml`.
 * @param onRead gets the path of each file before it is read. A revision does not change, so it gets none of its files.
 * @param cwd a folder of the revision's repository.
 */
export function openContractSource(
  name: string,
  onRead: (path: string) => void = () => {},
  cwd = process.cwd(),
): ContractSource {
  const [revision, path] = splitRevision(name) ?? [];
  return revision && path ? openRevision(revision, path, cwd) : openFolder(name, onRead);
}

/** Splits `proposal:openapi.yaml`; undefined for the name of a file. */
export function splitRevision(name: string): [revision: string, path: string] | undefined {
  const [, revision, path] = (!existsSync(name) && REVISION.exec(name)) || [];
  return revision && path ? [revision, path] : undefined;
}

function openFolder(path: string, onRead: (path: string) => void): ContractSource {
  const folder = dirname(path);
  const root = basename(path);
  return {
    root,
    nameOf: (file) => (file === root ? path : join(folder, file)),
    read(file) {
      const full = join(folder, file);
      onRead(full);
      const outside = relative(realpathSync(folder), realpathSync(full)); // a symbolic link may lead anywhere
      if (file !== root && (outside.startsWith(`..${sep}`) || resolve(outside) === outside)) {
        throw new Error("it is a link out of the folder of the contract");
      }
      assertRegularFile(full);
      return readFileSync(full);
    },
  };
}

/** @param path as git reads it: from the top of the repository, or from the folder `cwd` if it begins with `./`. */
function openRevision(revision: string, path: string, cwd: string): ContractSource {
  const folder = posix.dirname(path);
  const isCurrent = /^\.\.?\//.test(path);
  const nameOf = (file: string) => `${revision}:${isCurrent ? "./" : ""}${posix.join(folder, file)}`;
  return { root: posix.basename(path), nameOf, read: (file) => showObject(nameOf(file), cwd) };
}

function showObject(object: string, cwd: string): Buffer {
  // Without --end-of-options, a revision that begins with a dash would be an option.
  const { status, stdout, stderr, error } = spawnSync("git", ["show", "--end-of-options", object], {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  const [reason] = (stderr.toString() || error?.message || "").trim().split("\n");
  throw new Error(`there is no such file, and git has no ${object}: ${reason}`);
}

/** @throws ContractError if the file cannot be read. */
export function readContractText(source: ContractSource, file: string = source.root): ContractText {
  const path = source.nameOf(file);
  const bytes = readBytes(source, file);
  if (!isUtf8(bytes)) throw new ContractError(path, findLineOfOther(bytes), "is not UTF-8. Save the file as UTF-8");
  return { path, text: bytes.toString(), digest: createHash("sha256").update(bytes).digest("hex") };
}

function readBytes(source: ContractSource, file: string): Buffer {
  try {
    return source.read(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file: check the path" : message;
    throw new ContractError(source.nameOf(file), undefined, `cannot be read: ${reason}`);
  }
}

/** The first line that is not UTF-8. A line feed is part of no other character of UTF-8. */
function findLineOfOther(bytes: Buffer): number {
  const lines = bytes.toString("latin1").split("\n");
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1"))) + 1;
}
