// Wrong servers and contracts, which the suite must detect. Servers break promises of our own server alone: citations in
// errors, further headers; test/tools/verify/planted-bugs.ts has those of all servers. Contracts have a keyword of requests
// removed or weakened, so that the correct server fails: a sample of them, weekly; EVERY_MUTANT=1 takes all.
import { describe, expect, test } from "vitest";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { type Contract, loadContract } from "../../../src/contract/contract.js";
import { valueAt } from "../../../src/contract/pointer.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { isSelected } from "../../../src/tools/verify/case-run.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import { startBridge } from "../../browser/fetch/bridge.js";
import { createEditedContract, DOCUMENT } from "../../support/edited-contract.js";
import { findFailingCase } from "../../support/failing-case.js";
import { isWeekly, SIZES } from "../../support/sizes.js";

/** Changes a response in place. `error` is the body of an error. */
type Mutation = (headers: Headers, error: Json | undefined) => void;

const contract = await loadContract();
const seed = await loadSeed("demo", contract);
const apiKey = "demo-key";

/**
 * Returns the id of the first case that fails; undefined if the mutant survives.
 * @param only parts of the names of the cases, or their citations.
 */
async function findKiller(own: Contract, only: readonly string[], mutate: Mutation = () => {}) {
  const { handle } = createFetchHandler({ seed, apiKey });
  const { url, close } = await startBridge(async (request) => {
    const response = await handle(request);
    const { status, headers } = response;
    const text = await response.text();
    const error = status >= 400 && text !== "" ? JSON.parse(text) : undefined;
    mutate(headers, error);
    return new Response(text === "" ? null : error ? JSON.stringify(error) : text, { status, headers });
  });
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(url), apiKey };
  const cases = createSuite(own).filter((one) => only.some((text) => isSelected(one, text)));
  return findFailingCase(cases, { contract: own, target, random: { seed: 1, runs: 40 } }).finally(close);
}

/** Each breaks a promise, which must fail a case that cites it. */
const SERVERS: [cite: string, title: string, mutate: Mutation][] = [
  ["§4.2", "no ctx in errors", (_headers, error) => delete error?.ctx],
  ["§4.2", "an unknown decision", (_headers, error) => error && Object.assign(error, { ctx: { decision: "D-99" } })],
  ["§4.2", "no X-Request-Id", (headers) => headers.delete("x-request-id")],
  ["D-66", "X-Request-Id is always the same", (headers) => headers.set("x-request-id", "1")],
  ["§4.2", "RateLimit-Remaining alone", (headers) => headers.set("ratelimit-remaining", "5")],
  ["§4.2", "a header that is not declared", (headers) => headers.set("x-powered-by", "Express")],
];

test.each(SERVERS)("wrong servers › %s: %s", async (cite, _title, mutate) => {
  expect(await findKiller(contract, [cite], mutate)).toBeDefined();
});

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
    const reason = SURVIVORS.find(([pattern]) => pattern.test(title))?.[1];
    const isKilled = (await findKiller(make(), only)) !== undefined;
    expect(isKilled, reason ?? "survived, and no reason is listed").toBe(reason === undefined);
  });
});
