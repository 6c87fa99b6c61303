// The environment of a fetch handler, in memory, with the control plane's operations on it.
import { isObject } from "../../contract/json.js";
import { responseExamplesOf } from "../../contract/operation.js";
import { findViolations } from "../../contract/violation.js";
import { invalidRequest } from "../../core/control/errors.js";
import { assertPossible, completeFault, type EnvironmentFaults } from "../../core/control/faults.js";
import type { ControlRequest } from "../../core/control/handlers.js";
import { addNotifications, addSubscriber, addWorkflow, advanceClock, setClock } from "../../core/control/records.js";
import type { ControlOperationId, ControlSchemas } from "../../core/control/schemas.js";
import {
  createAdjustableClock,
  createFrozenClock,
  isClockTime,
  parseInstant,
  systemClock,
} from "../../core/domain/clock.js";
import { type MemoryData, type Seed, toMemory, toPlain } from "../../core/domain/state.js";
import { type OptionRule, suggestName } from "../../core/options.js";
import { createFaults } from "../../core/request/faults.js";
import { createMemoryEnvironment, DEFAULT_ENVIRONMENT } from "../../core/state/environment.js";
import { createEnvironmentState } from "../../core/state/environment-state.js";
import { createFromSeed, exportSeed } from "../../core/state/seed.js";
import { contract } from "./built-contract.js";
import { controlMembers, controlValidators } from "./validators.gen.js";

type NewFault = ControlSchemas["NewFault"];

export interface EnvironmentOptions {
  /** `demo` or `empty` of `notifications-contract/seeds/…`, or the value of your own file. */
  seed: Seed;
  /** Stops the clock at this instant. Default: the clock runs. */
  now?: Date | string;
  faults?: readonly NewFault[];
}

/**
 * The control plane's operations of the same names, for the only environment. They take effect at once: what is added
 * before `render` is in the first response.
 */
export interface EnvironmentControl {
  /** Restores the initial state. */
  reset(): void;
  /** The environment as it is now, as a seed. */
  exportSeed(): Seed;
  /** Saves the current records, and returns a function that restores them. */
  snapshot(): () => void;
  setClock(setting: ControlSchemas["ClockSetting"]): ControlSchemas["Clock"];
  advanceClock(milliseconds: number): ControlSchemas["Clock"];
  addSubscriber(subscriber: ControlSchemas["NewSubscriber"]): ControlSchemas["Subscriber"];
  addWorkflow(workflow: ControlSchemas["NewWorkflow"]): ControlSchemas["Workflow"];
  /** Newest first. */
  addNotifications(
    notifications: ControlSchemas["NewNotifications"],
  ): ControlSchemas["AddedNotifications"]["notifications"];
  addFault(fault: NewFault): ControlSchemas["Fault"];
  clearFaults(): void;
}

export const ENVIRONMENT_OPTIONS: Record<keyof EnvironmentOptions, OptionRule> = {
  seed: [
    'the value of a whole seed, as in `import demo from "notifications-contract/seeds/demo"` ' +
      "or from `notifications-contract export`",
    isSeed,
  ],
  now: ["a valid Date or an RFC 3339 timestamp, in the years 1000 to 8999", isInstant],
  faults: ["a list", Array.isArray],
};

/** Checks only the form: `export` writes valid records, and `serve --seed` checks them. */
function isSeed(seed: unknown): boolean {
  if (
    !isObject(seed) ||
    "extends" in seed ||
    seed.format !== "notifications-contract/environment" ||
    !isInstant(seed.asOf)
  )
    return false;
  return ["workflows", "subscribers", "preferences", "notifications"].every((list) => Array.isArray(seed[list]));
}

function isInstant(value: unknown): boolean {
  try {
    return isClockTime(value instanceof Date ? value.getTime() : parseInstant(String(value)));
  } catch {
    return false;
  }
}

/** Does not check the options. */
export function createFetchEnvironment(options: EnvironmentOptions) {
  // Copies, since the caller may change the values later. React Native has no structuredClone.
  const seedText = JSON.stringify(options.seed);
  const initialFaults: NewFault[] = JSON.parse(JSON.stringify(options.faults ?? []));
  const clock = createAdjustableClock(
    options.now === undefined ? systemClock : createFrozenClock(new Date(options.now)),
  );
  const faults: EnvironmentFaults = createFaults();
  const createInitial = () =>
    toMemory(createFromSeed(JSON.parse(seedText), contract, DEFAULT_ENVIRONMENT, clock.now()));
  const state = createEnvironmentState(createInitial());
  const environment = createMemoryEnvironment({ name: DEFAULT_ENVIRONMENT, state, clock });

  const replace = (data: MemoryData) =>
    environment.transactNow(() => ({ result: undefined, changes: [{ type: "replaced", data }] }));

  const control: EnvironmentControl = {
    reset() {
      clock.reset();
      replace(createInitial());
      control.clearFaults();
      for (const fault of initialFaults) control.addFault(fault);
    },
    exportSeed: () => toPlain(exportSeed(state.toData(), clock.now())) as Seed, // its asOf stays
    snapshot() {
      const data = state.toData();
      return () => replace(data);
    },
    setClock: (setting) => setClock(parseInput("setClock", setting), environment),
    advanceClock: (milliseconds) => advanceClock(parseInput("advanceClock", { milliseconds }), environment),
    addSubscriber(subscriber) {
      return environment.transactNow(addSubscriber(parseInput("addSubscriber", subscriber), environment));
    },
    addWorkflow(workflow) {
      return environment.transactNow(addWorkflow(parseInput("addWorkflow", workflow), environment));
    },
    addNotifications(notifications) {
      return environment.transactNow(addNotifications(parseInput("addNotifications", notifications), environment));
    },
    addFault(fault) {
      const rule = completeFault(parseInput("addFault", fault));
      assertPossible(rule, contract.operations, responseExamplesOf);
      return { ...faults.add(environment, rule) };
    },
    clearFaults: () => faults.clear(environment),
  };
  for (const fault of initialFaults) control.addFault(fault);
  return { environment, faults, control };
}

const VALUES: Readonly<Record<string, string>> = { "setClock.mode": ': "frozen" or "running"' };

/**
 * Copies a method's argument, with the defaults of the control plane's contract.
 * @throws ControlRejection if it is invalid; TypeError for a value that JSON cannot represent.
 */
function parseInput<Id extends ControlOperationId>(id: Id, input: object): ControlRequest<Id>["body"] {
  const body = JSON.parse(JSON.stringify(input ?? {}));
  const validate = controlValidators[id];
  const violations = validate ? findViolations(validate, body, "") : [];
  if (violations.length === 0) return body;
  const messages = violations.map(({ location, message, code }) => {
    const isUnknown = code === "additionalProperties" || code === "unevaluatedProperties";
    if (isUnknown) return `there is no member \`${location}\`. ${suggestName(location, controlMembers[id] ?? [])}`;
    return `\`${location}\` ${message}${VALUES[`${id}.${location}`] ?? ""}`;
  });
  throw invalidRequest(`${id}: ${messages.join("; ")}`, "body");
}
