// The seam behind which a server gets its contracts, and serves one that is not the implemented one.
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/model.js";
import type { Clock } from "../core/domain/clock.js";
import type { Plan } from "../core/domain/notifications.js";
import type { EnvironmentState } from "../core/domain/state.js";
import type { LastStep, ResponseAdapter } from "../core/operations/exchange.js";
import type { ImplementationStatus } from "../core/operations/implementation-status.js";
import type { WatchedFile, WatchedFileOptions } from "./watched-file.js";

/** Where contracts come from, and what a server does with them. */
export interface Contracts {
  /** Opens a contract's file; without `path`, the package's own. @throws ContractError */
  open(options: OpenOptions): Promise<WatchedFile<Contract>>;
  /** Loads the contract of the control plane. */
  loadControl(): Promise<Contract>;
  prepare(contract: Contract): Serving;
}

export interface OpenOptions extends Omit<WatchedFileOptions<Contract>, "path" | "load"> {
  path: string | undefined;
}

export interface Serving {
  /** The contract that records in files, seeds and the control plane have to keep. */
  records: Contract;
  status: ImplementationStatus;
  /** Creates the last step of an operation, which always responds. */
  createLastStep(operation: Operation, plan: Plan): LastStep;
  /** Brings responses into the form of the contract; undefined if they have it. */
  adapter?: ResponseAdapter;
  /** Lists values that are sent although the contract forbids them. */
  findInvalidValues(environments: readonly Surroundings[]): string[];
}

/** The status of a contract that is not the implemented one, or of which some part is not checked. */
export function proposalOf({ adapter, status }: Serving): ImplementationStatus | undefined {
  return adapter || status.unchecked.length > 0 ? status : undefined;
}

export interface Surroundings {
  state: EnvironmentState;
  clock: Clock;
  plan: Plan;
}
