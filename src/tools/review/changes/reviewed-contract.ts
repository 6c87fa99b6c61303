// A contract as the review reads it. The other tools leave out what they do not support; the review compares everything. Three
// things are put into keywords that it knows, so that validator and proofs understand them:
//   readOnly, writeOnly    a member that a request, or a response, must not have is `false`, and not required
//   unevaluatedProperties  becomes `additionalProperties` where `$ref` and `allOf` alone name the members
//   nullable               is renamed: it has no effect in OpenAPI 3.1, but the validator would apply it
import { type Contract, createContract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { memoize } from "../../../contract/memoize.js";
import { type OpenApiDocument, type SchemaObject, toPointer, valueAt } from "../../../contract/openapi-document.js";
import { isData, isNameMap, walkContract } from "../../../contract/walk-contract.js";
import type { MessageSide } from "./change.js";

/** The keyword of members that messages of a side must not have. */
export const FORBIDDING = { request: "readOnly", response: "writeOnly" } as const;

/** Stands beside `not` for a member that is forbidden by its direction. */
export const FORBIDDEN_BY = "x-forbidden-by";

/** Stands for `nullable`. */
export const NULLABLE = "review:nullable";

const REWRITTEN = new Set(["readOnly", "writeOnly", "unevaluatedProperties", "nullable"]);

/** The same contract if nothing has to be rewritten. */
export function toReviewed(contract: Contract, side: MessageSide): Contract {
  return viewsOf(contract)[side];
}

const viewsOf = memoize((contract: Contract): Record<MessageSide, Contract> => {
  const written = contract.file.value as OpenApiDocument;
  const isRewritten = [...walkContract(written)].some(
    ({ pointer, value }) => !isNameMap(pointer) && Object.keys(value).some((key) => REWRITTEN.has(key)),
  );
  if (contract.unchecked.length === 0 && !isRewritten) return { request: contract, response: contract };
  return { request: toView(contract, written, "request"), response: toView(contract, written, "response") };
});

function toView(contract: Contract, written: OpenApiDocument, side: MessageSide): Contract {
  const view = createContract({ ...contract.file, value: rewrite(written, [], written, side) });
  return { ...view, file: contract.file, unchecked: contract.unchecked };
}

function rewrite(value: unknown, pointer: Pointer, document: OpenApiDocument, side: MessageSide): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => rewrite(item, [...pointer, index], document, side));
  const isMap = isNameMap(pointer);
  const entries = Object.entries(value).map(([key, child]) => {
    const isValue = isData(key, pointer) || (!isMap && (key === "const" || key === "enum"));
    const name = key === "nullable" && !isMap ? NULLABLE : key;
    return [name, isValue ? child : rewrite(child, [...pointer, key], document, side)];
  });
  const copy: SchemaObject = Object.fromEntries(entries);
  if (isMap) return copy;
  const schema = value as SchemaObject;
  return closeUnevaluated(forbidMembers(copy, schema, document, side), schema, document, pointer);
}

function forbidMembers(
  copy: SchemaObject,
  { properties = {} }: SchemaObject,
  document: OpenApiDocument,
  side: MessageSide,
): SchemaObject {
  const keyword = FORBIDDING[side];
  const isForbidden = (member: unknown) => partsOf(document, member).some((part) => part[keyword] === true);
  const names = Object.keys(properties).filter((name) => isForbidden(properties[name]));
  if (names.length === 0) return copy;
  const forbidden = names.map((name) => {
    return [name, { ...copy.properties?.[name], not: {}, [FORBIDDEN_BY]: keyword }];
  });
  return {
    ...copy,
    properties: { ...copy.properties, ...Object.fromEntries(forbidden) },
    ...(copy.required ? { required: copy.required.filter((name) => !names.includes(name)) } : {}),
  };
}

/** Keywords that evaluate members depending on the value. */
const BRANCHES = ["anyOf", "oneOf", "if", "dependentSchemas", "$dynamicRef"];

function closeUnevaluated(
  copy: SchemaObject,
  schema: SchemaObject,
  document: OpenApiDocument,
  pointer: Pointer,
): SchemaObject {
  const { unevaluatedProperties: others, ...rest } = copy;
  if (others === undefined) return copy;
  const parts = partsOf(document, schema);
  if (parts.some((part) => BRANCHES.some((keyword) => keyword in part))) return copy;
  const isOpen = ({ additionalProperties, unevaluatedProperties }: SchemaObject) =>
    additionalProperties !== undefined || unevaluatedProperties !== undefined;
  if ("additionalProperties" in schema || parts.some((part) => part !== schema && isOpen(part))) return rest;
  const evaluated = (keyword: "properties" | "patternProperties") =>
    Object.fromEntries(parts.flatMap((part) => Object.keys(part[keyword] ?? {})).map((name) => [name, {}]));
  const closing: SchemaObject = {
    properties: evaluated("properties"),
    patternProperties: evaluated("patternProperties"),
    additionalProperties: others,
    "x-place": [...pointer],
  } as unknown as SchemaObject;
  return { ...rest, allOf: [...(rest.allOf ?? []), closing] };
}

/** A schema, and those that it refers to or has in `allOf`. */
function partsOf(document: OpenApiDocument, schema: unknown, parts: Set<SchemaObject> = new Set()): SchemaObject[] {
  if (typeof schema !== "object" || schema === null || parts.has(schema as SchemaObject)) return [...parts];
  parts.add(schema as SchemaObject);
  const { $ref, allOf = [] } = schema as SchemaObject;
  const targets = typeof $ref === "string" ? [valueAt(document, toPointer($ref))] : [];
  for (const part of [...targets, ...allOf]) partsOf(document, part, parts);
  return [...parts];
}
