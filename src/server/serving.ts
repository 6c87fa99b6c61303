// What a server does with a contract: the seams behind which a contract that is not the implemented one is served.
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/model.js";
import type { Clock } from "../core/domain/clock.js";
import type { Plan } from "../core/domain/notifications.js";
import type { EnvironmentState } from "../core/domain/state.js";
import { executeOperation, implementationOf } from "../core/operations/call-operation.js";
import type { LastStep, ResponseAdapter } from "../core/operations/exchange.js";
import { type ImplementationStatus, NOTHING_ADAPTED, nameOf } from "../core/operations/implementation-status.js";
import { createMockOperation } from "../core/operations/sample-response.js";

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

export interface Surroundings {
  state: EnvironmentState;
  clock: Clock;
  plan: Plan;
}

export type Prepare = (contract: Contract) => Serving;

/** Serves the implemented contract. An operation without a handler is mocked. */
export function serveImplemented(contract: Contract): Serving {
  const { operations } = contract;
  return {
    records: contract,
    status: {
      ...NOTHING_ADAPTED,
      implemented: operations.filter(implementationOf).map(nameOf),
      mocked: operations.filter((operation) => !implementationOf(operation)).map(nameOf),
    },
    createLastStep: (operation, plan) =>
      implementationOf(operation)
        ? (exchange) => executeOperation(operation, exchange, { plan })
        : createMockOperation(operation),
    findInvalidValues: () => [],
  };
}
