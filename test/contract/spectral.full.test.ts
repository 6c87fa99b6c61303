// Spectral finds nothing in the contract by its rules for OpenAPI and for OWASP. Each rule that is off or narrowed would
// report something, and has a reason.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import spectralCore from "@stoplight/spectral-core";
import { expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";

interface Ruleset {
  rules: Record<string, object>;
}

const require = createRequire(import.meta.url);
const { default: oas } = require("@stoplight/spectral-rulesets/dist/oas/index.js") as { default: Ruleset };
// The ES module of 2.0.1 imports names that spectral-core, which is CommonJS, does not export: Node cannot load it.
const owasp = require("@stoplight/spectral-owasp-ruleset") as Ruleset;

/** Why each of these rules is switched off. */
const OFF: Readonly<Record<string, string>> = {
  "info-contact": "The document names no contact.",
  "license-url": "The licence is named by its SPDX identifier; OpenAPI 3.1 forbids a URL beside it.",
  "openapi-tags-alphabetical": "Operations are in the document's order: A, then B.",
  "duplicated-entry-in-enum": "It throws where an example is null, and compares each value with each.",
  "oas3-schema": "Loading the contract has checked it by OpenAPI's own schema.",
  "oas3-valid-media-example": "`review` checks the same examples in a tenth of the time.",
  "oas3-valid-schema-example": "`review` checks the same examples in a tenth of the time.",
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
const NARROWED: Readonly<Record<string, { given: string; reason: string }>> = {
  "owasp:api4:2023-array-limit": {
    given: "$.components.parameters[?(@ && @.schema && @.schema.type === 'array')].schema",
    reason: "Lists in requests are limited. Those in responses are as long as their data; a page of them is limited.",
  },
  "owasp:api8:2023-no-server-http": {
    given: "$.servers[?(@ && @.url && !@.url.match(/^http:.{2}127[.]0[.]0[.]1:/))].url",
    reason: "Nobody can eavesdrop on loopback.",
  },
  "owasp:api4:2023-rate-limit": {
    given: "$.paths[*]..responses[?(@property.match(/^(2|40[^1]|4[^0])/))]",
    reason: "401 comes before the rate limit is checked (D-47, D-54).",
  },
};

/** Rules that are off because of how they work, not because of what they report. */
const UNTRIED = 4;

test("the contract has no violation", async () => {
  const narrowed = Object.entries(NARROWED).map(([name, { given }]) => [name, { ...owasp.rules[name], given }]);
  const off = Object.keys(OFF).map((name) => [name, "off"]);
  const found = await run(await readFile(CONTRACT_PATH, "utf8"), Object.fromEntries([...off, ...narrowed]));
  expect(found.map(({ code, path, message }) => `${code} ${path.join("/")}: ${message}`)).toEqual([]);
});

test("every rule that is off or narrowed would report something", async () => {
  const untried = Object.entries(OFF).filter(([, why]) => /`review`|^Loading|^It throws/.test(why));
  expect(untried).toHaveLength(UNTRIED);
  const off = untried.map(([name]) => [name, "off"]);
  // No name of the contract's parameters is one that a rule objects to.
  const text = (await readFile(CONTRACT_PATH, "utf8")).replace("name: topicKey", "name: topicUrl");
  const found = new Set((await run(text, Object.fromEntries(off))).map(({ code }) => String(code)));
  const changed = [...Object.keys(OFF), ...Object.keys(NARROWED)].filter(
    (name) => !untried.some(([one]) => one === name),
  );
  expect(found).toEqual(new Set(changed));
});

function run(text: string, rules: object) {
  const spectral = new spectralCore.Spectral();
  // Spectral's type does not allow rules that are objects of another ruleset.
  spectral.setRuleset({ extends: [oas, owasp].map((ruleset) => [ruleset, "all"]), rules } as never);
  return spectral.run(text);
}
