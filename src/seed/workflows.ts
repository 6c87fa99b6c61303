// The catalogue's workflows: their records, and what their notifications are generated from.
import type { StoredNotification, Workflow } from "../domain/state.js";
import { type Job, loadCatalogue } from "./catalogue.js";
import { toObjectId } from "./object-id.js";
import { SCHEDULES, type Schedule } from "./schedules.js";

/** What the jobs of one step have in common. Jobs share `step`, since seeds are never changed in place. */
export interface JobTemplate extends Pick<Job, "type" | "providerId" | "step" | "digest"> {
  /** Of a delayed step. */
  schedule: Schedule | undefined;
}

export interface ProductWorkflow {
  workflow: Workflow;
  /** One for each active step. */
  jobTemplates: JobTemplate[];
  severity: NonNullable<StoredNotification["severity"]>;
  traffic: number;
  audience: number;
  transactionPrefix: string | undefined;
}

type Traits = Omit<ProductWorkflow, "workflow" | "jobTemplates">;

interface WorkflowEntry extends Omit<Workflow, "_id" | "active" | "steps">, Partial<Traits> {
  active?: boolean;
  steps: StepEntry[];
}

interface StepEntry extends Pick<Job, "type" | "providerId" | "digest">, Partial<Job["step"]> {
  name: string;
  until?: keyof typeof SCHEDULES;
}

const ENTRIES: { workflows: WorkflowEntry[]; deletedWorkflow: WorkflowEntry } = loadCatalogue("workflows");

export const WORKFLOWS: readonly ProductWorkflow[] = ENTRIES.workflows.map(toProductWorkflow);

const DELETED_WORKFLOW = toProductWorkflow(ENTRIES.deletedWorkflow, WORKFLOWS.length);

/** By its identifier; the deleted one too. */
export function findWorkflow(identifier: string): ProductWorkflow {
  const product = [...WORKFLOWS, DELETED_WORKFLOW].find(({ workflow }) => workflow.identifier === identifier);
  if (!product) throw new Error(`The catalogue has no workflow ${identifier}.`);
  return product;
}

/** Its ids follow from its `createdAt` and `index`. */
function toProductWorkflow(entry: WorkflowEntry, index: number): ProductWorkflow {
  const { severity = "none", traffic = 0, audience = 1, transactionPrefix, identifier, name, ...members } = entry;
  const toId = (count: number) => toObjectId("catalogue", Date.parse(entry.createdAt), count + index * 8);
  const steps = entry.steps.map((step, position) => ({
    active: true,
    ...step,
    _id: toId(0x708301 + position),
    // Workflows from code have no stored message templates.
    _templateId: step.template && entry.origin !== "external" ? toId(0x708801 + position) : "",
  }));
  const workflow: Workflow = {
    _id: toObjectId("catalogue", Date.parse(entry.createdAt), 0x708101 + index),
    identifier,
    name,
    active: true,
    ...members,
    steps: steps.map(({ _id, type, name, active }) => ({ _id, type, name, active })),
  };
  const jobTemplates = steps
    .filter(({ active }) => active)
    .map(({ type, providerId, digest, until, _id, active, _templateId, ...step }, position, all): JobTemplate => {
      const _parentId = all[position - 1]?._id ?? null;
      return {
        type,
        providerId,
        step: { _id, active, filters: [], _templateId, _parentId, ...step },
        ...(digest && { digest }),
        schedule: until && SCHEDULES[until],
      };
    });
  return { workflow, jobTemplates, severity, traffic, audience, transactionPrefix };
}
