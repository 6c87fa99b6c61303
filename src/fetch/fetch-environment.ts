// The environment behind a fetch handler, in memory, and what the control plane can do with one.
import type { ControlContext, ControlHandler } from "../control/control-handler.js";
import type { ControlOperationId, ControlSchemas } from "../control/control-schemas.js";
import { assertPossible, createFaults, type Faults } from "../control/faults.js";
import { controlHandlers } from "../control/handlers.js";
import { createAdjustableClock, createFrozenClock, systemClock } from "../domain/clock.js";
import type { EnvironmentContents, Seed } from "../domain/state.js";
import { createEnvironment, type Environment } from "../store/environment.js";
import { DEFAULT_ENVIRONMENT } from "../store/environment-name.js";
import { toContents } from "../store/format/environment-contents.js";
import { toEnvironment } from "../store/seeds/seed-environment.js";
import { createEnvironmentState } from "../store/state/environment-state.js";
import { contract } from "./contract.js";

type NewFault = ControlSchemas["NewFault"];

export interface EnvironmentOptions {
  /** `demo` or `empty` of `notifications-contract/seeds/…`, or the value of a file of one's own. */
  seed: Seed;
  /** Stops the clock at this instant. Default: it runs. */
  now?: Date | string;
  faults?: readonly NewFault[];
}

/** As the control plane's operations of the same names; there is one environment. */
export interface EnvironmentControl {
  /** Everything as in the beginning. */
  reset(): Promise<void>;
  /** Keeps the records as they are now, and returns the function that restores them. */
  snapshot(): () => Promise<void>;
  setClock(setting: ControlSchemas["ClockSetting"]): ControlSchemas["Clock"];
  advanceClock(milliseconds: number): ControlSchemas["Clock"];
  addSubscriber(subscriber: ControlSchemas["NewSubscriber"]): Promise<ControlSchemas["Subscriber"]>;
  addWorkflow(workflow: ControlSchemas["NewWorkflow"]): Promise<ControlSchemas["Workflow"]>;
  /** Newest first. */
  addNotifications(
    notifications: ControlSchemas["NewNotifications"],
  ): Promise<ControlSchemas["AddedNotifications"]["notifications"]>;
  addFault(fault: NewFault): ControlSchemas["Fault"];
  clearFaults(): void;
}

export interface FetchEnvironment {
  environment: Environment;
  faults: Faults;
  control: EnvironmentControl;
}

export function createFetchEnvironment({
  seed,
  now,
  faults: initialFaults = [],
}: EnvironmentOptions): FetchEnvironment {
  const clock = createAdjustableClock(now === undefined ? systemClock : createFrozenClock(new Date(now)));
  const faults = createFaults();
  const toInitial = () => toContents(toEnvironment(seed, contract, DEFAULT_ENVIRONMENT, clock.now()));
  const environment = createEnvironment({
    name: DEFAULT_ENVIRONMENT,
    state: createEnvironmentState(toInitial()),
    log: { append: async () => {} },
    clock,
    isDurable: false,
  });

  function call<Id extends ControlOperationId>(id: Id, body?: unknown): ReturnType<ControlHandler<Id>> {
    const context = {
      environments: { find: () => environment },
      faults,
      assertPossible: (rule: NewFault) => assertPossible(rule as never, contract),
    } as unknown as ControlContext; // the handlers that are called here read no more of it
    const handle = controlHandlers[id] as ControlHandler<Id>;
    return handle({ path: { environment: DEFAULT_ENVIRONMENT }, query: {}, body } as never, context) as never;
  }

  const replace = (data: EnvironmentContents) =>
    environment.transact(() => ({ result: undefined, changes: [{ type: "replaced", data }] }));

  const control: EnvironmentControl = {
    async reset() {
      clock.reset();
      await replace(toInitial());
      control.clearFaults();
      for (const fault of initialFaults) control.addFault(fault);
    },
    snapshot() {
      const data = environment.state.toContents();
      return () => replace(data);
    },
    setClock: (setting) => call("setClock", setting) as ControlSchemas["Clock"],
    advanceClock: (milliseconds) => call("advanceClock", { milliseconds }) as ControlSchemas["Clock"],
    addSubscriber: async (subscriber) => call("addSubscriber", subscriber),
    addWorkflow: async (workflow) => call("addWorkflow", workflow),
    addNotifications: async (notifications) => (await call("addNotifications", notifications)).notifications,
    addFault: (fault) => call("addFault", fault) as ControlSchemas["Fault"],
    clearFaults: () => faults.clear(environment),
  };
  for (const fault of initialFaults) control.addFault(fault);
  return { environment, faults, control };
}
