// Fits a value to a schema: adds required members that it lacks as samples, and removes members that a closed
// schema lacks. Everything else stays, valid or not.
import { mapDefined } from "../lists.js";
import { sampleOf } from "../sample/sample.js";
import type { Schema } from "../schema.js";

/** Decides which samples are added, so that they stay the same. */
export interface SampleSource {
  /** The parameters of the path, such as the subscriber. */
  path: string;
  /** Method and target, for values without path and record. */
  request: string;
  /** The handler's own schema of the value. */
  own?: Schema | undefined;
}

export function fitValue(schema: Schema, value: unknown, source: SampleSource): unknown {
  return adapt(schema, value, { place: source.path || source.request, path: source.path, own: source.own });
}

/** True if a member that the handler leaves out may be `null`: a sample would say that there is a value. */
export function isAbsentAsNull(schema: Schema, own: Schema | undefined, name: string): boolean {
  return own?.members.has(name) === true && schema.member(name)?.allows(null) === true;
}

interface SamplePlace {
  /** Identifies the value: its samples are generated from it. */
  place: string;
  path: string;
  own: Schema | undefined;
}

function adapt(schema: Schema, value: unknown, { place, path, own }: SamplePlace): unknown {
  if (typeof value !== "object" || value === null) return value;
  const branch = branchOf(schema, value);
  if (Array.isArray(value)) {
    const ownItem = own?.flat.items ? own.items : undefined;
    return value.map((item, index) =>
      adapt(branch.item(index), item, { place: `${place}/${index}`, path, own: ownItem }),
    );
  }
  const record = (value as { _id?: unknown })._id;
  const owner = typeof record === "string" ? `${path} ${record}` : place;
  const memberOf = (name: string) => {
    const member = branch.member(name);
    return member?.isHiddenIn("response") ? undefined : member;
  };
  const entries = mapDefined(Object.entries(value), ([name, member]) => {
    const memberSchema = memberOf(name);
    const inner = { place: `${owner}/${name}`, path, own: own?.members.get(name) };
    return memberSchema ? [name, adapt(memberSchema, member, inner)] : undefined;
  });
  const missing = branch.required.filter((name) => !Object.hasOwn(value, name));
  const added = mapDefined(missing, (name) => {
    const memberSchema = memberOf(name);
    if (memberSchema && isAbsentAsNull(branch, own, name)) return [name, null];
    // An example would be the same for all.
    if (name === "id" && record !== undefined && memberSchema?.allows(record)) return [name, record];
    const sample = memberSchema && sampleOf(memberSchema, `${owner}/${name}`, { direction: "response" });
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
