// The contract to compare with: a file, or the reviewed file at a git reference.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { ConfigError } from "../config.js";
import { type Contract, loadContract } from "../contract/contract.js";

/** @throws ConfigError where it is neither; ContractError where it is invalid. */
export async function loadBase(base: string, contractPath: string): Promise<Contract> {
  // An unset variable of a CI job: git would take it for its index, and every contract for unchanged.
  if (base.trim() === "") throw new ConfigError("--base is empty. Use a file, or a git branch, tag or commit.");
  return existsSync(base) ? loadContract(base) : loadFromGit(base, resolve(contractPath));
}

async function loadFromGit(reference: string, path: string): Promise<Contract> {
  const text = await showFile(reference, path);
  const folder = await mkdtemp(join(tmpdir(), "review-base-"));
  try {
    const copy = join(folder, basename(path));
    await writeFile(copy, text);
    return await loadContract(copy);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function showFile(reference: string, path: string): Promise<string> {
  const object = `${reference}:./${basename(path)}`;
  const options = { cwd: dirname(path), maxBuffer: 64 * 1024 * 1024 };
  try {
    // Without it, a reference that begins with a dash would be an option.
    const { stdout } = await promisify(execFile)("git", ["show", "--end-of-options", object], options);
    return stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = (stderr || message).trim().split("\n")[0];
    throw new ConfigError(
      `--base ${reference} is no file, and git has no ${object} (${reason}). Use a file, or a branch, tag or commit.`,
    );
  }
}
