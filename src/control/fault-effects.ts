// What a fault does to a request, by the contract's examples.
import type { Contract } from "../contract/contract.js";
import { examplesOf, type ResponseExample } from "../contract/examples.js";
import { ControlError } from "./control-error.js";
import type { FaultRule } from "./faults.js";

/** A fault has one effect beside its delay, and its responses are in the contract. */
export function assertPossible(
  rule: FaultRule,
  { document, operations }: Pick<Contract, "document" | "operations">,
): void {
  const { status, example, sequence, disconnect, malformed, delayMs, maxDelayMs } = rule;
  const responds = status !== undefined || example !== undefined;
  const effects = [responds, sequence, disconnect, malformed].filter(Boolean).length;
  if (effects > 1) {
    throw new ControlError(
      "invalid",
      "Status, sequence, disconnect and malformed exclude each other: give one.",
      "body",
    );
  }
  if (effects === 0 && delayMs === undefined && maxDelayMs === undefined) {
    const list = "delayMs, status, example, sequence, disconnect or malformed";
    throw new ControlError("invalid", `A fault needs an effect: ${list}.`, "body");
  }
  if (maxDelayMs !== undefined && maxDelayMs < (delayMs ?? 0)) {
    throw new ControlError("invalid", "It must not be less than delayMs.", "body.maxDelayMs");
  }
  const fitting = operations.filter(({ id }) => id === (rule.operation ?? id));
  const examples = fitting.flatMap((operation) => examplesOf(document, operation));
  const statuses = sequence ? sequence.filter((step) => step !== "ok") : [status];
  if (!(responds || sequence) || statuses.every((status) => findExample(examples, { status, example }))) return;
  const names = new Set(examples.map((item) => `${item.status} ${item.name}`));
  const message = `The contract has no such example. It has ${[...names].join(", ")}.`;
  throw new ControlError(
    "invalid",
    message,
    `body.${sequence ? "sequence" : status === undefined ? "example" : "status"}`,
  );
}

/** The example that a fault names: by status, by name, or by both. */
export function findExample(
  examples: readonly ResponseExample[],
  { status, example }: { status?: number | undefined; example?: string | undefined },
): ResponseExample | undefined {
  if (status === undefined && example === undefined) return undefined;
  return examples.find((item) => item.status === (status ?? item.status) && item.name === (example ?? item.name));
}
