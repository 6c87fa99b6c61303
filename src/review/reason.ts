// A reason to say no to a contract.

export interface Reason {
  /** Stable from run to run; `--allow <id>=<reason>` accepts it. */
  id: string;
  sentence: string;
  /** In openapi.yaml, counted from 1; undefined where nothing stands any more. */
  line: number | undefined;
}

export interface AllowedReason extends Reason {
  /** In the words of whoever allowed it. */
  because: string;
}
