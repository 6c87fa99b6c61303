// A reason to reject a contract change, with what follows from it beneath: one cause, one reason.

export interface RejectionReason {
  /** Stable from run to run; `--allow <id>=<justification>` accepts it, and what follows from it. */
  id: string;
  message: string;
  /** In the reviewed file, counted from 1; undefined where the file has no such line. */
  line: number | undefined;
  /** Further places of the same cause. */
  more?: string[];
  /** Other reasons that need no decision of their own: wrong examples, places that must agree, versions. */
  follows?: RejectionReason[];
  /** Without this, there is nothing to accept: a contract that cannot be read. */
  isFinal?: boolean;
}

export interface AllowedReason extends RejectionReason {
  justification: string;
}
