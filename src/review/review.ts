// The review of a contract: everything that the reports show, and the verdict.
import { type Contract, loadContract } from "../contract/contract.js";
import { loadBase } from "./base-contract.js";
import type { Change } from "./changes/change.js";
import { findChanges } from "./changes/find-changes.js";
import { diffTypes } from "./changes/types-diff.js";
import { readClauseReferences } from "./clause-references.js";
import { type DecisionReview, reviewDecisions } from "./decision-review.js";
import { type ExampleReview, reviewExamples } from "./example-review.js";
import { NARROWED, OFF } from "./lint/ruleset.js";
import { type LintResult, runLint } from "./lint/run-lint.js";
import type { AllowedReason, RejectionReason } from "./rejection-reason.js";
import { type ClauseTrace, findGap, traceClauses } from "./trace.js";

export interface Review {
  contract: { title: string; version: string; sha256: string };
  base: { name: string; version: string } | undefined;
  date: string;
  verdict: "accept" | "reject";
  reasons: RejectionReason[];
  allowed: AllowedReason[];
  /** Ids of `--allow` that match no reason. */
  unusedAllowances: string[];
  changes: Change[];
  /** Unified diff of the generated TypeScript; empty without a difference. */
  typesDiff: string;
  decisions: DecisionReview;
  trace: ClauseTrace[];
  examples: ExampleReview[];
  lint: LintResult[];
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

/** @throws ConfigError or ContractError where there is nothing to review. */
export async function reviewContract(options: ReviewOptions): Promise<{ review: Review; contract: Contract }> {
  const { contractPath, base: baseName, allow = new Map(), today = new Date(), onStep = () => {} } = options;
  onStep("reading");
  const contract = await loadContract(contractPath);
  const base = baseName === undefined ? undefined : await loadBase(baseName, contractPath);
  onStep("linting");
  const lint = await runLint(contract.file);
  onStep("replaying the examples");
  const examples = await reviewExamples(contract);
  onStep("comparing");
  const changes = base ? findChanges(base, contract) : [];
  const typesDiff = base ? await diffTypes(base, contract) : "";
  const trace = traceClauses(contract, readClauseReferences(options.testRoot));
  const all = findReasons(contract, base, { lint, examples, changes, trace });
  const reasons = all.filter(({ id }) => !allow.has(id));
  const allowed = all.filter(({ id }) => allow.has(id));
  const { title, version } = contract.document.info;
  const review: Review = {
    contract: { title, version, sha256: contract.file.digest },
    base: base && baseName !== undefined ? { name: baseName, version: base.document.info.version } : undefined,
    date: today.toISOString().slice(0, 10),
    verdict: reasons.length === 0 ? "accept" : "reject",
    reasons,
    allowed: allowed.map((reason) => ({ ...reason, justification: allow.get(reason.id) ?? "" })),
    unusedAllowances: [...allow.keys()].filter((id) => !allowed.some((reason) => reason.id === id)),
    changes,
    typesDiff,
    decisions: reviewDecisions(contract, base, today),
    trace,
    examples,
    lint,
    rules: {
      off: OFF,
      narrowed: Object.fromEntries(Object.entries(NARROWED).map(([name, { reason }]) => [name, reason])),
    },
  };
  return { review, contract };
}

type Findings = Pick<Review, "lint" | "examples" | "changes" | "trace">;

function findReasons(contract: Contract, base: Contract | undefined, findings: Findings): RejectionReason[] {
  const isMajor = base !== undefined && majorOf(contract) > majorOf(base);
  const breaking = findings.changes.filter((change) => change.class === "breaking" && !isMajor);
  return [
    ...breaking.map(({ id, operation, places, sentence, after, witness }) => ({
      id,
      message: `${operation ?? "The contract"}: ${places[0]} ${sentence.replace(/\.$/, "")}. This ${witness ? "breaks" : "may break"} clients, and info.version has no new major version.`,
      line: after,
    })),
    ...findings.lint
      .filter(({ isError }) => isError)
      .map(({ rule, place, message, line }) => ({
        id: `lint:${rule}:${place}`,
        message: `${message} (rule ${rule})`,
        line,
      })),
    ...findings.examples
      .filter(({ outcome }) => outcome === "failed")
      .map(({ title, errors, line }) => ({
        id: `example:${title.replaceAll(" › ", "/")}`,
        message: `Example ${title} is wrong: ${errors.join("; ")}`,
        line,
      })),
    ...findings.trace.flatMap((clause) => {
      const gap = findGap(clause);
      return gap ? [{ id: `trace:${clause.id}`, message: `Clause ${gap}`, line: clause.places[0]?.line }] : [];
    }),
  ];
}

function majorOf({ document }: Contract): number {
  return Number.parseInt(document.info.version, 10);
}
