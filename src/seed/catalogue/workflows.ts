// Tidepool's workflows, oldest first. Each shows a case that clients meet; its definition says which.
import { DELETED_DEFINITION, SYSTEM_WORKFLOWS } from "./system-workflows.js";
import { TEAM_WORKFLOWS } from "./team-workflows.js";
import { type ProductWorkflow, toProductWorkflow } from "./workflow-definition.js";

const LIVE = [...TEAM_WORKFLOWS, ...SYSTEM_WORKFLOWS].sort(
  (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt),
);

export const WORKFLOWS: readonly ProductWorkflow[] = LIVE.map(toProductWorkflow);

export const DELETED_WORKFLOW: ProductWorkflow = toProductWorkflow(DELETED_DEFINITION, LIVE.length);

/** When the catalogue last changed. A seed cannot be of an earlier time. */
export const CATALOGUE_INSTANT = Math.max(...LIVE.map(({ updatedAt }) => Date.parse(updatedAt)));
