// Mutates a value at one place, so that it demonstrates a narrowing there. Missing parents are created.
import type { Narrowing } from "./narrowing-rule.js";
import { sampleValue } from "./sample-value.js";
import { EACH_ITEM, EACH_MEMBER, type SchemaView, stepInto } from "./schema-view.js";

export function mutateValue(
  value: unknown,
  view: SchemaView,
  { path, mutate }: Pick<Narrowing, "path" | "mutate">,
): unknown[] {
  const [step, ...rest] = path;
  const present = value === undefined ? sampleValue(view) : value;
  if (step === undefined) return mutate(present);
  const below = stepInto(view, step);
  const mutatePart = (part: unknown) => mutateValue(part, below, { path: rest, mutate });
  if (step === EACH_ITEM) {
    const [first, ...others] = Array.isArray(present) ? present : [];
    return mutatePart(first).map((part) => [part, ...others]);
  }
  const object = typeof present === "object" && present !== null ? (present as Record<string, unknown>) : {};
  const name = step === EACH_MEMBER ? (Object.keys(object)[0] ?? "anyMember") : step;
  return mutatePart(object[name]).map((part) => ({ ...object, [name]: part }));
}
