// Copies schemas for a library that reads them in a document of its own.
import { isAnnotation } from "./annotations.js";
import { childrenOf, mapParts } from "./grammar.js";
import { isObject } from "./json.js";
import { parseReference, valueAt } from "./pointer.js";
import { flatten } from "./schema-node.js";

/** A schema as it stands in a document. */
export type SchemaNode = object | boolean;

/** A request must not have read-only members, a response no write-only ones; neither is required to have them. */
export type Direction = "request" | "response";

/** The keyword of the members that messages of a direction must not have. */
export const HIDDEN_BY: Readonly<Record<Direction, string>> = { request: "readOnly", response: "writeOnly" };

export interface CopyOptions {
  /** Where references lead. */
  document: object;
  direction: Direction | undefined;
  /** False for an assertion that the library must not get. It never gets annotations. */
  isKept?(keyword: string, value: unknown): boolean;
  /** The reference in the library's document to the copy of this number. */
  toReference(number: number): string;
  /** Adds the copy of this number to the library's document. */
  add(number: number, copy: SchemaNode): void;
}

export type CopySchema = (schema: SchemaNode) => SchemaNode;

/**
 * Creates the function that copies a schema. What a schema refers to is added to the library's document, and so is a
 * part that stands in several places, as through an alias of YAML.
 */
export function createCopy({ document, direction, isKept = () => true, toReference, add }: CopyOptions): CopySchema {
  const references = new Map<SchemaNode, string>();
  const copied = new Set<object>();
  return (schema) => copyPart(schema, []);

  function refer(target: SchemaNode = true): string {
    const known = references.get(target);
    if (known !== undefined) return known;
    const number = references.size;
    const reference = toReference(number);
    references.set(target, reference); // first, since a schema may contain itself
    if (isObject(target)) copied.add(target);
    add(number, copy(target, []));
    return reference;
  }

  /** @param hidden members that the schema around hides. */
  function copyPart(part: SchemaNode, hidden: readonly string[]): SchemaNode {
    if (!isObject(part) || hidden.length > 0) return copy(part, hidden);
    if (copied.has(part)) return { $ref: refer(part) };
    const isLeaf = childrenOf("schema", part).next().done; // to follow a reference would cost more
    if (!isLeaf) copied.add(part);
    return copy(part, []);
  }

  function copy(schema: SchemaNode, hidden: readonly string[]): SchemaNode {
    if (!isObject(schema)) return schema as boolean;
    const names = direction ? [...hidden, ...hiddenNames(document, schema, direction)] : [];
    const kept = Object.entries(schema).filter(
      ([keyword, value]) => isAssertion(keyword, direction) && isKept(keyword, value),
    );
    const result = mapParts("schema", Object.fromEntries(kept), ({ path, value }) =>
      copyPart(value as SchemaNode, path[0] === "allOf" ? names : []),
    );
    if (isObject(result.properties)) moveProto(result, result.properties);
    if (typeof result.$ref === "string")
      result.$ref = refer(valueAt(document, parseReference(result.$ref)) as SchemaNode);
    if (names.length > 0 && Array.isArray(result.required))
      result.required = result.required.filter((name) => !names.includes(name));
    return BRANCHES.some((keyword) => keyword in result) ? separatePatterns(result) : result;
  }
}

/** Ajv skips a member called `__proto__`, but no pattern that matches it. */
function moveProto(copy: Record<string, unknown>, members: Record<string, unknown>): void {
  if (!Object.hasOwn(members, "__proto__")) return;
  const { ["__proto__"]: own, ...others } = members;
  copy.properties = others;
  copy.patternProperties = { ...(copy.patternProperties as object | undefined), "^__proto__$": own };
}

const BRANCHES = ["anyOf", "oneOf", "if", "dependentSchemas"];

/**
 * Ajv 8.20 throws for `patternProperties` beside branches of which one with `properties` does not match: it notes the
 * members that they evaluate in a variable that is not set then.
 */
function separatePatterns(schema: Record<string, unknown>): Record<string, unknown> {
  if (schema.patternProperties === undefined) return schema;
  const isOfMembers = ([keyword]: [string, unknown]) => OBJECT_KEYWORDS.includes(keyword);
  const entries = Object.entries(schema);
  const ofMembers = Object.fromEntries(entries.filter(isOfMembers));
  const others = Object.fromEntries(entries.filter((entry) => !isOfMembers(entry)));
  return { ...others, allOf: [...((schema.allOf as object[] | undefined) ?? []), ofMembers] };
}

const OBJECT_KEYWORDS = ["properties", "patternProperties", "additionalProperties"]; // they act together

/** The members that a message of this direction must not have. */
function hiddenNames(document: object, schema: SchemaNode, direction: Direction): string[] {
  const members = Object.entries(flatten(document, schema).properties ?? {});
  const isHidden = (member: unknown) => flatten(document, member)[HIDDEN_BY[direction]] === true;
  return members.filter(([, member]) => isHidden(member)).map(([name]) => name);
}

/** True for a keyword that decides about values in this direction. */
function isAssertion(keyword: string, direction: Direction | undefined): boolean {
  if (keyword === "readOnly" || keyword === "writeOnly")
    return direction !== undefined && HIDDEN_BY[direction] === keyword;
  return !isAnnotation(keyword);
}
