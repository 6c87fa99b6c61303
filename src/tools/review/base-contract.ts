// The contract to compare with: a file, or the reviewed file at a git reference. And where the repository has the file.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { type Contract, loadContract } from "../../contract/contract.js";
import { splitRevision } from "../../contract/contract-source.js";
import { ConfigError } from "../../server/config.js";

/** @throws ConfigError where nothing is named; ContractError where it cannot be read, or is invalid. */
export async function loadBase(base: string, contractPath: string): Promise<Contract> {
  // An unset variable of a CI job: git would take it for its index, and every contract for unchanged.
  if (base.trim() === "") throw new ConfigError("--base is empty. Use a file, or a git branch, tag or commit.");
  if (existsSync(base) || base.includes(":")) return loadContract(base);
  const [, pathThere] = splitRevision(contractPath) ?? [];
  if (pathThere) return loadContract(`${base}:${pathThere}`);
  const path = resolve(contractPath);
  if (/\.(ya?ml|json)$/.test(base))
    throw new ConfigError(
      `--base ${base}: there is no file ${resolve(base)}. For a branch, tag or commit, give its name.`,
    );
  return loadContract(`${base}:./${basename(path)}`, undefined, dirname(path));
}

export interface FileName {
  /** Relative to the repository; else to the working directory, if it is in there. */
  path: string;
  /** A URL with `{line}`; undefined where no commit has the file, or nobody asks for links. */
  link: string | undefined;
}

/**
 * @param template of a link, with `{sha}`, `{path}` and `{line}`
 * @param reference in git, whose commit the link names
 */
export async function nameFile(file: string, template: string | undefined, reference = "HEAD"): Promise<FileName> {
  const ask = async (...args: string[]) => {
    const result = promisify(execFile)("git", ["rev-parse", ...args], { cwd: dirname(resolve(file)) });
    return (await result.catch(() => undefined))?.stdout.trim();
  };
  const prefix = await ask("--show-prefix");
  const short = relative(process.cwd(), file);
  const path = prefix === undefined ? (short.startsWith("..") ? file : short) : prefix + basename(file);
  const sha = template && (await ask("--verify", "--end-of-options", `${reference}^{commit}`));
  return { path, link: sha ? template.replaceAll("{sha}", sha).replaceAll("{path}", encodeURI(path)) : undefined };
}
