// The contract to compare with: a file, or the reviewed file at a git reference.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { ConfigError } from "../config.js";
import { type Contract, loadContract, toContract } from "../contract/contract.js";

/** @throws ConfigError where it is neither; ContractError where it is invalid. */
export async function loadBase(base: string, contractPath: string): Promise<Contract> {
  // An unset variable of a CI job: git would take it for its index, and every contract for unchanged.
  if (base.trim() === "") throw new ConfigError("--base is empty. Use a file, or a git branch, tag or commit.");
  if (existsSync(base)) return loadContract(base);
  const path = resolve(contractPath);
  const object = `${base}:./${basename(path)}`;
  const text = await showObject(object, dirname(path)).catch((error: Error & { stderr?: string }) => {
    const reason = (error.stderr || error.message).trim().split("\n")[0];
    throw new ConfigError(
      `--base ${base} is no file, and git has no ${object} (${reason}). Use a file, or a branch, tag or commit.`,
    );
  });
  return toContract({ path: object, text, digest: createHash("sha256").update(text).digest("hex") });
}

async function showObject(object: string, cwd: string): Promise<string> {
  const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
  // Without --end-of-options, a reference that begins with a dash would be an option.
  const { stdout } = await promisify(execFile)("git", ["show", "--end-of-options", object], options);
  return stdout;
}
