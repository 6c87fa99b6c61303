// Slugs of workflows: a readable name with the id inside (D-16, D-22). Reading them, in workflow-id.ts, needs no library: it is loaded earlier.
import slugify from "@sindresorhus/slugify";
import { toBase62 } from "./workflow-id.js";

interface Named {
  readonly _id: string;
  readonly name: string;
}

/** The slug of a workflow, as in `comment-mention_wf_edR9BQuWTSAjNqkf`. */
export function toWorkflowSlug({ _id, name }: Named): string {
  return `${slugify(name) || "workflow"}_wf_${toBase62(_id)}`;
}
