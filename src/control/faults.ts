// Injected faults, by environment. They live as long as the server.
import { randomHex } from "../api/random-hex.js";
import { createRandom } from "../domain/random.js";
import type { Environment } from "../store/environment.js";
import type { ControlSchemas } from "./control-schemas.js";

/** A fault with its defaults filled in. */
export type FaultRule = ControlSchemas["NewFault"] & Required<Pick<ControlSchemas["NewFault"], "share" | "seed">>;

export interface Fault extends FaultRule {
  readonly id: string;
  /** How often it was applied. */
  hits: number;
}

export interface Faults {
  of(environment: Environment): readonly Fault[];
  add(environment: Environment, rule: FaultRule): Fault;
  /** Whether there was one. */
  remove(environment: Environment, id: string): boolean;
  clear(environment: Environment): void;
  /** The fault to inject into a request for an operation, if any; it counts as a hit. */
  apply(environment: Environment, operationId: string): Fault | undefined;
}

interface ActiveFault {
  fault: Fault;
  draw: () => number;
}

export function createFaults(): Faults {
  const byEnvironment = new WeakMap<Environment, ActiveFault[]>();
  const activeOf = (environment: Environment) => byEnvironment.get(environment) ?? [];
  return {
    of: (environment) => activeOf(environment).map(({ fault }) => fault),
    add(environment, rule) {
      const fault = { id: randomHex(8), ...rule, hits: 0 };
      const draw = createRandom(rule.seed).fraction;
      byEnvironment.set(environment, [...activeOf(environment), { fault, draw }]);
      return fault;
    },
    remove(environment, id) {
      const before = activeOf(environment);
      const after = before.filter(({ fault }) => fault.id !== id);
      byEnvironment.set(environment, after);
      return after.length < before.length;
    },
    clear: (environment) => byEnvironment.delete(environment),
    apply(environment, operationId) {
      const active = activeOf(environment).find(({ fault, draw }) => {
        const { operation = operationId, count = Number.POSITIVE_INFINITY } = fault;
        return operation === operationId && fault.hits < count && draw() < fault.share;
      });
      if (active) active.fault.hits += 1;
      return active?.fault;
    },
  };
}
