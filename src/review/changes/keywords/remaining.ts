// The keywords that no other rule knows. That they differ is seen, what it means is not: a witness has to tell.
import type { NarrowingRule } from "../narrowing.js";
import { sampleOf } from "../sample.js";
import { written } from "../schema-view.js";

const KEYWORDS = [
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "prefixItems",
  "contains",
  "minContains",
  "maxContains",
]
  .concat("patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "unevaluatedItems")
  .concat("unevaluatedProperties", "contentEncoding", "contentMediaType", "discriminator", "$dynamicRef", "nullable")
  .concat("readOnly", "writeOnly");

/** What they say may allow more, so that a contract without them may be the narrower one. */
const WIDENING = new Set(["patternProperties", "minContains", "nullable", "discriminator", "$dynamicRef"]);

export const compareRemaining: NarrowingRule = (from, to) =>
  KEYWORDS.flatMap((keyword) => {
    const [before, after] = [from, to].map((view) => written(view, keyword).map(({ value }) => value)) as [
      unknown[],
      unknown[],
    ];
    if ((after.length === 0 && !WIDENING.has(keyword)) || JSON.stringify(before) === JSON.stringify(after)) return [];
    const mutate = (current: unknown) => [current, sampleOf(from), null, "text", 0, true, [], {}];
    return [{ keyword, from: before[0], to: after[0], isCertain: false, mutate }];
  });
