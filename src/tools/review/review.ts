// The review of a contract: everything that the reports show, and the verdict. A step that fails is a reason in the
// report, never the end of the review.
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Contract, loadContract } from "../../contract/contract.js";
import { readContractText, splitRevision } from "../../contract/contract-file.js";
import { ContractError } from "../../contract/openapi-document.js";
import { ConfigError } from "../../core/options.js";
import { type Acceptance, type AllowedReason, settle } from "./acceptances.js";
import { findChanges, type Policy } from "./changes/changes.js";
import { reviewDecisions } from "./decisions.js";
import { lint as lintContract } from "./lint.js";
import { findReasons, type RejectionReason, type ReviewResults } from "./reasons.js";
import { decideVerdict, type Verdict } from "./verdict.js";
import { reviewVersion } from "./version.js";

export interface Review extends Verdict, ReviewResults {
  /** The format of the JSON. */
  schemaVersion: 3;
  /** `path` is the name in messages. If the contract is not readable, nothing else was checked. */
  contract: { path: string; title: string; version: string; sha256: string; isReadable: boolean };
  date: string;
  policy: Policy;
  reasons: RejectionReason[];
  allowed: AllowedReason[];
  /** Acceptances that match no reason. */
  unusedAcceptances: string[];
}

export interface ReviewOptions {
  contractPath: string;
  /** A file or a git reference. */
  base?: string | undefined;
  acceptances?: readonly Acceptance[];
  policy?: Policy;
}

/** @throws ConfigError without such a base; ContractError if the file cannot be read or the base is invalid. */
export async function reviewContract(options: ReviewOptions): Promise<Review> {
  const { contractPath, base: name = "", acceptances = [], policy = "strict" } = options;
  const today = new Date();
  const { digest } = readContractText(contractPath);
  const base = options.base === undefined ? undefined : await loadBase(name, contractPath);

  const failures: RejectionReason[] = [];
  /** Records an error of the step as a reason to reject. */
  const attempt = async <T>(step: string, instead: T, run: () => Promise<T> | T): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      const message = error instanceof ContractError ? error.message : `${step} failed: ${error}`;
      failures.push({ id: `review:${step.replaceAll(" ", "-")}`, kind: "failure", message, line: undefined });
      return instead;
    }
  };
  const contract = await attempt("loading the contract", undefined, () => loadContract(contractPath));
  const runStep = async <T>(step: string, instead: T, run: (contract: Contract) => Promise<T> | T): Promise<T> =>
    contract ? attempt(step, instead, () => run(contract)) : instead;

  const { title, version } = contract?.document.info ?? { title: "Invalid contract", version: "of unknown version" };
  const lint = await runStep("linting", [], lintContract);
  const changes = await runStep("comparing", [], (newer) => (base ? findChanges(base, newer, policy) : []));
  const decisions = await runStep("reading the decisions", { decisions: [], removed: [] }, (newer) =>
    reviewDecisions(newer, base, changes),
  );
  const results: ReviewResults = {
    base: base && { name: existsSync(name) ? nameFile(name) : name, version: base.document.info.version },
    version: contract && base && reviewVersion(changes, base.document.info.version, version),
    changes,
    decisions,
    lint,
  };
  const reasons = [...failures, ...(contract ? findReasons(results) : [])];
  const { rejected, allowed, unused } = settle(reasons, acceptances, today);
  return {
    schemaVersion: 3,
    ...decideVerdict({ ...results, contract: { version }, reasons: rejected, allowed }),
    ...results,
    contract: {
      path: nameFile(contractPath),
      title,
      version,
      sha256: contract?.file.digest ?? digest,
      isReadable: contract !== undefined,
    },
    date: today.toISOString().slice(0, 10),
    policy,
    reasons: rejected,
    allowed,
    unusedAcceptances: unused,
  };
}

/**
 * Loads the contract to compare with: a file, or the reviewed file at a git reference.
 * @throws ConfigError if the name is empty; ContractError if it cannot be read, or is invalid
 */
export async function loadBase(base: string, contractPath: string): Promise<Contract> {
  // An unset variable of a CI job: git would read its index, in which nothing has changed.
  if (base.trim() === "") throw new ConfigError("--base is empty. Use a file, or a git branch, tag or commit.");
  if (existsSync(base) || base.includes(":")) return loadContract(base);
  const [, pathThere] = splitRevision(contractPath) ?? [];
  if (pathThere) return loadContract(`${base}:${pathThere}`);
  const path = resolve(contractPath);
  if (/\.(ya?ml|json)$/.test(base))
    throw new ConfigError(
      `--base ${base}: there is no file ${resolve(base)}. Use a file, or the name of a branch, tag or commit.`,
    );
  if (path.includes("/node_modules/"))
    throw new ConfigError(`--base ${base}: ${contractPath} is a package's contract. Name yours: --contract <file>.`);
  if (!isInRepository(path))
    throw new ConfigError(
      `--base ${base}: ${contractPath} is outside of a git repository. Name the file as well, such as ${base}:openapi.yaml, or give a file.`,
    );
  return loadContract(`${base}:./${basename(path)}`, dirname(path));
}

function isInRepository(path: string): boolean {
  const folder = dirname(path);
  return existsSync(join(folder, ".git")) || (folder !== dirname(folder) && isInRepository(folder));
}

/** Relative to the working directory, if the file is in there. */
function nameFile(file: string): string {
  const short = relative(process.cwd(), file);
  return short.startsWith("..") ? file : short;
}
