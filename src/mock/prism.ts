// Prism as a library: it makes a response of the contract for an operation. No other file imports Prism, an optional
// peer dependency. Prism does not see the request, which earlier steps have validated.
import Module, { createRequire } from "node:module";
import pino from "pino";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/model.js";
import { ContractError } from "../contract/openapi-document.js";
import { boundSchemas, buildSuccessDocument } from "./generated-document.js";

export interface Prism {
  /** The first example of the success, or generated data, enough for some pages; undefined if Prism has none. */
  generate(operation: Operation): Promise<{ status: number; body: unknown } | undefined>;
  /** True if it generates data instead of using examples. */
  isDynamic: boolean;
}

/** How json-schema-faker draws: optional members sometimes, short lists, and times before those of the examples. */
const DRAWING = {
  alwaysFakeOptionals: false,
  fixedProbabilities: false,
  optionalsProbability: 0.6,
  minDateTime: "2026-08-01T00:00:00.000Z",
  maxDateTime: "2026-11-01T00:00:00.000Z",
};

const require = createRequire(import.meta.url);
const requireBesidePrism = createRequire(require.resolve("@stoplight/prism-http"));
const { createInstance, getHttpOperationsFromSpec, resetJSONSchemaGenerator } = requirePrism();

/**
 * Loads a contract into Prism. With a random seed, the generated data is the same every time.
 * @throws ContractError if Prism cannot read the contract.
 */
export async function loadPrism(
  contract: Contract,
  { isDynamic, randomSeed }: { isDynamic: boolean; randomSeed: number | undefined },
): Promise<Prism> {
  const operations = await readOperations(contract, isDynamic);
  const mock = { dynamic: isDynamic, ...(randomSeed === undefined ? {} : { seed: String(randomSeed) }) };
  const disabled = { checkSecurity: false, validateRequest: false, validateResponse: false, errors: false };
  const logger = pino({ level: "silent", customLevels: { success: 35 } }); // Prism's own level
  const settings = { isProxy: false, upstreamProxy: undefined, mock, ...disabled } as const;
  const prism = createInstance(settings, { logger: logger as never });
  return {
    isDynamic,
    async generate({ method, path }) {
      const result = await prism.request({ method, url: { path } }, operations)(); // a path template matches itself
      if (result._tag === "Left") return undefined;
      const { statusCode, body } = result.right.output;
      return { status: statusCode, body: isDynamic ? withMilliseconds(body) : body };
    },
  };
}

/**
 * Replaces Prism's Postman parser and its generator of names and texts while loading: with all of them, a start took
 * 1990 ms of processor time, where it took 1210 ms with the generator's English alone (medians of ten paired starts).
 */
function requirePrism(): typeof import("@stoplight/prism-http") {
  const replacements = new Map<string, object>([
    [requireBesidePrism.resolve("@faker-js/faker"), { default: {} }], // loaded with --dynamic
    [requireBesidePrism.resolve("@stoplight/http-spec/postman/operation"), {}],
  ]);
  for (const [path, exports] of replacements) {
    require.cache[path] = Object.assign(new Module(path), { exports, loaded: true });
  }
  const prism = require("@stoplight/prism-http");
  for (const path of replacements.keys()) delete require.cache[path];
  return prism;
}

async function readOperations(contract: Contract, isDynamic: boolean) {
  const document = buildSuccessDocument(contract);
  resetJSONSchemaGenerator();
  if (isDynamic) {
    boundSchemas(document);
    const { JSONSchemaFaker } = requireBesidePrism("json-schema-faker");
    JSONSchemaFaker.option(DRAWING);
    JSONSchemaFaker.extend("faker", () => requireBesidePrism("@faker-js/faker/locale/en")); // of its sixty languages
  }
  try {
    return await getHttpOperationsFromSpec(document);
  } catch (error) {
    throw new ContractError(contract.file.path, 1, `Prism cannot serve it: ${(error as Error).message}`);
  }
}

/** json-schema-faker 0.5.8 trims zeros of a generated timestamp; the contract has three decimals (D-05). */
function withMilliseconds(body: unknown): unknown {
  const text = JSON.stringify(body);
  return JSON.parse(
    text.replaceAll(/(T\d\d:\d\d:\d\d\.)(\d\d?)Z"/g, (_all, time, digits) => `${time}${digits.padEnd(3, "0")}Z"`),
  );
}
