// Walks the parts of a contract, and finds the place of a part by its identity.
import type { ContractModel } from "./create-model.js";
import { pointersOf } from "./create-model.js";
import { type Node, walkNodes } from "./grammar.js";
import type { Pointer } from "./pointer.js";

/** Yields the parts of a contract, parents first, each once and with its place in the file. */
export function* walkModel({ document, pointerOf }: ContractModel): Generator<Node> {
  for (const node of walkNodes(document)) yield { ...node, pointer: pointerOf(node.value) ?? node.pointer };
}

export type ContractObject = Pick<Node, "pointer" | "value">;

const NAME_MAPS = new Set(
  ["properties", "paths", "schemas", "parameters", "headers", "responses"].concat("securitySchemes", "content"),
);
const DATA = new Set(["example", "examples", "default"]);

/** @deprecated use walkModel */
export function* walkContract(value: object): Generator<ContractObject> {
  const places = pointersOf.get(value);
  for (const node of walkNodes(value)) yield { ...node, pointer: places?.(node.value) ?? node.pointer };
}

/** @deprecated the walk knows what each part is */
export function isNameMap(pointer: Pointer): boolean {
  return NAME_MAPS.has(String(pointer.at(-1))) && !NAME_MAPS.has(String(pointer.at(-2)));
}

/** @deprecated the walk knows what each part is */
export function isData(key: string, pointer: Pointer): boolean {
  return !isNameMap(pointer) && (key.startsWith("x-") || DATA.has(key));
}

/** @deprecated use pointerOf of the model */
export function placeOf({ document }: { document: object }, object: object): Pointer | undefined {
  return pointersOf.get(document)?.(object);
}
