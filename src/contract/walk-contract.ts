// Walks the parts of a contract, and finds the place of a part by its identity.
import type { ContractModel } from "./create-model.js";
import { type Node, walkNodes } from "./grammar.js";

/** Yields the parts of a contract, parents first, each once and with its place in the file. */
export function* walkModel({ document, pointerOf }: ContractModel): Generator<Node> {
  for (const node of walkNodes(document)) yield { ...node, pointer: pointerOf(node.value) ?? node.pointer };
}
