// A fault as the control plane gets it: its preset, its defaults, and whether it can have an effect.

import type { Operation } from "../../contract/model.js";
import type { ResponseExample } from "../../contract/operation.js";
import { type Faults, findExample } from "../request/faults.js";
import { invalidRequest } from "./errors.js";
import { FAULT_PRESETS } from "./fault-presets.js";
import type { ControlSchemas } from "./schemas.js";

type NewFault = ControlSchemas["NewFault"];

/** A fault with all defaults. */
export type CompleteFault = NewFault & Required<Pick<NewFault, "share" | "seed">>;

export type EnvironmentFaults = Faults<CompleteFault>;

export function completeFault(fault: NewFault): CompleteFault {
  return { share: 1, seed: 1, ...(fault.preset && FAULT_PRESETS[fault.preset].rule), ...fault };
}

/** @throws ControlRejection for a fault without an effect, with two, or with a response that the contract lacks. */
export function assertPossible(
  rule: CompleteFault,
  operations: readonly Operation[],
  toResponses: (operation: Operation) => readonly ResponseExample[],
): void {
  const { status, example, disconnect, delayMs, maxDelayMs, isUpdate } = rule;
  const responds = status !== undefined || example !== undefined;
  if (rule.preset === "rate-limited" && status !== FAULT_PRESETS["rate-limited"].rule.status)
    throw invalidRequest("The preset rate-limited has status 429. For another one, omit the preset.", "body.status");
  if (responds && disconnect) throw invalidRequest("Status and disconnect exclude each other: give one.", "body");
  if (!responds && !disconnect && delayMs === undefined && maxDelayMs === undefined)
    throw invalidRequest("A fault needs an effect: delayMs, status, example or disconnect.", "body");
  if (maxDelayMs !== undefined && maxDelayMs < (delayMs ?? 0))
    throw invalidRequest("It must not be less than delayMs.", "body.maxDelayMs");
  if (rule.operation !== undefined) assertOperation(rule.operation, operations, "body.operation");
  const fitting = operations.filter(({ id }) => id === (rule.operation ?? id));
  if (isUpdate && !fitting.some(({ body }) => body !== undefined))
    throw invalidRequest(`It matches no request: ${rule.operation} has no body.`, "body.isUpdate");
  const examples = fitting.flatMap(toResponses);
  if (!responds || findExample(examples, { status, example })) return;
  const names = new Set(examples.map((item) => `${item.status} ${item.name}`));
  const wanted = [status !== undefined && `status ${status}`, example !== undefined && `example ${example}`].filter(
    Boolean,
  );
  const of = rule.operation === undefined ? "The contract" : rule.operation;
  const message = `${of} has no response with ${wanted.join(" and ")}. It has ${[...names].join(", ")}.`;
  throw invalidRequest(message, `body.${status === undefined ? "example" : "status"}`);
}

/** @throws ControlRejection for a name that no operation has. */
export function assertOperation(name: string, operations: readonly Operation[], location: string): void {
  if (operations.some(({ id }) => id === name)) return;
  const names = operations.map(({ id }) => id).join(", ");
  throw invalidRequest(`There is no operation ${name}; expected one of ${names}.`, location);
}
