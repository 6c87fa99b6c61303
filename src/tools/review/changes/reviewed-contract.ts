// A contract as the review reads it. The other tools leave out what they do not support; the review compares everything. Three
// things are put into keywords that it knows, so that validator and proofs understand them:
//   readOnly, writeOnly    a member that a request, or a response, must not have is `false`, and not required
//   unevaluatedProperties  becomes `additionalProperties` where `$ref` and `allOf` alone name the members
//   nullable               is renamed: it has no effect in OpenAPI 3.1, but the validator would apply it
import { type Contract, createContract } from "../../../contract/contract.js";
import { HIDDEN_BY } from "../../../contract/copy-schema.js";
import { type Kind, mapParts, walkNodes } from "../../../contract/grammar.js";
import { isObject } from "../../../contract/json.js";
import { memoize } from "../../../contract/memoize.js";
import type { OpenApiDocument, SchemaObject } from "../../../contract/openapi-document.js";
import { type Pointer, parseReference, valueAt } from "../../../contract/pointer.js";
import type { MessageSide } from "./change.js";

/** Stands beside `not` for a member that is forbidden by its direction. */
export const FORBIDDEN_BY = "x-forbidden-by";

/** Stands for `nullable`. */
export const NULLABLE = "review:nullable";

const REWRITTEN = new Set(["readOnly", "writeOnly", "unevaluatedProperties", "nullable"]);

/** The same contract if nothing has to be rewritten. */
export function reviewedOf(contract: Contract, side: MessageSide): Contract {
  return viewsOf(contract)[side];
}

const viewsOf = memoize((contract: Contract): Record<MessageSide, Contract> => {
  const nodes = [...walkNodes(contract.file.value)];
  const isRewritten = nodes.some(
    ({ kind, value }) => kind === "schema" && Object.keys(value).some((key) => REWRITTEN.has(key)),
  );
  if (!isRewritten) return { request: contract, response: contract };
  return { request: createView(contract, "request"), response: createView(contract, "response") };
});

function createView(contract: Contract, side: MessageSide): Contract {
  const written = contract.file.value as OpenApiDocument;
  const view = createContract({
    ...contract.file,
    value: rewrite(written, "document", [], { document: written, side }),
  });
  return { ...view, file: contract.file, unchecked: contract.unchecked };
}

interface View {
  document: OpenApiDocument;
  side: MessageSide;
}

function rewrite(part: unknown, kind: Kind, pointer: Pointer, view: View): unknown {
  if (!isObject(part)) return part;
  const copy = mapParts(kind, part, (child) => rewrite(child.value, child.kind, [...pointer, ...child.path], view));
  if (kind !== "schema") return copy;
  const { nullable, ...schema } = copy;
  const whole = nullable === undefined ? schema : { ...schema, [NULLABLE]: nullable };
  const { document, side } = view;
  return closeUnevaluated(forbidMembers(whole, part, document, side), part, document, pointer);
}

function forbidMembers(
  copy: SchemaObject,
  { properties = {} }: SchemaObject,
  document: OpenApiDocument,
  side: MessageSide,
): SchemaObject {
  const keyword = HIDDEN_BY[side];
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
const BRANCHES = ["anyOf", "oneOf", "if", "dependentSchemas"];

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
  const targets = typeof $ref === "string" ? [valueAt(document, parseReference($ref))] : [];
  for (const part of [...targets, ...allOf]) partsOf(document, part, parts);
  return [...parts];
}
