// Adapts a value to a schema of the served contract: adds required members that it lacks as samples, and removes members that a closed
// schema lacks. Everything else stays, valid or not.
import type { OpenApiDocument, SchemaObject } from "../../contract/openapi-document.js";
import { flatten, schemasOfMember } from "../../contract/schema-flatten.js";
import { sampleValue } from "../../contract/values/example.js";

/** Decides which samples are added, so that they stay the same. */
export interface Origin {
  /** The parameters of the path, such as the subscriber. */
  path: string;
  /** Method and target, for values without path and record. */
  request: string;
}

export function adaptValue(document: OpenApiDocument, schema: unknown, value: unknown, origin: Origin): unknown {
  return adapt(document, schema, value, { place: origin.path || origin.request, path: origin.path });
}

interface Place {
  /** Identifies the value: its samples are generated from it. */
  place: string;
  path: string;
}

function adapt(document: OpenApiDocument, schema: unknown, value: unknown, { place, path }: Place): unknown {
  if (typeof value !== "object" || value === null) return value;
  const flat = branchOf(document, flatten(document, schema), value);
  if (Array.isArray(value)) {
    return value.map((item, index) => adapt(document, flat.items, item, { place: `${place}/${index}`, path }));
  }
  const record = (value as { _id?: unknown })._id;
  const own = typeof record === "string" ? `${path} ${record}` : place;
  const properties = flat.properties ?? {};
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const [memberSchema] = schemasOfMember(flat, name);
    return memberSchema === false
      ? []
      : [[name, adapt(document, memberSchema, member, { place: `${own}/${name}`, path })]];
  });
  const missing = (flat.required ?? []).filter((name) => !Object.hasOwn(value, name));
  const added = missing.flatMap((name) => {
    const sample = sampleValue(document, properties[name] ?? {}, `${own}/${name}`);
    return sample === undefined ? [] : [[name, sample]];
  });
  return Object.fromEntries([...entries, ...added]);
}

const branches = new WeakMap<SchemaObject, SchemaObject[]>();

/** Merges in the first alternative whose types and constants a value has. */
function branchOf(document: OpenApiDocument, flat: SchemaObject, value: object): SchemaObject {
  const { oneOf, anyOf = oneOf, ...rest } = flat as { oneOf?: unknown[]; anyOf?: unknown[] };
  if (!Array.isArray(anyOf)) return flat;
  const alternatives = branches.get(flat) ?? anyOf.map((branch) => flatten(document, { allOf: [rest, branch] }));
  branches.set(flat, alternatives);
  return alternatives.find((branch) => isFitting(document, branch, value)) ?? flat;
}

function isFitting(document: OpenApiDocument, { type, properties = {} }: SchemaObject, value: object): boolean {
  const ownType = Array.isArray(value) ? "array" : "object";
  if (type !== undefined && ![type].flat().includes(ownType)) return false;
  return Object.entries(properties).every(([name, schema]) => {
    const { enum: values } = flatten(document, schema);
    return !Array.isArray(values) || !Object.hasOwn(value, name) || values.includes((value as never)[name]);
  });
}
