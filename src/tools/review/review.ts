// The review of a contract: everything that the reports show, and the verdict. Whatever no longer fits the contract is a
// reason in the report, never the end of the review.
import { existsSync } from "node:fs";
import { type Contract, loadContract } from "../../contract/contract.js";
import { ContractError } from "../../contract/contract-file.js";
import { openContractSource, readContractText } from "../../contract/contract-source.js";
import type { Usage } from "../usage/usage-file.js";
import { type Acceptance, type AllowedReason, settle } from "./acceptances.js";
import { type FileName, loadBase, nameFile } from "./base-contract.js";
import { findChanges } from "./changes/find-changes.js";
import { type Consumers, findConsumers } from "./consumers.js";
import { reviewDecisions } from "./decision-review.js";
import { type ExamplesReview, reviewExamples } from "./example-review.js";
import { findReasons, type RejectionReason, type ReviewResults } from "./find-reasons.js";
import { NARROWED, OFF } from "./lint/ruleset.js";
import { runLint } from "./lint/run-lint.js";
import { readClauseReferences, traceClauses } from "./trace.js";
import { reviewVersion } from "./version-bump.js";

export interface Review extends ReviewResults {
  /** `path` is how messages name the file. Of a contract that cannot be read, nothing else was checked. */
  contract: FileName & { title: string; version: string; sha256: string; isReadable: boolean };
  date: string;
  verdict: "accept" | "reject";
  reasons: RejectionReason[];
  allowed: AllowedReason[];
  /** Acceptances that match no reason. */
  unusedAcceptances: string[];
  /** Whom the changes reach; undefined where no consumer is recorded. */
  consumers: Consumers | undefined;
  rules: { off: typeof OFF; narrowed: Record<string, string> };
}

export interface ReviewOptions {
  contractPath: string;
  /** A file or a git reference. */
  base?: string | undefined;
  acceptances?: readonly Acceptance[];
  /** The recorded usage of consumers. */
  usages?: readonly Usage[];
  /** The template of links to places: `https://example.com/blob/{sha}/{path}#L{line}`. */
  link?: string | undefined;
  /** The folder that contains `test/`. */
  testRoot?: string;
}

/** @throws ConfigError where there is no such base; ContractError where the file cannot be read or the base is invalid. */
export async function reviewContract(options: ReviewOptions): Promise<Review> {
  const { contractPath, base: name = "", testRoot, acceptances = [] } = options;
  const today = new Date();
  const { digest } = readContractText(openContractSource(contractPath));
  const base = options.base === undefined ? undefined : await loadBase(name, contractPath);

  const failures: RejectionReason[] = [];
  /** An error that a step throws is a reason of its own. */
  const attempt = async <T>(step: string, instead: T, run: () => Promise<T> | T): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      const message = error instanceof ContractError ? error.message : `${step} failed: ${error}`;
      failures.push({ id: `review:${step.replaceAll(" ", "-")}`, message, line: undefined, isFinal: true });
      return instead;
    }
  };
  const contract = await attempt("loading the contract", undefined, () => loadContract(contractPath));
  const check = async <T>(step: string, instead: T, run: (contract: Contract) => Promise<T> | T): Promise<T> =>
    contract ? attempt(step, instead, () => run(contract)) : instead;

  const { title, version } = contract?.document.info ?? { title: "Invalid contract", version: "of unknown version" };
  const lint = await check("linting", [], runLint);
  const nothing: ExamplesReview = { examples: [] };
  const { examples, obstacle } = await check("replaying the examples", nothing, reviewExamples);
  const changes = await check("comparing", [], (newer) => (base ? findChanges(base, newer) : []));
  const { usages = [] } = options;
  const consumers = base && usages.length > 0 ? findConsumers(changes, base, usages) : undefined;
  const decisions = await check("reading the decisions", { decisions: [], removed: [] }, (newer) =>
    reviewDecisions(newer, base, today),
  );
  const named = await nameFile(contractPath, options.link);
  const isFile = existsSync(name);
  const ofBase = base && (isFile ? await nameFile(name, undefined) : await nameFile(contractPath, options.link, name));
  const results: ReviewResults = {
    base: base && {
      name: isFile ? (ofBase?.path ?? name) : name,
      version: base.document.info.version,
      link: ofBase?.link,
    },
    version: contract && base && reviewVersion(changes, base.document.info.version, version),
    trace: await check("tracing", [], (newer) => traceClauses(newer, readClauseReferences(testRoot))),
    ...{ changes, decisions, examples, lint },
  };
  const reasons = [...failures, ...(contract ? findReasons(results, obstacle) : [])];
  const { rejected, allowed, unused } = settle(reasons, acceptances, today);
  return {
    ...results,
    contract: { ...named, title, version, sha256: contract?.file.digest ?? digest, isReadable: contract !== undefined },
    date: today.toISOString().slice(0, 10),
    verdict: rejected.length === 0 ? "accept" : "reject",
    reasons: rejected,
    allowed,
    unusedAcceptances: unused,
    consumers,
    rules: { off: OFF, narrowed: Object.fromEntries(Object.entries(NARROWED).map(([id, { reason }]) => [id, reason])) },
  };
}
