// Changes a value at one place, so that it shows a narrowing there. What is missing on the way is made.
import type { Narrowing } from "./narrowing.js";
import { sampleOf } from "./sample.js";
import { EACH_ITEM, EACH_MEMBER, type SchemaView, stepInto } from "./schema-view.js";

export function mutateAt(
  value: unknown,
  view: SchemaView,
  { path, mutate }: Pick<Narrowing, "path" | "mutate">,
): unknown[] {
  const [step, ...rest] = path;
  const present = value === undefined ? sampleOf(view) : value;
  if (step === undefined) return mutate(present);
  const below = stepInto(view, step);
  const go = (part: unknown) => mutateAt(part, below, { path: rest, mutate });
  if (step === EACH_ITEM) {
    const [first, ...others] = Array.isArray(present) ? present : [];
    return go(first).map((part) => [part, ...others]);
  }
  const object = typeof present === "object" && present !== null ? (present as Record<string, unknown>) : {};
  const name = step === EACH_MEMBER ? (Object.keys(object)[0] ?? "anyMember") : step;
  return go(object[name]).map((part) => ({ ...object, [name]: part }));
}
