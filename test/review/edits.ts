// All edits of the contract that the review is judged by, the verdicts written by hand before the code.
import { BASIC_EDITS, type EditRow } from "./contract-edits.js";
import { DECIDED_EDITS } from "./decided-edits.js";
import { EVERYDAY_EDITS } from "./everyday-edits.js";
import { KEYWORD_EDITS } from "./keyword-edits.js";
import { PROOF_EDITS } from "./proof-edits.js";

export const EDITS: readonly EditRow[] = [
  ...BASIC_EDITS,
  ...KEYWORD_EDITS,
  ...DECIDED_EDITS,
  ...PROOF_EDITS,
  ...EVERYDAY_EDITS,
];
