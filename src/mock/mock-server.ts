// Starts the mock, and rebuilds its app whenever the contract's file is saved. The app is the pipeline of app.ts with
// one API key instead of environments, and Prism instead of store and handlers.
import { setMaxListeners } from "node:events";
import type { Express, RequestHandler } from "express";
import pino, { type Logger } from "pino";
import { type Contract, loadContract } from "../contract/contract.js";
import { CONTRACT_PATH } from "../contract/contract-file.js";
import { memoize } from "../contract/memoize.js";
import type { Operation } from "../contract/model.js";
import { mainMedia, successOf } from "../contract/operation.js";
import { createHeaders, createSampleResponse, responsesOf } from "../contract/sample/message.js";
import { fitValue } from "../contract/sample/sample.js";
import type { Schema } from "../contract/schema.js";
import { systemClock } from "../core/domain/clock.js";
import { assertRange, JsonText } from "../core/domain/notifications.js";
import { ConfigError } from "../core/options.js";
import { RequestError } from "../core/request/errors.js";
import {
  type Exchange,
  type HttpResponse,
  JSON_TYPE,
  type LastStep,
  type RequestInput,
} from "../core/request/exchange.js";
import { handlerOf, toMockedRequest } from "../core/request/handlers.js";
import * as pages from "../pages/docs/server-pages.js";
import { findInvalidSamples, serveProposal, takesMainMedia } from "../proposals/proposal.js";
import { createPipeline, type PipelineParts } from "../server/app.js";
import { assertListening, assertMockOptions, type Config, DEFAULT_CONFIG } from "../server/config.js";
import { createSwappableApp, type SwappableApp, startListener } from "../server/http/listener.js";
import type { RunningServer } from "../server/server.js";
import { implementationOf, servingOf, type WatchedFile } from "../server/serving.js";
import { createKeyMatch } from "../server/store/key-hash.js";
import { openWatchedFile } from "../server/watched-file.js";
import { hasReference, LIST_HANDLER } from "./generated-document.js";
import type { Prism } from "./prism.js";

export interface MockOptions extends Partial<Pick<Config, "port" | "host" | "apiKey" | "contractPath">> {
  /** Respond with generated data instead of the contract's examples. */
  isDynamic?: boolean;
  /** With `isDynamic`: generates the same data every time. */
  randomSeed?: number | undefined;
  /** The request log. Default: none. */
  log?: Logger;
}

/**
 * Starts a mock.
 * @throws ConfigError, ContractError or CannotListenError; then nothing runs.
 */
export async function startMock(options: MockOptions = {}): Promise<RunningServer> {
  assertMockOptions(options);
  const {
    port = 0,
    host = DEFAULT_CONFIG.host,
    apiKey = DEFAULT_CONFIG.apiKey,
    isDynamic = false,
    randomSeed,
  } = options;
  const { contractPath: path = CONTRACT_PATH, log = pino({ level: "silent" }) } = options;
  assertListening({ host, port, apiKey });
  if (randomSeed !== undefined && !isDynamic) throw new ConfigError("A seed is for generated data: add --dynamic.");

  const { loadPrism } = await import("./prism.js"); // loaded here, since no other command needs it
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let served: SwappableApp | undefined;
  const file: WatchedFile<{ contract: Contract; invalid: string[]; app: Express }> = await openWatchedFile({
    path,
    async load() {
      const contract = await loadContract(path);
      const prism = await loadPrism(contract, { isDynamic, randomSeed });
      const parts = { contract, prism, apiKey, log, findContractError: () => file.error, stopping: stop.signal };
      const invalid = implementationOf(servingOf(contract, serveProposal)) ? findInvalidSamples(contract) : [];
      for (const message of invalid) log.warn(`Sent unchanged, although ${path} forbids it: ${message}`);
      return { contract, invalid, app: createMockApp(parts) };
    },
    use: ({ app }) => served?.swap(app),
    isWatched: true,
    log,
  });
  served = createSwappableApp(file.value.app);
  try {
    const listener = await startListener(served, { host, port });
    return {
      url: listener.url,
      port: listener.port,
      apiKey,
      implementation: findImplementation(file.value),
      async close() {
        stop.abort();
        await listener.stop();
        await file.close();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function findImplementation({ contract, invalid }: { contract: Contract; invalid: string[] }) {
  const implementation = implementationOf(servingOf(contract, serveProposal));
  return implementation && { ...implementation, cannotBeShown: invalid };
}

type SharedParts = Pick<PipelineParts, "contract" | "log" | "findContractError" | "stopping">;

/** Builds the mock's Express app for one contract. It does not listen. */
export function createMockApp({ prism, apiKey, ...parts }: SharedParts & { prism: Prism; apiKey: string }): Express {
  const isKey = createKeyMatch(apiKey);
  const serving = servingOf(parts.contract, serveProposal);
  const { unchecked } = implementationOf(serving) ?? {}; // the rest of a proposal is about handlers
  return createPipeline({
    ...parts,
    implementation: unchecked && { unchecked },
    adapter: serving.adapter,
    apiKey,
    pages,
    responsesOf,
    clock: systemClock,
    checkResponses: true,
    open: (key) => key === undefined || isKey(key) || undefined,
    createLastStep: createGenerateResponse(parts, prism),
    rejectControl,
  });
}

const rejectControl: RequestHandler = function rejectControl(request, _response, next) {
  if (!/^\/(_control|console)(\/|$)/.test(request.path)) return next();
  const message =
    "The mock has no control plane and no console. The reference server has both: `notifications-contract serve`.";
  throw new RequestError("pathNotFound", message);
};

/**
 * Creates the last step of an operation: Prism makes the response. For the list, Prism makes the records, and this step
 * sorts them and cuts them into pages.
 */
function createGenerateResponse(
  { contract, log }: { contract: Contract; log: Logger },
  prism: Prism,
): (operation: Operation) => LastStep {
  return (operation) => {
    let made: Promise<HttpResponse | undefined> | undefined; // Prism takes longer than all other steps together
    return async function generateResponse(exchange) {
      if (!made || (prism.isDynamic && !isDrawnAhead(operation))) made = generate(operation);
      const generated = (takesMainMedia(operation, exchange) && (await made)) || createSample(operation, exchange);
      const key = isKeyReturned(operation) ? exchange.headers["idempotency-key"]?.toString() : undefined;
      const headers = key ? { ...generated.headers, "Idempotency-Key": key } : generated.headers; // D-61
      const body =
        isList(operation) && isPage(generated.body)
          ? buildPage(operation, exchange.input.query, generated.body)
          : generated.body;
      return { ...generated, headers, body };
    };
  };

  /** Generated records stay the same while the mock serves this contract, so that its pages are consistent. */
  function isDrawnAhead(operation: Operation): boolean {
    return prism.isDynamic && isList(operation);
  }

  /** Undefined if Prism makes nothing valid: for other media types, or from an invalid example. */
  async function generate(operation: Operation): Promise<HttpResponse | undefined> {
    const declared = successOf(operation);
    const media = mainMedia(declared);
    const mediaType = media?.type;
    const shown = [media?.schema?.flat.example, ...(media?.examples ?? []).map(({ value }) => value)];
    const isForPrism = mediaType === "application/json" && !shown.some(hasReference); // which Prism would follow
    const made = isForPrism ? await prism.generate(operation) : undefined;
    if (!made || !declared) return undefined;
    const result = { ...made, mediaType: JSON_TYPE, headers: createHeaders(declared, operation.id) };
    const checked = { ...result, headers: { ...result.headers, "content-type": mediaType } };
    const isValid = (body: unknown) => contract.checkResponse(operation, { ...checked, body }).length === 0;
    const { body } = made;
    if (!isList(operation) || !isPage(body)) return isValid(body) ? { ...result, body: toJsonText(body) } : undefined;
    if (!isDrawnAhead(operation)) return isValid(body) ? result : undefined;
    // A page may not have that many records, so each is checked as a page of its own.
    const records = body.data.filter((record) => isValid({ ...body, data: [record] }));
    return records.length > 0 ? { ...result, body: { ...body, data: records.toSorted(byNewest) } } : undefined;
  }

  /** It is sent even if a member has no sample: the rest is of use. */
  function createSample(operation: Operation, exchange: Exchange): HttpResponse {
    const result = createSampleResponse(operation, toMockedRequest(exchange));
    try {
      exchange.assertValid?.(result);
    } catch (violation) {
      log.warn({ err: violation, requestId: exchange.id }, `no valid response of ${operation.id} was found`);
    }
    return result;
  }
}

function isKeyReturned(operation: Operation): boolean {
  return successOf(operation)?.headers.some(({ name }) => name.toLowerCase() === "idempotency-key") === true;
}

function isList(operation: Operation): boolean {
  return handlerOf(operation) === LIST_HANDLER;
}

function byNewest(one: { createdAt?: string }, other: { createdAt?: string }): number {
  return Date.parse(other.createdAt ?? "") - Date.parse(one.createdAt ?? "");
}

/** The members of a page that every contract with such a list has. */
interface Page {
  data: readonly object[];
  page?: unknown;
  pageSize?: unknown;
  hasMore?: unknown;
}

function isPage(body: unknown): body is Page {
  return Array.isArray((body as Page | undefined)?.data);
}

/** The parameters of the list; a proposal may lack some, or write them as texts. */
interface PageQuery {
  page?: number | string;
  limit?: number | string;
  after?: string;
  before?: string;
}

/**
 * The requested page of the records, which are all that exist: a feed that loads more comes to an end.
 * @throws DomainError dateRangeInverted
 */
function buildPage(operation: Operation, query: RequestInput["query"], body: Page): JsonText<Page> {
  // The query has been validated, which the compiler cannot know.
  const { page, limit = 10, after, before } = query as PageQuery;
  assertRange({ after, before });
  const pages = pagesOf(body);
  const key = `${page}/${limit}`;
  const made = pages.get(key) ?? createPage(operation, body, { page, limit: Number(limit) });
  if (pages.size < MAX_PAGES) pages.set(key, made);
  return made;
}

const MAX_PAGES = 100;
const pagesOf = memoize((_body: Page) => new Map<string, JsonText<Page>>()); // clients ask for few, again and again

function createPage(
  operation: Operation,
  body: Page,
  { page, limit }: { page: number | string | undefined; limit: number },
): JsonText<Page> {
  const start = operation.parameters.find(({ name }) => name === "page")?.schema.flat.minimum ?? 0;
  const number = Number(page ?? start);
  const first = (number - start) * limit;
  const hasMore = body.data.length > first + limit;
  const whole = { ...body, page: number, pageSize: limit, hasMore, data: body.data.slice(first, first + limit) };
  const schema = mainMedia(successOf(operation))?.schema;
  const members = Object.entries(whole).map(([name, value]) => [name, formatValue(schema?.member(name), value)]);
  const numbered = Object.fromEntries(members);
  const fitted = schema ? fitValue(schema, numbered, { path: "", request: operation.id }) : numbered;
  return toJsonText(fitted as Page);
}

/** Serialized once for all requests that get it. */
function toJsonText<T>(value: T): JsonText<T> {
  return new JsonText([Buffer.from(JSON.stringify(value))]);
}

/** A number as a text, where the contract has it so. */
function formatValue(schema: Schema | undefined, value: unknown): unknown {
  const isText = typeof value === "number" && schema?.allows(value) === false && schema.allows(String(value));
  return isText ? String(value) : value;
}
