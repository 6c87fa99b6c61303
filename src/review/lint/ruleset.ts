// The rules that the contract is held to: Spectral's for OpenAPI, its OWASP ones, and ours. What does not fit this
// contract is switched off or narrowed here, with the reason; the report shows both.
import { createRequire } from "node:module";
import type { IFunction, RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import type { OpenApiDocument } from "../../contract/openapi-document.js";
import { eachError } from "./each-error.js";
import type { LintRule } from "./lint-rule.js";
import { mishandled } from "./mishandled.js";
import { provenance } from "./provenance.js";
import { shownByExample } from "./shown-by-example.js";

const { oas } = spectralRulesets;
// Its ES module imports names that spectral-core, which is CommonJS, does not give: Node refuses it (2.0.1).
const owasp = createRequire(import.meta.url)("@stoplight/spectral-owasp-ruleset") as Ruleset;

/** Spectral's rulesets, as far as they are read here. */
interface Ruleset {
  rules: Record<string, object>;
}

export const OURS: Readonly<Record<string, { says: string; rule: LintRule }>> = {
  provenance: {
    says: "Every parameter, property, response and header has a source or a decision; the ids exist and are used.",
    rule: provenance,
  },
  "each-error": { says: "Each operation has each error that it can give.", rule: eachError },
  "shown-by-example": {
    says: "Every schema, parameter, header, body and response has an example. idempotency-key has none, since its value must be new for each request.",
    rule: shownByExample,
  },
  mishandled: { says: "Nothing is used that one of our tools gets wrong.", rule: mishandled },
};

/** Rules that are switched off, and why. */
export const OFF: Readonly<Record<string, string>> = {
  "info-contact": "The document names nobody to contact.",
  "license-url": "The licence is named by its SPDX identifier; OpenAPI 3.1 forbids a URL beside it.",
  "openapi-tags-alphabetical": "Operations stand in the document's order: A, then B.",
  "owasp:api4:2023-string-limit":
    "The document bounds no text. Requests are bounded as a whole: the body by D-52, the rest by the HTTP server's 16 kB.",
  "owasp:api4:2023-string-restricted": "As string-limit: names, messages and texts of people have no form to check.",
  "owasp:api4:2023-integer-format": "int32 and int64 check nothing in JSON Schema 2020-12; the bounds do.",
  "owasp:api4:2023-integer-limit":
    "The document bounds `page` from below only (§8), and counters of answers have no end.",
  "owasp:api8:2023-define-cors-origin":
    "CORS is no part of the contract: the servers answer any origin, on every answer.",
  "owasp:api9:2023-inventory-access": "`x-internal` is another tool's extension; the document knows one audience.",
};

/** Rules that look at less than they could, and why. */
export const NARROWED: Readonly<Record<string, { from: Ruleset; given: string | string[]; because: string }>> = {
  "duplicated-entry-in-enum": {
    from: oas as unknown as Ruleset,
    given: "$..[?(@property !== 'properties' && @ && @.enum && @.enum.constructor.name === 'Array')]",
    because: "The rule's own path breaks off at a null in an example (spectral-rulesets 1.22).",
  },
  "owasp:api4:2023-array-limit": {
    from: owasp,
    given: "$.components.parameters[?(@ && @.schema && @.schema.type === 'array')].schema",
    because:
      "Lists in requests are bounded. Those in answers are as long as what they tell, and a page of them is bounded.",
  },
  "owasp:api8:2023-no-server-http": {
    from: owasp,
    given: "$.servers[?(@ && @.url && !@.url.match(/^http:.{2}127[.]0[.]0[.]1:/))].url",
    because: "On loopback there is no network to eavesdrop on.",
  },
  "owasp:api4:2023-rate-limit": {
    from: owasp,
    given: "$.paths[*]..responses[?(@property.match(/^(2|40[^1]|4[^0])/))]",
    because: "401 comes before the rate limit is looked at (D-47, D-54).",
  },
};

export function createRuleset(): RulesetDefinition {
  const own = Object.entries(OURS).map(([name, { rule, says }]) => [name, toRule(rule, says)]);
  const off = Object.keys(OFF).map((name) => [name, "off"]);
  const narrowed = Object.entries(NARROWED).map(([name, { from, given }]) => [name, { ...from.rules[name], given }]);
  const extended = [
    [oas, "all"],
    [owasp, "all"],
  ];
  // Its own type has no room for rules that are objects of another ruleset.
  return {
    extends: extended,
    rules: Object.fromEntries([...own, ...off, ...narrowed]),
  } as unknown as RulesetDefinition;
}

function toRule(rule: LintRule, description: string): object {
  const check: IFunction = (document) =>
    rule(document as OpenApiDocument).map(({ message, pointer }) => ({ message, path: [...pointer] }));
  return {
    ...{ given: "$", resolved: false, severity: "error", description, message: "{{error}}" },
    // biome-ignore lint/suspicious/noThenProperty: Spectral's word; nobody awaits a rule
    then: { function: check },
  };
}
