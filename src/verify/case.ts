// Cases, of which the suite consists.
import type { Capability } from "./target.js";
import type { TestContext } from "./test-context.js";

/** A promise of the contract that a case checks: one cell of the coverage matrix. */
export interface Promised {
  operation: string;
  /** `query.limit`, `body.channels.email`, `request`. */
  place: string;
  keyword: string;
  /** The status that the contract requires. */
  status: number;
}

export interface Case {
  /** `listNotifications › query.limit › maximum › 51` */
  id: string;
  /** Clauses and decisions. */
  cites: readonly string[];
  needs?: readonly Capability[];
  /** Changes the target's state; such cases run one after the other. */
  changes?: boolean;
  covers?: Promised;
  /** @throws ExpectationError or NotApplicable. Any other error is one of the suite itself. */
  run(context: TestContext): Promise<unknown>;
}

/** A case for a rule that the document implies, rather than for a keyword. Its id begins with a subject. */
export type Law = Pick<Case, "cites" | "needs" | "run"> & { title: string };

/** A law that needs no capability beside its subject's. */
export const law = (title: string, cites: Law["cites"], run: Law["run"]): Law => ({ title, cites, run });

/** The laws of one subject as cases. */
export function toCases(subject: string, laws: readonly Law[], shared: Pick<Case, "needs" | "changes"> = {}): Case[] {
  return laws.map(({ title, needs = [], ...law }) => ({
    ...shared,
    ...law,
    id: `${subject} › ${title}`,
    needs: [...(shared.needs ?? []), ...needs],
  }));
}
