// Walks the parts of a contract, and finds the place of a part by its identity.
import { type Node, walkNodes } from "./grammar.js";
import type { ContractModel } from "./model.js";

/** Yields the parts of a contract, parents first, each once and with its place in the file. */
export function* walkContract({ document, pointerOf }: ContractModel): Generator<Node> {
  for (const node of walkNodes(document)) yield { ...node, pointer: pointerOf(node.value) ?? node.pointer };
}
