// The workflows of an environment behind their look-ups. They are few: a change makes a new index.
import type { Workflow } from "../../domain/state.js";

export function createWorkflowIndex(workflows: readonly Workflow[]) {
  return {
    /** Oldest first, ties by id (D-10). */
    all: workflows.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a._id, b._id)),
    byId: new Map(workflows.map((workflow) => [workflow._id, workflow])),
    byIdentifier: new Map(workflows.map((workflow) => [workflow.identifier, workflow])),
  };
}

/** Order of ASCII texts of one form: timestamps and ids. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
