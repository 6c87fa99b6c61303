// What a server does with the implemented contract, and what it gets from the rooms above, which load what this room can
// do without: contracts, what to do with a proposal, pages, and the control plane.
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "../contract/contract.js";
import { implementedContract, isImplemented, isImplementedText, listUnchecked } from "../contract/implemented.js";
import { memoize } from "../contract/memoize.js";
import type { Operation } from "../contract/model.js";
import { formatOperation } from "../contract/operation.js";
import { responsesOf } from "../contract/sample/message.js";
import type { ServerFacts } from "../core/control/handlers.js";
import type { Clock } from "../core/domain/clock.js";
import type { Plan } from "../core/domain/notifications.js";
import type { EnvironmentState, Seed } from "../core/domain/state.js";
import type { LastStep, ResponseAdapter } from "../core/request/exchange.js";
import type { Shell } from "../core/request/handle.js";
import { createExecute, createMockOperation, handlerOf, type Implementation } from "../core/request/handlers.js";
import type { Pages } from "./http/public-pages.js";
import type { RequestLog } from "./http/record-request.js";
import type { Store } from "./store/environments.js";

export interface Composition {
  pages: Pages;
  createControlPlane(parts: ControlParts): ControlPlane;
  /** Opens a contract's file; without `path`, the package's own. @throws ContractError */
  open(options: WatchOptions<Contract> & { path: string | undefined }): Promise<WatchedFile<Contract>>;
  /** Adapts a contract that is not the implemented one to what the handlers know. */
  serveProposal(proposal: Contract): Serving;
}

export interface WatchOptions<T> {
  /** Applies a reloaded value. If it throws, the message becomes `error`, and the previous value stays. */
  use(value: T): void;
  /** Reload after each save. */
  isWatched: boolean;
  log: Logger;
}

export interface WatchedFile<T> {
  readonly value: T;
  /** Why the current version of the file is not in use. */
  readonly error: string | undefined;
  close(): Promise<void>;
}

/** Handles `/_control`, and holds what requests to the API need of it. */
export interface ControlPlane {
  controlPlane: RequestHandler;
  history: RequestLog;
  faults: NonNullable<Shell["faults"]>;
}

export interface ControlParts {
  /** The contract that is served now. */
  contract: () => Contract;
  /** The contract of records that is served now. */
  records: () => Contract;
  log: Logger;
  /** The key of the control plane; undefined restricts it to this machine. */
  controlKey: string | undefined;
  /** The origin of other pages that may use the control plane. */
  controlOrigin?: string | undefined;
  store: Store;
  /** Opens the default environment. */
  apiKey: string;
  /** Loads the server's own seed. */
  seed: () => Promise<Seed>;
  /** True if the server's seed is a file, such as a bug report, whose environment opens under its name. */
  isSeedFile?: boolean;
  facts: ServerFacts;
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
}

export interface Serving {
  /** The contract that records in files, seeds and the control plane have to keep. */
  records: Contract;
  implementation: Implementation;
  /** Creates the last step of an operation, which always responds. */
  createLastStep(operation: Operation, plan: Plan): LastStep;
  /** Lists the example responses of an operation, or a sample. */
  responsesOf: Shell["responsesOf"];
  /** Brings responses into the form of the contract; undefined if they have it. */
  adapter?: ResponseAdapter;
  /** Lists values that are sent although the contract forbids them. */
  findInvalidValues(environments: readonly Surroundings[]): string[];
}

/** What a server does with a contract: with the implemented one, or with a proposal. */
export function servingOf(contract: Contract, serveProposal: Composition["serveProposal"]): Serving {
  return isImplemented(contract) ? serveImplemented(contract) : serveProposal(contract);
}

const serveImplemented = memoize((contract: Contract): Serving => {
  const isReal = (operation: Operation) => handlerOf(operation) !== undefined; // others are mocked on purpose
  return {
    records: isImplementedText(contract) ? contract : implementedContract(),
    implementation: {
      implemented: contract.operations.filter(isReal).map(formatOperation),
      mocked: contract.operations.filter((operation) => !isReal(operation)).map(formatOperation),
      reasons: [],
      added: [],
      removed: [],
      withoutEffect: [],
      errors: [],
      unchecked: listUnchecked(contract),
      cannotBeShown: [],
    },
    createLastStep: (operation, plan) =>
      isReal(operation) ? createExecute(operation, plan) : createMockOperation(operation),
    responsesOf,
    findInvalidValues: () => [],
  };
});

/** What of a proposal is implemented; undefined for the implemented contract, unless some part is not checked. */
export function implementationOf({ adapter, implementation }: Serving): Implementation | undefined {
  return adapter || implementation.unchecked.length > 0 ? implementation : undefined;
}

export interface Surroundings {
  state: EnvironmentState;
  clock: Clock;
  plan: Plan;
}
