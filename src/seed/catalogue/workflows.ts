// Tidepool's workflows, oldest first. Each is a case that clients must handle, as its definition says.
import { DELETED_DEFINITION, SYSTEM_WORKFLOWS } from "./system-workflows.js";
import { TEAM_WORKFLOWS } from "./team-workflows.js";
import { type ProductWorkflow, toProductWorkflow } from "./workflow-definition.js";

const LIVE = [...TEAM_WORKFLOWS, ...SYSTEM_WORKFLOWS].sort(
  (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt),
);

export const WORKFLOWS: readonly ProductWorkflow[] = LIVE.map(toProductWorkflow);

export const DELETED_WORKFLOW: ProductWorkflow = toProductWorkflow(DELETED_DEFINITION, LIVE.length);

/** The last change of the catalogue. A seed cannot be older. */
export const CATALOGUE_INSTANT = Math.max(...LIVE.map(({ updatedAt }) => Date.parse(updatedAt)));
