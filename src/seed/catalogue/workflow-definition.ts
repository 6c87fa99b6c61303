// The definition of a workflow in the catalogue, and what is derived from it: its record and the shape of its jobs.
import type { StoredNotification, Workflow } from "../../domain/state.js";
import { CATALOGUE_PROCESS_ID, toObjectId } from "../object-id.js";
import type { PayloadName } from "./product.js";

export type Job = NonNullable<StoredNotification["jobs"]>[number];
export type Severity = NonNullable<StoredNotification["severity"]>;
type Digest = NonNullable<Job["digest"]>;

export interface StepDefinition {
  type: Job["type"];
  name: string;
  /** `false`: no job, and its channel is not listed. */
  active?: false;
  providerId: Job["providerId"];
  /** Members of a job's step besides its ids and name. */
  step?: Partial<Omit<Job["step"], "_id" | "_parentId" | "active" | "name">>;
  digest?: Omit<Digest, "events">;
  /** Of a delayed step: from the instant when it starts to the instant when it continues. */
  until?: (from: number) => number;
}

export interface WorkflowDefinition
  extends Pick<Workflow, "identifier" | "name" | "origin" | "tags" | "createdAt" | "updatedAt" | "defaults"> {
  active?: false;
  variables: readonly PayloadName[];
  steps: readonly StepDefinition[];
  severity?: Severity;
  /** Its share of the generated traffic, relative to the sum of all shares. */
  traffic: number;
  /** The maximum number of recipients of a generated transaction. */
  audience?: number;
  /** The sender chooses transaction ids: this prefix, the day and a number. */
  transactionPrefix?: string;
}

/** What the jobs of one step have in common. Jobs share `step`, since seeds are never changed in place. */
export interface JobShape {
  type: Job["type"];
  providerId: Job["providerId"];
  step: Job["step"];
  digest?: Omit<Digest, "events">;
  until?: (from: number) => number;
}

export interface ProductWorkflow {
  workflow: Workflow;
  variables: readonly PayloadName[];
  /** One for each active step. */
  jobShapes: JobShape[];
  severity: Severity;
  critical: boolean;
  traffic: number;
  audience: number;
  transactionPrefix?: string;
}

/** The workflow that is the catalogue's `index`th. Its ids follow from its `createdAt` and `index`. */
export function toProductWorkflow(definition: WorkflowDefinition, index: number): ProductWorkflow {
  const { identifier, name, origin, tags, variables, createdAt, updatedAt, defaults, transactionPrefix } = definition;
  const toId = (count: number) => toObjectId(Date.parse(createdAt), CATALOGUE_PROCESS_ID, count);
  const steps = definition.steps.map((step, position) => ({ ...step, _id: toId(0x708301 + index * 8 + position) }));
  const activeSteps = steps.filter((step) => step.active !== false);

  const workflow: Workflow = {
    _id: toId(0x708101 + index),
    identifier,
    name,
    active: definition.active !== false,
    origin,
    tags,
    variables: [...variables],
    steps: steps.map(({ _id, type, name: stepName, active }) => ({
      _id,
      type,
      name: stepName,
      active: active !== false,
    })),
    ...(defaults && { defaults }),
    createdAt,
    updatedAt,
  };
  const jobShapes = activeSteps.map(
    ({ _id, type, name: stepName, providerId, step, digest, until }, position): JobShape => ({
      type,
      providerId,
      step: {
        _id,
        active: true,
        filters: [],
        // Workflows from code have no stored message templates.
        _templateId: step?.template && origin !== "external" ? toId(0x708801 + index * 8 + position) : "",
        _parentId: activeSteps[position - 1]?._id ?? null,
        name: stepName,
        ...step,
      },
      ...(digest && { digest }),
      ...(until && { until }),
    }),
  );
  return {
    workflow,
    variables,
    jobShapes,
    severity: definition.severity ?? "none",
    critical: defaults?.dashboard?.readOnly === true,
    traffic: definition.traffic,
    audience: definition.audience ?? 1,
    ...(transactionPrefix && { transactionPrefix }),
  };
}
