// A reason to reject a contract change.

export interface RejectionReason {
  /** Stable from run to run; `--allow <id>=<justification>` accepts it. */
  id: string;
  message: string;
  /** In openapi.yaml, counted from 1; undefined where the file has no such line. */
  line: number | undefined;
}

export interface AllowedReason extends RejectionReason {
  justification: string;
}
