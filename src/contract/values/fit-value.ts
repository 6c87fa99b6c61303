// Fits a value to a schema: adds required members that it lacks as samples, and removes members that a closed
// schema lacks. Everything else stays, valid or not.
import { mapDefined } from "../lists.js";
import type { Schema } from "../schema.js";
import { sampleOf } from "./example.js";

/** Decides which samples are added, so that they stay the same. */
export interface SampleSource {
  /** The parameters of the path, such as the subscriber. */
  path: string;
  /** Method and target, for values without path and record. */
  request: string;
}

export function fitValue(schema: Schema, value: unknown, source: SampleSource): unknown {
  return adapt(schema, value, { place: source.path || source.request, path: source.path });
}

interface SamplePlace {
  /** Identifies the value: its samples are generated from it. */
  place: string;
  path: string;
}

function adapt(schema: Schema, value: unknown, { place, path }: SamplePlace): unknown {
  if (typeof value !== "object" || value === null) return value;
  const branch = branchOf(schema, value);
  if (Array.isArray(value)) {
    return value.map((item, index) => adapt(branch.item(index), item, { place: `${place}/${index}`, path }));
  }
  const record = (value as { _id?: unknown })._id;
  const own = typeof record === "string" ? `${path} ${record}` : place;
  const memberOf = (name: string) => {
    const member = branch.member(name);
    return member?.isHiddenIn("response") ? undefined : member;
  };
  const entries = mapDefined(Object.entries(value), ([name, member]) => {
    const memberSchema = memberOf(name);
    return memberSchema ? [name, adapt(memberSchema, member, { place: `${own}/${name}`, path })] : undefined;
  });
  const missing = branch.required.filter((name) => !Object.hasOwn(value, name));
  const added = mapDefined(missing, (name) => {
    const memberSchema = memberOf(name);
    // An example would be the same for all.
    if (name === "id" && record !== undefined && memberSchema?.allows(record)) return [name, record];
    const sample = memberSchema && sampleOf(memberSchema, `${own}/${name}`, { direction: "response" });
    return sample === undefined ? undefined : [name, sample];
  });
  return Object.fromEntries([...entries, ...added]);
}

/** The first alternative whose types and constants a value has. */
function branchOf(schema: Schema, value: object): Schema {
  return schema.alternatives.find((alternative) => isFitting(alternative, value)) ?? schema;
}

function isFitting(schema: Schema, value: object): boolean {
  if (!schema.types.includes(Array.isArray(value) ? "array" : "object")) return false;
  return [...schema.members].every(([name, member]) => {
    const { enum: values } = member.flat;
    return (
      !Array.isArray(values) || !Object.hasOwn(value, name) || values.includes((value as Record<string, unknown>)[name])
    );
  });
}
