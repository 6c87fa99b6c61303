// What the suite consists of: cases, each with a name, what it rests on, and what it asks of the target.
import type { Capability } from "./target.js";
import type { World } from "./world.js";

/** A promise of the contract that a case holds the target to: one cell of the coverage matrix. */
export interface Promised {
  operation: string;
  /** `query.limit`, `body.channels.email`, `request`. */
  place: string;
  keyword: string;
  /** What the contract answers. */
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
  /** @throws Mismatch or NotApplicable. Whatever else it throws is the suite's own fault. */
  run(world: World): Promise<void>;
}

/** A case that states a rule of its own, rather than one that follows from a keyword. Its id begins with a subject. */
export type Law = Pick<Case, "cites" | "needs" | "run"> & { title: string };

/** The laws of one subject as cases. */
export function toCases(subject: string, laws: readonly Law[], shared: Pick<Case, "needs" | "changes"> = {}): Case[] {
  return laws.map(({ title, needs = [], ...law }) => ({
    ...shared,
    ...law,
    id: `${subject} › ${title}`,
    needs: [...(shared.needs ?? []), ...needs],
  }));
}
