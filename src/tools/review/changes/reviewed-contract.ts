// A contract as the review reads it. The other tools leave out what they do not support; the review compares
// everything. Three things are put into keywords that it knows, so that validator and proofs understand them:
//   readOnly, writeOnly    a member that a request, or a response, must not have is `false`, and not required
//   unevaluatedProperties  becomes `additionalProperties` where `$ref` and `allOf` alone name the members
//   nullable               is renamed: it has no effect in OpenAPI 3.1, but the validator would apply it
import { type Contract, createContract } from "../../../contract/contract.js";
import { type Kind, mapParts, walkNodes } from "../../../contract/grammar.js";
import { isObject } from "../../../contract/json.js";
import { memoize } from "../../../contract/memoize.js";
import type { Pointer } from "../../../contract/pointer.js";
import { createSchemas, type SchemaObject } from "../../../contract/schema.js";
import { HIDDEN_BY, type SchemaNode } from "../../../contract/schema-node.js";
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
  const written = contract.file.value as object;
  const schemaOf = createSchemas({ document: written, pointerOf: () => undefined, errorsOf: () => [] });
  const view = createContract({ ...contract.file, value: rewrite(written, "document", []) });
  return { ...view, file: contract.file, unchecked: contract.unchecked };

  function rewrite(part: unknown, kind: Kind, pointer: Pointer): unknown {
    if (!isObject(part)) return part;
    const copy = mapParts(kind, part, (child) => rewrite(child.value, child.kind, [...pointer, ...child.path]));
    if (kind !== "schema") return copy;
    const { nullable, ...schema } = copy;
    forbidMembers(schema, part);
    closeUnevaluated(schema, part, pointer);
    return nullable === undefined ? schema : { ...schema, [NULLABLE]: nullable };
  }

  function forbidMembers(copy: SchemaObject, { properties = {} }: SchemaObject): void {
    const names = Object.keys(properties).filter((name) => schemaOf(properties[name] as SchemaNode).isHiddenIn(side));
    const forbidden = names.map((name) => {
      return [name, { ...copy.properties?.[name], not: {}, [FORBIDDEN_BY]: HIDDEN_BY[side] }];
    });
    if (names.length > 0) copy.properties = { ...copy.properties, ...Object.fromEntries(forbidden) };
    if (copy.required) copy.required = copy.required.filter((name) => !names.includes(name));
  }

  function closeUnevaluated(copy: SchemaObject, schema: SchemaObject, pointer: Pointer): void {
    const { unevaluatedProperties: written, ...rest } = schema;
    const { unevaluatedProperties: unevaluated } = copy;
    const flat = schemaOf(rest).flat;
    if (written === undefined || BRANCHES.some((keyword) => keyword in flat)) return;
    delete copy.unevaluatedProperties;
    if (flat.additionalProperties !== undefined) return; // it evaluates all members
    const evaluated = (members: object = {}) => Object.fromEntries(Object.keys(members).map((name) => [name, {}]));
    const closing = {
      properties: evaluated(flat.properties),
      patternProperties: evaluated(flat.patternProperties as object | undefined),
      additionalProperties: unevaluated as SchemaNode,
      "x-place": pointer,
    };
    copy.allOf = [...(copy.allOf ?? []), closing as SchemaObject];
  }
}

/** Keywords that evaluate members depending on the value, or in a way that could not be merged. */
const BRANCHES = ["anyOf", "oneOf", "if", "dependentSchemas", "allOf"];
