// What the visitors of one program share.
import type { ts } from "ts-morph";
import type { Contract } from "../../contract/contract.js";
import type { Project } from "./project.js";
import type { Recorder } from "./recorder.js";
import type { TypeMembers } from "./type-members.js";
import type { createRecordFlow } from "./value-flow.js";

export interface Scan {
  project: Project;
  contract: Contract;
  checker: ts.TypeChecker;
  types: TypeMembers;
  recorder: Recorder;
  recordFlow: ReturnType<typeof createRecordFlow>;
}
