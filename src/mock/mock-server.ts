// Starts the mock, and rebuilds its app whenever the contract's file is saved. The app is the pipeline of app.ts with
// one API key instead of environments, and Prism instead of store and handlers.
import { setMaxListeners } from "node:events";
import type { Express, RequestHandler } from "express";
import pino, { type Logger } from "pino";
import { type Contract, loadContract } from "../contract/contract.js";
import { CONTRACT_PATH } from "../contract/contract-file.js";
import { responsesOf } from "../contract/sample/message.js";
import { systemClock } from "../core/domain/clock.js";
import { ConfigError } from "../core/options.js";
import { RequestError } from "../core/request/errors.js";
import * as pages from "../pages/docs/server-pages.js";
import { findInvalidSamples } from "../proposals/find-invalid-values.js";
import { prepareProposal } from "../proposals/proposal.js";
import { createPipeline, type PipelineParts } from "../server/app.js";
import { assertListening, assertMockOptions, type Config, DEFAULT_CONFIG } from "../server/config.js";
import { createSwappableApp, type SwappableApp, startListener } from "../server/http/listener.js";
import type { RunningServer } from "../server/server.js";
import { proposalOf, type WatchedFile } from "../server/serving.js";
import { createKeyMatch } from "../server/store/environment-registry.js";
import { openWatchedFile } from "../server/watched-file.js";
import { createGenerateResponse } from "./generate-response.js";
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
      const invalid = proposalOf(prepareProposal(contract)) ? findInvalidSamples(contract) : [];
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
      proposal: statusOf(file.value),
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

function statusOf({ contract, invalid }: { contract: Contract; invalid: string[] }): RunningServer["proposal"] {
  const status = proposalOf(prepareProposal(contract));
  return status && { ...status, cannotBeShown: invalid };
}

type SharedParts = Pick<PipelineParts, "contract" | "log" | "findContractError" | "stopping">;

/** Builds the mock's Express app for one contract. It does not listen. */
export function createMockApp({ prism, apiKey, ...parts }: SharedParts & { prism: Prism; apiKey: string }): Express {
  const isKey = createKeyMatch(apiKey);
  const serving = prepareProposal(parts.contract);
  const { unchecked } = proposalOf(serving) ?? {}; // the rest of a proposal is about handlers
  return createPipeline({
    ...parts,
    status: unchecked && { unchecked },
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
