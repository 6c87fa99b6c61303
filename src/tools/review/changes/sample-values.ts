// Values of resolved schemas, and whole messages with another value in them. Which values are tried: contract/values.
import { smallestValue } from "../../../contract/values/example.js";
import { type LocatedSchema, matchingNames as namesMatching, tellingValues } from "../../../contract/values/telling.js";
import { EACH_ITEM } from "../../usage/contract-members.js";
import { memberOf, type ResolvedSchema, stepInto, toWhole } from "./resolved-schema.js";

function toLocated(resolved: ResolvedSchema): LocatedSchema {
  const { contract, schema } = toWhole(resolved);
  return { document: contract.document, schema };
}

/** A value that a schema allows, as small as may be. Where none is found, any value. */
export function sampleValue(resolved: ResolvedSchema): unknown {
  const { document, schema } = toLocated(resolved);
  return smallestValue(document, schema);
}

/** A value of a member, if the schema says anything about it. */
export function sampleMember(schema: ResolvedSchema, name: string): unknown {
  const member = memberOf(schema, name);
  return member && member.parts.length > 0 ? sampleValue(member) : "x";
}

/** Values that tell the schemas from each other, whichever of them allows them. */
export function sampleValues(schemas: readonly ResolvedSchema[]): unknown[] {
  return tellingValues(schemas.map(toLocated));
}

/** A name for each pattern that a schema has for names. */
export function matchingNames(schema: ResolvedSchema): string[] {
  return namesMatching(toLocated(schema));
}

/** The value with another part at a path; `undefined` omits it. Missing parents are created. */
export function withPart(
  value: unknown,
  schema: ResolvedSchema | undefined,
  path: readonly string[],
  part: unknown,
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  const whole = value === undefined && schema ? sampleValue(schema) : value;
  const below = (old: unknown) => withPart(old, schema && stepInto(schema, step), rest, part);
  if (step === EACH_ITEM) {
    const [first, ...others] = Array.isArray(whole) ? whole : [];
    return [below(first), ...others];
  }
  const { [step]: old, ...others } = (typeof whole === "object" ? whole : {}) as Record<string, unknown>;
  const member = below(old);
  return member === undefined ? others : { ...others, [step]: member };
}
