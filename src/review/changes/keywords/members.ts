// properties, required and additionalProperties: which members an object has, must have and may have besides.
import type { Descent, NarrowingRule, RuleFinding } from "../narrowing.js";
import { sampleOf } from "../sample.js";
import { EACH_MEMBER, memberNames, memberOf, type SchemaView, typesOf, viewOf, written } from "../schema-view.js";

const UNKNOWN_NAME = "unknownMember";

const rule: NarrowingRule = (from, to) => {
  if (!typesOf(from).includes("object") || !typesOf(to).includes("object")) return [];
  const required = requiredOf(from);
  const demanded: RuleFinding[] = requiredOf(to)
    .filter((name) => !required.includes(name))
    .map((name) => ({ keyword: "required", from: undefined, to: name, mutate: (current) => [without(current, name)] }));
  const refused: RuleFinding[] = memberNames(from)
    .filter((name) => memberOf(from, name) && !memberOf(to, name))
    .map((name) => ({
      keyword: "properties",
      from: name,
      to: undefined,
      mutate: (current) => [add(current, name, from)],
    }));
  const isClosed = !memberOf(to, UNKNOWN_NAME) && memberOf(from, UNKNOWN_NAME) !== undefined;
  const mutate = (current: unknown) => [add(current, UNKNOWN_NAME, from)];
  return [
    ...demanded,
    ...refused,
    ...(isClosed ? [{ keyword: "additionalProperties", from: true, to: false, mutate }] : []),
  ];
};

const descend: Descent = (from, to, go) => {
  if (!typesOf(from).includes("object")) return;
  for (const name of new Set([...memberNames(from), ...memberNames(to)])) {
    const [before, after] = [memberOf(from, name), memberOf(to, name)];
    if (before && after) go(name, before, after);
  }
  const [before, after] = [memberOf(from, UNKNOWN_NAME), memberOf(to, UNKNOWN_NAME)];
  if (before && after && after.conjuncts.length > 0) go(EACH_MEMBER, before, after);
};

export const compareMembers = { rule, descend };

function requiredOf(view: SchemaView): string[] {
  return written<string[]>(view, "required").flatMap(({ value }) => value);
}

function without(current: unknown, name: string): unknown {
  const { [name]: _gone, ...rest } = (current ?? {}) as Record<string, unknown>;
  return rest;
}

function add(current: unknown, name: string, view: SchemaView): unknown {
  return { ...(current as object), [name]: sampleOf(memberOf(view, name) ?? viewOf(view.contract)) };
}
