// The suite depends on each promise of the contract about requests: with a keyword of openapi.yaml removed or weakened, the
// correct server fails. Takes a sample of the promises, weekly; EVERY_MUTANT=1 takes all.
import { describe, expect, test } from "vitest";
import type { Contract } from "../../../src/contract/contract.js";
import { valueAt } from "../../../src/contract/pointer.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import { createEditedContract, DOCUMENT } from "../../support/edited-contract.js";
import { isWeekly, SIZES } from "../../support/sizes.js";
import { findKiller } from "./mutant-server.js";

/** Mutants that survive, and why. Killing one of them is an error too. */
const SURVIVORS: [title: RegExp, reason: string][] = [
  [/(emails|search|subscriberIds|topicKey|transactionId) › allowEmptyValue: removed/, "an empty text is a text"],
  [
    /parameters › (subscriberId|\w*dempotencyKey|\w+ › schema › items) (› schema )?› type: (removed|string or null)/,
    "paths, headers and queries hold text: no value breaks `type: string`",
  ],
  [/parameters › (search|transactionId|topicKey|after|before) › schema › type: string or null/, "no text is null"],
  [/parameters › \w+ › schema › type: removed/, "without a type, nothing says whether the query has a text or a list"],
  [/schemas › Channel › type: (removed|string or null)/, "`enum` beside it accepts the same values"],
  [/parameters › (after|before) › schema › pattern: open at the end/, "`format` beside it rejects what follows"],
  [/parameters › subscriberId › schema › minLength/, "without it, the path has no operation: 404 either way"],
];

type Json = Record<string, unknown>;
type Pointer = (string | number)[];

interface ContractMutant {
  /** `components › parameters › limit › schema › maximum: removed` */
  title: string;
  /** Parts of the names of the cases that should find it. */
  only: string[];
  make(): Contract;
}

/** Keywords of requests, weakened and removed. */
function requestMutants(): ContractMutant[] {
  const parameters = Object.keys(DOCUMENT.components.parameters).flatMap((name) => {
    const pointer = ["components", "parameters", name];
    return [...flagsOf(pointer), ...schemasIn([...pointer, "schema"])];
  });
  const schemas = ["PreferencesUpdate", "ChannelPreferences", "Channel"].flatMap((name) =>
    schemasIn(["components", "schemas", name]),
  );
  const body = ["paths", "/v2/subscribers/{subscriberId}/preferences", "patch", "requestBody"];
  return [...parameters, ...schemas, { pointer: body, keyword: "required", value: true }].flatMap(weaken);
}

interface Place {
  pointer: Pointer;
  keyword: string;
  value: unknown;
}

const CHECKED = [
  ...["type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "pattern", "format"],
  ...["minItems", "maxItems", "required", "additionalProperties", "minProperties"],
];

/** Every keyword of a schema and of the schemas inside it. Skips references, since components are walked themselves. */
function schemasIn(pointer: Pointer): Place[] {
  const schema = valueAt(DOCUMENT, pointer) as Json;
  const own = Object.entries(schema).filter(([keyword]) => CHECKED.includes(keyword));
  const { properties = {}, items, allOf = [] } = schema as { properties?: Json; items?: Json; allOf?: Json[] };
  return [
    ...own.map(([keyword, value]) => ({ pointer, keyword, value })),
    ...Object.keys(properties).flatMap((name) => schemasIn([...pointer, "properties", name])),
    ...(items ? schemasIn([...pointer, "items"]) : []),
    ...allOf.flatMap((_part, index) => schemasIn([...pointer, "allOf", index])),
  ];
}

function flagsOf(pointer: Pointer): Place[] {
  const parameter = valueAt(DOCUMENT, pointer) as Json;
  return ["allowEmptyValue", "x-literal-plus"]
    .filter((keyword) => keyword in parameter)
    .map((keyword) => ({ pointer, keyword, value: parameter[keyword] }));
}

function weaken(place: Place): ContractMutant[] {
  const { keyword, value } = place;
  const number = Number(value);
  const changes: [string, unknown][] = [["removed", undefined]];
  if (keyword === "minimum" || keyword === "minLength" || keyword === "minItems")
    changes.push([`${number - 1}`, number - 1]);
  if (keyword === "maximum" || keyword === "maxLength" || keyword === "maxItems")
    changes.push([`${number + 1}`, number + 1], [`${number - 1}`, number - 1]);
  if (keyword === "enum")
    changes.push(["one more", [...(value as unknown[]), "fax"]], ["one less", (value as unknown[]).slice(0, -1)]);
  if (keyword === "type" && value === "integer") changes.push(["number", "number"]);
  if (keyword === "type" && value === "boolean")
    changes.push(["boolean or null", ["boolean", "null"]], ["string", "string"]);
  if (keyword === "type" && value === "string") changes.push(["string or null", ["string", "null"]]);
  if (keyword === "pattern")
    changes.push(["case only", "^[0-9a-f]{24}$"], ["open at the end", String(value).replace(/\$$/, "")]);
  return changes.map(([how, to]) => toMutant(place, how, to));
}

function toMutant({ pointer, keyword }: Pick<Place, "pointer" | "keyword">, how: string, to: unknown): ContractMutant {
  const path = [...pointer, keyword];
  return {
    title: `${path.join(" › ")}: ${how}`,
    only: toOnly(pointer),
    make: () => toContract(path, to),
  };
}

/** The cases at the place, and the random ones. */
function toOnly(pointer: Pointer): string[] {
  const name = String(pointer[2]);
  const parameter = DOCUMENT.components.parameters[name];
  if (pointer[1] === "parameters" && parameter) return [`${parameter.in}.${parameter.name}`, "D-67"];
  return ["› body", "request that the contract allows", "JSON at all"];
}

/** The contract with another value at a place. It need not be a valid OpenAPI document, only usable for checks. */
function toContract(path: Pointer, to: unknown): Contract {
  return createEditedContract((document) => {
    const parent = valueAt(document, path.slice(0, -1)) as Json;
    const key = String(path.at(-1));
    if (to === undefined) delete parent[key];
    else parent[key] = to;
  });
}

const isChosen = isWeekly || process.env.EVERY_MUTANT !== undefined;
const MUTANTS = requestMutants().filter((_mutant, index) => index % SIZES.everyContractMutant === 0);

describe.runIf(isChosen)(`contracts that promise something else about requests (${MUTANTS.length})`, () => {
  test.each(MUTANTS)("$title", async ({ title, only, make }) => {
    const contract = make();
    const judge = { contract, suite: createSuite(contract), seed: await loadSeed("demo", contract) };
    const reason = SURVIVORS.find(([pattern]) => pattern.test(title))?.[1];
    const isKilled = (await findKiller(judge, only)) !== undefined;
    expect(isKilled, reason ?? "survived, and no reason is listed").toBe(reason === undefined);
  });
});
