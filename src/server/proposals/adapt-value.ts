// A value brought into the form that a schema of the served contract asks for: required members that it lacks are added as
// samples, members that a closed schema lacks are removed. Everything else stays, valid or not.
import type { OpenApiDocument, SchemaObject } from "../../contract/openapi-document.js";
import { flatten, schemasOfMember } from "../../contract/schema-flatten.js";
import { sampleValue } from "../../contract/values/example.js";

/** Added values depend on these. */
export interface Origin {
  /** The request's path: the same subscriber has the same values. */
  path: string;
  /** Stands for the request if neither its path nor a record says whose value it is. */
  request: string;
}

export function adaptValue(document: OpenApiDocument, schema: unknown, value: unknown, origin: Origin): unknown {
  return adapt(document, schema, value, { place: origin.path || origin.request, path: origin.path });
}

interface Place {
  /** Names the value for the samples. */
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

/** With the alternative that fits a value: the first one whose types and constants it has. */
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
