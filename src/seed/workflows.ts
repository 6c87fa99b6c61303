// The catalogue's workflows: their records, and what their notifications are generated from.
import type { StoredNotification, Workflow } from "../domain/state.js";
import { type Job, loadCatalogue } from "./catalogue.js";
import { toRecordId } from "./object-id.js";
import type { SCHEDULES } from "./schedules.js";

export interface ProductWorkflow {
  workflow: Workflow;
  /** One for each active step. */
  jobTemplates: JobTemplate[];
  severity: NonNullable<StoredNotification["severity"]>;
  traffic: { share: number; audience?: number; transactionPrefix?: string };
}

interface WorkflowEntry
  extends Omit<Workflow, "_id" | "active" | "steps">,
    Partial<Pick<ProductWorkflow, "severity" | "traffic">> {
  active?: boolean;
  steps: StepEntry[];
}

interface StepEntry extends Pick<Job, "type" | "providerId" | "digest">, Partial<Job["step"]> {
  name: string;
  /** Of a delayed step. */
  until?: keyof typeof SCHEDULES;
}

/** What the jobs of one step have in common. Jobs share `step`, since seeds are never changed in place. */
export interface JobTemplate extends StepEntry {
  step: Job["step"];
}

const ENTRIES: { workflows: WorkflowEntry[]; deletedWorkflow: WorkflowEntry } = loadCatalogue("workflows");

export const WORKFLOWS: readonly ProductWorkflow[] = ENTRIES.workflows.map(toProductWorkflow);

/** Only notifications still refer to it. */
export const DELETED_WORKFLOW = toProductWorkflow(ENTRIES.deletedWorkflow, WORKFLOWS.length);

/** Its ids follow from its `createdAt` and `index`. */
function toProductWorkflow(entry: WorkflowEntry, index: number): ProductWorkflow {
  const { severity = "none", traffic = { share: 0 }, identifier, name, ...members } = entry;
  const toId = (count: number) => toRecordId("catalogue", Date.parse(entry.createdAt), count + index * 8);
  const steps = entry.steps.map((step, position) => ({
    active: true,
    ...step,
    _id: toId(0x708301 + position),
    // Workflows from code have no stored message templates.
    _templateId: step.template && entry.origin !== "external" ? toId(0x708801 + position) : "",
  }));
  const workflow: Workflow = {
    _id: toRecordId("catalogue", Date.parse(entry.createdAt), 0x708101 + index),
    identifier,
    name,
    active: true,
    ...members,
    steps: steps.map(({ _id, type, name, active }) => ({ _id, type, name, active })),
  };
  const activeSteps = steps.filter(({ active }) => active);
  const jobTemplates = activeSteps.map((entry, position): JobTemplate => {
    const { type, providerId, digest, until, _id, active, _templateId, ...members } = entry;
    const _parentId = activeSteps[position - 1]?._id ?? null;
    return { ...entry, step: { _id, active, filters: [], _templateId, _parentId, ...members } };
  });
  return { workflow, jobTemplates, severity, traffic };
}
