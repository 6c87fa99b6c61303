// An event of a job: its execution detail, and the job's status after it.
import type { Job } from "./catalogue/workflow-definition.js";

type Detail = Job["executionDetails"][number];

export interface JobEvent extends Pick<Detail, "status" | "detail" | "raw"> {
  /** Milliseconds. */
  at: number;
  jobStatus: string;
  /** Default: `Internal`. */
  source?: Detail["source"];
  isRetry?: boolean;
}
