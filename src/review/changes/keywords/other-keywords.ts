// Keywords without a rule of their own. That they differ is certain, what it means is not: a witness has to decide.
import type { NarrowingRule } from "../narrowing-rule.js";
import { sampleValue } from "../sample-value.js";
import { keywordValues } from "../schema-view.js";

const KEYWORDS = `anyOf oneOf not if then else prefixItems contains minContains maxContains patternProperties
  propertyNames dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties contentEncoding
  contentMediaType discriminator $dynamicRef nullable readOnly writeOnly`.split(/\s+/);

/** They may allow more, so that a contract without them may be the narrower one. */
const WIDENING = new Set(["patternProperties", "minContains", "nullable", "discriminator", "$dynamicRef"]);

export const compareOtherKeywords: NarrowingRule = (from, to) =>
  KEYWORDS.flatMap((keyword) => {
    const [before, after] = [keywordValues(from, keyword), keywordValues(to, keyword)];
    if ((after.length === 0 && !WIDENING.has(keyword)) || JSON.stringify(before) === JSON.stringify(after)) return [];
    const mutate = (current: unknown) => [current, sampleValue(from), null, "text", 0, true, [], {}];
    return [{ keyword, from: before[0], to: after[0], isCertain: false, mutate }];
  });
