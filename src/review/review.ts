// The review of a contract: everything that the reports show, and the verdict. Whatever no longer fits the contract is a
// reason in the report, never the end of the review.
import { relative } from "node:path";
import { type Contract, loadContract } from "../contract/contract.js";
import { ContractError, loadContractText } from "../contract/contract-file.js";
import { loadBase } from "./base-contract.js";
import { findChanges } from "./changes/find-changes.js";
import { diffTypes } from "./changes/types-diff.js";
import { readClauseReferences } from "./clause-references.js";
import { reviewDecisions } from "./decision-review.js";
import { reviewExamples } from "./example-review.js";
import { findReasons, type ReviewResults } from "./find-reasons.js";
import { NARROWED, OFF } from "./lint/ruleset.js";
import { runLint } from "./lint/run-lint.js";
import type { AllowedReason, RejectionReason } from "./rejection-reason.js";
import { traceClauses } from "./trace.js";
import { reviewVersion } from "./version-bump.js";

export interface Review extends ReviewResults {
  /** `path` is how messages name the file. */
  contract: { title: string; version: string; sha256: string; path: string };
  date: string;
  verdict: "accept" | "reject";
  reasons: RejectionReason[];
  allowed: AllowedReason[];
  /** Ids of `--allow` that match no reason. */
  unusedAllowances: string[];
  /** Unified diff of the generated TypeScript; empty without a difference. */
  typesDiff: string;
  rules: { off: typeof OFF; narrowed: Record<string, string> };
}

export interface ReviewOptions {
  contractPath: string;
  /** A file or a git reference. */
  base?: string | undefined;
  /** Id of a reason → why it is accepted. */
  allow?: ReadonlyMap<string, string>;
  today?: Date;
  /** The folder that contains `test/`. */
  testRoot?: string;
  /** Called with the name of each step. */
  onStep?: (step: string) => void;
}

/** `contract` is undefined where the file is not a valid contract: the report says why. */
export interface ReviewedContract {
  review: Review;
  contract: Contract | undefined;
}

/** @throws ConfigError where there is no such base; ContractError where the file cannot be read or the base is invalid. */
export async function reviewContract(options: ReviewOptions): Promise<ReviewedContract> {
  const { contractPath, base: baseName, onStep = () => {} } = options;
  onStep("reading");
  const { digest } = loadContractText(contractPath);
  const base = baseName === undefined ? undefined : await loadBase(baseName, contractPath);
  const failures: RejectionReason[] = [];
  /** What a step throws is a reason of its own. */
  const attempt = async <T>(step: string, instead: T, run: () => Promise<T> | T): Promise<T> => {
    onStep(step);
    try {
      return await run();
    } catch (error) {
      const message = error instanceof ContractError ? error.message : `${step} failed: ${error}`;
      failures.push({ id: `review:${step.replaceAll(" ", "-")}`, message, line: undefined });
      return instead;
    }
  };
  const contract = await attempt("loading the contract", undefined, () => loadContract(contractPath));
  const path =
    [relative(process.cwd(), contractPath), contractPath].find((name) => !name.startsWith("..")) ?? contractPath;
  const review = await reviewAll(contract, base, { ...options, attempt });
  const { title, version } = contract?.document.info ?? { title: "Invalid contract", version: "of unknown version" };
  const reasons = [...failures, ...review.reasons];
  const allow = options.allow ?? new Map<string, string>();
  const rejected = reasons.filter(({ id }) => !allow.has(id));
  const allowed = reasons.filter(({ id }) => allow.has(id));
  return {
    contract,
    review: {
      ...review,
      contract: { title, version, sha256: digest, path },
      verdict: rejected.length === 0 ? "accept" : "reject",
      reasons: rejected,
      allowed: allowed.map((reason) => ({ ...reason, justification: allow.get(reason.id) ?? "" })),
      unusedAllowances: [...allow.keys()].filter((id) => !allowed.some((reason) => reason.id === id)),
    },
  };
}

type Attempt = <T>(step: string, instead: T, run: () => Promise<T> | T) => Promise<T>;

async function reviewAll(
  contract: Contract | undefined,
  base: Contract | undefined,
  { base: name = "", today = new Date(), testRoot, attempt }: ReviewOptions & { attempt: Attempt },
) {
  const nothing = { examples: [], obstacles: [] };
  const lint = contract ? await attempt("linting", [], () => runLint(contract.file)) : [];
  const { examples, obstacles } = contract
    ? await attempt("replaying the examples", nothing, () => reviewExamples(contract))
    : nothing;
  const changes = contract && base ? await attempt("comparing", [], () => findChanges(base, contract)) : [];
  const results = {
    base: base && { name, version: base.document.info.version },
    version: contract && base && reviewVersion(changes, base.document.info.version, contract.document.info.version),
    decisions: contract ? reviewDecisions(contract, base, today) : { decisions: [], removed: [] },
    trace: contract ? await attempt("tracing", [], () => traceClauses(contract, readClauseReferences(testRoot))) : [],
    ...{ lint, examples, changes },
  };
  const narrowed = Object.entries(NARROWED).map(([rule, { reason }]) => [rule, reason] as const);
  return {
    ...results,
    reasons: [...obstacles, ...(contract ? findReasons(results) : [])],
    date: today.toISOString().slice(0, 10),
    typesDiff: contract && base ? await attempt("comparing the types", "", () => diffTypes(base, contract)) : "",
    rules: { off: OFF, narrowed: Object.fromEntries(narrowed) },
  };
}
