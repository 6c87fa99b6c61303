// Reads the text of a parameter or header by its schema. `1` is a number, a text, or a list of either: whatever the schema allows.
import { flatten } from "../../../contract/schema-flatten.js";
import { EACH_ITEM } from "../../usage/contract-members.js";
import { allows, type ResolvedSchema, resolveSchema, stepInto, typesOf } from "./resolved-schema.js";

export interface Reading {
  /** Between the items of a list; undefined if each is a text of its own. */
  delimiter?: string | undefined;
  /** True if the members of an object are written as `a=1`, and not as `a,1`. */
  isExploded?: boolean;
}

/** @returns the first value that the schema allows; if it allows none, the most likely one */
export function readText(schema: ResolvedSchema, text: string | readonly string[], reading: Reading = {}): unknown {
  const candidates = toCandidates(schema, text, reading);
  return candidates.find((value) => allows(schema, value)) ?? candidates[0];
}

function toCandidates(schema: ResolvedSchema, text: string | readonly string[], reading: Reading): unknown[] {
  const types = textTypesOf(schema);
  const texts = [text].flat();
  const { delimiter } = reading;
  const items = delimiter === undefined ? texts : texts.flatMap((one) => one.split(delimiter));
  const [single] = typeof text === "string" ? [text] : [];
  const scalars = single === undefined ? [] : toScalars(single, types);
  const list = types.has("array") ? [items.map((one) => readScalar(stepInto(schema, EACH_ITEM), one))] : [];
  const object = single !== undefined && types.has("object") ? [readObject(schema, single, reading)] : [];
  const isScalar = SCALARS.some((type) => types.has(type));
  const all = isScalar ? [...scalars, ...list, ...object] : [...list, ...object, ...scalars];
  return all.length > 0 ? all : [text];
}

/** Reads an item of a list, or a member of an object. Neither has parts of its own. */
export function readScalar(schema: ResolvedSchema | undefined, text: string): unknown {
  if (!schema) return text;
  const candidates = toScalars(text, textTypesOf(schema));
  return candidates.find((value) => allows(schema, value)) ?? candidates[0];
}

const SCALARS = ["string", "number", "integer", "boolean"];

function toScalars(text: string, types: ReadonlySet<string>): unknown[] {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text) && (types.has("integer") || types.has("number"));
  const isBoolean = /^(true|false)$/.test(text) && types.has("boolean");
  return [...(isNumber ? [Number(text)] : []), ...(isBoolean ? [text === "true"] : []), text];
}

function readObject(schema: ResolvedSchema, text: string, { delimiter = ",", isExploded }: Reading): unknown {
  const parts = text.split(delimiter);
  const pairs = isExploded
    ? parts.map((part) => part.split(/=(.*)/s).slice(0, 2))
    : parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]]] : []));
  return Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, readScalar(stepInto(schema, name), value)]));
}

/** The types of a schema, and of its alternatives. */
function textTypesOf(schema: ResolvedSchema): Set<string> {
  const { contract, parts } = schema;
  const branches = parts.flatMap(({ anyOf, oneOf }) => [anyOf ?? [], oneOf ?? []].flat() as unknown[]);
  const own = typesOf(schema);
  if (branches.length === 0) return new Set(own);
  const types = branches.flatMap((branch) => [
    ...textTypesOf(resolveSchema(contract, [flatten(contract.document, branch)])),
  ]);
  return new Set(types.filter((type) => own.includes(type)));
}
