// The lint rules: Spectral's for OpenAPI and for OWASP, and our own. Rules that do not fit this contract are switched
// off or narrowed here, each with a reason that the report shows.
import { createRequire } from "node:module";
import type { RulesetDefinition } from "@stoplight/spectral-core";
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/pointer.js";
import { agreements } from "./agreements.js";
import { requiredExamples, validExamples } from "./example-rules.js";
import { ignoredHeaders, linkedOperations, patternTime, possibleMembers, toolingLimits } from "./pitfalls.js";
import { provenance } from "./provenance.js";

const require = createRequire(import.meta.url);
// The package's other rulesets take a tenth of a second to load.
const { default: oas } = require("@stoplight/spectral-rulesets/dist/oas/index.js") as { default: Ruleset };
// The ES module of 2.0.1 imports names that spectral-core, which is CommonJS, does not export: Node cannot load it.
const owasp = require("@stoplight/spectral-owasp-ruleset") as Ruleset;

interface Ruleset {
  rules: Record<string, object>;
}

export interface LintViolation {
  pointer: Pointer;
  message: string;
  /** Violations of a rule with the same code are one reason; without it, those with the same message. */
  code?: string;
  /** Other places that it is about: what it compares, or what an example violates. */
  about?: readonly Pointer[];
}

export type LintRule = (contract: Contract) => LintViolation[];

export const OWN_RULES: Readonly<Record<string, { rule: LintRule; isWarning?: true }>> = {
  provenance: { rule: provenance },
  "required-examples": { rule: requiredExamples },
  agreements: { rule: agreements },
  "valid-examples": { rule: validExamples },
  "possible-members": { rule: possibleMembers },
  "linked-operations": { rule: linkedOperations },
  "tooling-limits": { rule: toolingLimits },
  "ignored-headers": { rule: ignoredHeaders, isWarning: true },
  "pattern-time": { rule: patternTime, isWarning: true },
};

/** Why each of these rules is switched off. */
export const OFF: Readonly<Record<string, string>> = {
  "info-contact": "The document names no contact.",
  "license-url": "The licence is named by its SPDX identifier; OpenAPI 3.1 forbids a URL beside it.",
  "openapi-tags-alphabetical": "Operations are in the document's order: A, then B.",
  "duplicated-entry-in-enum": "It throws where an example is null, and compares each value with each.",
  "oas3-schema": "Loading the contract has checked it by OpenAPI's own schema.",
  "oas3-valid-media-example": "`valid-examples` and the replay check the same examples in a tenth of the time.",
  "oas3-valid-schema-example": "`valid-examples` checks the same examples in a tenth of the time.",
  "owasp:api4:2023-string-limit":
    "The document limits no string. Requests are limited as a whole: the body by D-52, the rest by the HTTP server's 16 kB.",
  "owasp:api4:2023-string-restricted": "Names, messages and texts of people have no pattern to check.",
  "owasp:api4:2023-integer-format": "int32 and int64 check nothing in JSON Schema 2020-12; the bounds do.",
  "owasp:api4:2023-integer-limit":
    "`page` has no maximum in the document (§8), and neither do the counters of responses.",
  "owasp:api7:2023-concerning-url-parameter":
    "It asks for a review of what a handler does with a URL: nothing in a contract satisfies it.",
  "owasp:api8:2023-define-cors-origin":
    "CORS is not part of the contract: the servers allow any origin, on every response.",
  "owasp:api9:2023-inventory-access": "`x-internal` is another tool's extension; the contract has one audience.",
};

/** Rules that are checked at fewer places. */
export const NARROWED: Readonly<Record<string, { from: Ruleset; given: string | string[]; reason: string }>> = {
  "owasp:api4:2023-array-limit": {
    from: owasp,
    given: "$.components.parameters[?(@ && @.schema && @.schema.type === 'array')].schema",
    reason: "Lists in requests are limited. Those in responses are as long as their data; a page of them is limited.",
  },
  "owasp:api8:2023-no-server-http": {
    from: owasp,
    given: "$.servers[?(@ && @.url && !@.url.match(/^http:.{2}127[.]0[.]0[.]1:/))].url",
    reason: "Nobody can eavesdrop on loopback.",
  },
  "owasp:api4:2023-rate-limit": {
    from: owasp,
    given: "$.paths[*]..responses[?(@property.match(/^(2|40[^1]|4[^0])/))]",
    reason: "401 comes before the rate limit is checked (D-47, D-54).",
  },
};

const RULESETS = [oas, owasp];

/** The rules of Spectral that are on. */
export const RULE_NAMES: readonly string[] = RULESETS.flatMap(({ rules }) => Object.keys(rules)).filter(
  (name) => !Object.hasOwn(OFF, name),
);

/** @param only the name of a rule; without it, all that are on */
export function createRuleset(only?: string): RulesetDefinition {
  const off = Object.keys(OFF).map((name) => [name, "off"]);
  const narrowed = Object.entries(NARROWED).map(([name, { from, given }]) => [name, { ...from.rules[name], given }]);
  const all = [...off, ...narrowed];
  const rules = only === undefined ? all : [[only, true], ...narrowed.filter(([name]) => name === only)];
  // Spectral's type does not allow rules that are objects of another ruleset.
  return {
    extends: RULESETS.map((ruleset) => [ruleset, only === undefined ? "all" : "off"]),
    rules: Object.fromEntries(rules),
  } as unknown as RulesetDefinition;
}
