// Prism as a library: it gives a response of the contract for an operation. The only file of the mock that imports it, so
// that what is missing without it is found in one place. Prism sees no request: the steps before it have validated that.
import Module, { createRequire } from "node:module";
import pino from "pino";
import type { Contract } from "../contract/contract.js";
import { ContractError } from "../contract/contract-file.js";
import { resolve } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";

export interface Prism {
  /** The first example of the operation's success, or generated data; undefined where Prism makes none. */
  generate(operation: Operation): Promise<{ status: number; body: unknown } | undefined>;
  /** Whether each response is another one. */
  isDynamic: boolean;
}

const MAX_LIST_LENGTH = 5; // generated lists are always as long as they may be: 50 notifications are a megabyte

const require = createRequire(import.meta.url);
const requireBesidePrism = createRequire(require.resolve("@stoplight/prism-http"));
const { createInstance, getHttpOperationsFromSpec, resetJSONSchemaGenerator } = requirePrism();

/**
 * Loads a contract into Prism. With a seed, the generated data is the same every time.
 * @throws ContractError where Prism cannot read the contract.
 */
export async function loadPrism(
  contract: Contract,
  { isDynamic, seed }: { isDynamic: boolean; seed: number | undefined },
): Promise<Prism> {
  const operations = await readOperations(contract);
  const mock = { dynamic: isDynamic, ...(seed === undefined ? {} : { seed: String(seed) }) };
  const disabled = { checkSecurity: false, validateRequest: false, validateResponse: false, errors: false };
  const logger = pino({ level: "silent", customLevels: { success: 35 } }); // Prism's own level
  const settings = { isProxy: false, upstreamProxy: undefined, mock, ...disabled } as const;
  const prism = createInstance(settings, { logger: logger as never });
  return {
    isDynamic,
    async generate({ method, path }) {
      const result = await prism.request({ method, url: { path } }, operations)(); // a template matches itself
      if (result._tag === "Left") return undefined;
      const { statusCode, body } = result.right.output;
      return { status: statusCode, body: isDynamic ? withMilliseconds(body) : body };
    },
  };
}

/** Loading Prism is slow because of its data generator's sixty languages and its Postman parser: both are replaced meanwhile. */
function requirePrism(): typeof import("@stoplight/prism-http") {
  const english = { default: requireBesidePrism("@faker-js/faker/locale/en") };
  const replacements = new Map<string, object>([
    [requireBesidePrism.resolve("@faker-js/faker"), english],
    [requireBesidePrism.resolve("@stoplight/http-spec/postman/operation"), {}],
  ]);
  for (const [path, exports] of replacements) {
    require.cache[path] = Object.assign(new Module(path), { exports, loaded: true });
  }
  const prism = require("@stoplight/prism-http");
  for (const path of replacements.keys()) delete require.cache[path];
  return prism;
}

async function readOperations(contract: Contract) {
  resetJSONSchemaGenerator();
  requireBesidePrism("json-schema-faker").JSONSchemaFaker.option({ maxItems: MAX_LIST_LENGTH });
  try {
    return await getHttpOperationsFromSpec(toSuccessDocument(contract));
  } catch (error) {
    throw new ContractError(contract.file.path, 1, `Prism cannot serve it: ${(error as Error).message}`);
  }
}

/** The success responses, as a copy that Prism may change: it takes seven times as long to read the whole document. */
function toSuccessDocument({ document, operations }: Contract): object {
  const { schemas, headers, examples = {} } = document.components;
  const paths: Record<string, object> = {};
  for (const { path, method, object } of operations) {
    const successes = Object.entries(object.responses).filter(([status]) => status.startsWith("2"));
    const resolved = successes.map(([status, place]) => [status, resolve(document, place)]);
    paths[path] = { ...paths[path], [method]: { responses: Object.fromEntries(resolved) } };
  }
  return structuredClone({
    openapi: document.openapi,
    info: document.info,
    paths,
    components: { schemas, headers, examples },
  });
}

/** json-schema-faker 0.5.8 cuts the zeros off a generated timestamp; the contract has three decimals (D-05). */
function withMilliseconds(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll(/(T\d\d:\d\d:\d\d\.\d)Z"/g, '$100Z"'));
}
