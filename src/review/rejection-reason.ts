// A reason to reject a contract change.

export interface RejectionReason {
  /** Stable from run to run; `--allow <id>=<justification>` accepts it. */
  id: string;
  message: string;
  /** In the reviewed file, counted from 1; undefined where the file has no such line. */
  line: number | undefined;
  /** Further places of the same cause. */
  more?: string[];
}

export interface AllowedReason extends RejectionReason {
  justification: string;
}
