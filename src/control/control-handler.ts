// What a handler of the control plane is: the function that executes one of its operations.
import type { RequestOf, SuccessOf } from "../contract/operations.js";
import type { Coverage } from "../coverage/coverage.js";
import type { Environment } from "../store/environment.js";
import type { RecordSchema } from "../store/format/parse-environment.js";
import type { ControlOperationId, ControlOperations } from "./control-schemas.js";
import type { EnvironmentManager } from "./environment-manager.js";
import type { FaultRule, Faults } from "./faults.js";
import type { RequestHistory } from "./request-history.js";

export interface ControlContext {
  environments: EnvironmentManager;
  faults: Faults;
  history: RequestHistory;
  /** The one that the path names. @throws ControlRejection notFound where there is none */
  readonly environment: Environment;
  /** Of the contract that is served. */
  coverage: () => Coverage;
  /** Of the contract that is served. */
  version: () => string;
  /** @throws ControlRejection for a name that no operation of the served contract has. */
  assertOperation(name: string, location: string): void;
  /** @throws ControlRejection for a fault that no operation could have. */
  assertPossible(rule: FaultRule): void;
  /** @throws RequestError for members of a new record that the served contract does not add, or not with such values. */
  assertMembers(schema: RecordSchema, record: object, members: object): void;
  /** Aborts when the client goes or the server stops. */
  aborted: AbortSignal;
}

/** A request that has passed the control plane's contract, defaults filled in. */
export type ControlRequest<Id extends ControlOperationId> = RequestOf<ControlOperations[Id]>;

export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequest<Id>,
  context: ControlContext,
) => SuccessOf<ControlOperations[Id]> | Promise<SuccessOf<ControlOperations[Id]>>;
