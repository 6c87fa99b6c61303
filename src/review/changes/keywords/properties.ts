// properties, required and additionalProperties: which members an object has, must have and may have besides.
import type { Descent, KeywordNarrowing, NarrowingRule } from "../narrowing-rule.js";
import { sampleValue } from "../sample-value.js";
import { EACH_MEMBER, keywordValues, memberNames, memberOf, type SchemaView, typesOf, viewOf } from "../schema-view.js";

const UNKNOWN_NAME = "unknownMember";

export const compareProperties: NarrowingRule = (from, to) => {
  if (!typesOf(from).includes("object") || !typesOf(to).includes("object")) return [];
  const required = requiredNames(from);
  const newlyRequired: KeywordNarrowing[] = requiredNames(to)
    .filter((name) => !required.includes(name))
    .map((name) => ({ keyword: "required", from: undefined, to: name, mutate: (current) => [without(current, name)] }));
  const forbidden: KeywordNarrowing[] = memberNames(from)
    .filter((name) => memberOf(from, name) && !memberOf(to, name))
    .map((name) => ({
      keyword: "properties",
      from: name,
      to: undefined,
      mutate: (current) => [add(current, name, from)],
    }));
  const isClosed = !memberOf(to, UNKNOWN_NAME) && memberOf(from, UNKNOWN_NAME) !== undefined;
  const closed: KeywordNarrowing = {
    ...{ keyword: "additionalProperties", from: true, to: false },
    mutate: (current) => [add(current, UNKNOWN_NAME, from)],
  };
  return [...newlyRequired, ...forbidden, ...(isClosed ? [closed] : [])];
};

export const descendIntoProperties: Descent = (from, to, visit) => {
  if (!typesOf(from).includes("object")) return;
  for (const name of new Set([...memberNames(from), ...memberNames(to)])) {
    const [before, after] = [memberOf(from, name), memberOf(to, name)];
    if (before && after) visit(name, before, after);
  }
  const [before, after] = [memberOf(from, UNKNOWN_NAME), memberOf(to, UNKNOWN_NAME)];
  if (before && after && after.conjuncts.length > 0) visit(EACH_MEMBER, before, after);
};

function requiredNames(view: SchemaView): string[] {
  return keywordValues<string[]>(view, "required").flat();
}

function without(current: unknown, name: string): unknown {
  const { [name]: _omitted, ...rest } = (current ?? {}) as Record<string, unknown>;
  return rest;
}

function add(current: unknown, name: string, view: SchemaView): unknown {
  return { ...(current as object), [name]: sampleValue(memberOf(view, name) ?? viewOf(view.contract)) };
}
