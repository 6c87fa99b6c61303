// What a fault does to a request, by the contract's examples.
import type { Contract } from "../contract/contract.js";
import { examplesOf, type ResponseExample } from "../contract/examples.js";
import { ControlError } from "./control-error.js";
import type { FaultRule } from "./faults.js";

/** A fault has one effect beside its delay, and its response is in the contract. */
export function assertPossible(
  rule: FaultRule,
  { document, operations }: Pick<Contract, "document" | "operations">,
): void {
  const responds = rule.status !== undefined || rule.example !== undefined;
  const effects = [responds, rule.disconnect, rule.malformed].filter(Boolean).length;
  if (effects > 1) throw new ControlError("invalid", "Of status, disconnect and malformed give one at most.", "body");
  if (effects === 0 && rule.delayMs === undefined) {
    throw new ControlError(
      "invalid",
      "A fault needs an effect: delayMs, status, example, disconnect or malformed.",
      "body",
    );
  }
  if (!responds) return;
  const fitting = operations.filter(({ id }) => id === (rule.operation ?? id));
  const examples = fitting.flatMap((operation) => examplesOf(document, operation));
  if (findExample(examples, rule)) return;
  const known = new Set(examples.map(({ status, name }) => `${status} ${name}`));
  const message = `The contract has no such example. It has ${[...known].join(", ")}.`;
  throw new ControlError("invalid", message, rule.status === undefined ? "body.example" : "body.status");
}

/** The example that a fault names: by status, by name, or by both. */
export function findExample(
  examples: readonly ResponseExample[],
  { status, example }: Pick<FaultRule, "status" | "example">,
): ResponseExample | undefined {
  if (status === undefined && example === undefined) return undefined;
  return examples.find((known) => known.status === (status ?? known.status) && known.name === (example ?? known.name));
}
