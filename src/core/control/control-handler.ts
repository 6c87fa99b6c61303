// A handler of the control plane: the function that executes one of its operations.
import type { RequestOf, SuccessOf } from "../../contract/operations.js";
import type { Coverage } from "../coverage/coverage.js";
import type { Environment } from "../state/environment.js";
import type { ControlOperationId, ControlOperations, ControlSchemas } from "./control-schemas.js";
import type { FaultRule, Faults } from "./faults.js";

export type LoggedRequest = ControlSchemas["LoggedRequest"];

export type RequestFilter = NonNullable<ControlOperations["listRequests"]["parameters"]["query"]>;

/** The environments of a server. */
interface Environments {
  readonly all: readonly Environment[];
  /** Grows with each change: of an environment, its records or clock. */
  readonly revision: number;
  /** @throws ControlRejection notFound */
  find(name: string): Environment;
  /** @throws ControlRejection conflict or invalid */
  create(settings: ControlSchemas["NewEnvironment"]): Promise<Environment>;
  /** @throws ControlRejection conflict for the default one */
  delete(environment: Environment): Promise<void>;
  /** @throws ControlRejection invalid */
  reset(environment: Environment, choice: Pick<ControlSchemas["NewEnvironment"], "seed" | "data">): Promise<void>;
  apiKeyOf(environment: Environment): string | undefined;
}

/** The latest requests to the API. */
interface History {
  readonly latest: number;
  droppedOf(environment: string | undefined): number;
  wait(filter: RequestFilter, signal: AbortSignal): Promise<LoggedRequest[]>;
  clear(environment: string | undefined): void;
}

export interface ControlContext {
  environments: Environments;
  faults: Faults;
  history: History;
  /** The one that the path names. @throws ControlRejection notFound where there is none */
  readonly environment: Environment;
  /** Coverage of the contract that is served. */
  coverage: () => Coverage;
  /** Version of the contract that is served. */
  version: () => string;
  /** @throws ControlRejection for a name that no operation of the served contract has. */
  assertOperation(name: string, location: string): void;
  /** @throws ControlRejection for a fault that no operation could have. */
  assertPossible(rule: FaultRule): void;
  /** @throws RequestError for members of a new record that the served contract does not add, or not with such values. */
  assertMembers(schema: "Notification" | "NotificationSubscriber", record: object, members: object): void;
  /** Aborts when the client goes or the server stops. */
  aborted: AbortSignal;
}

/** A request that has passed the control plane's contract, defaults filled in. */
export type ControlRequest<Id extends ControlOperationId> = RequestOf<ControlOperations[Id]>;

export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequest<Id>,
  context: ControlContext,
) => SuccessOf<ControlOperations[Id]> | Promise<SuccessOf<ControlOperations[Id]>>;
