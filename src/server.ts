// The server as a value: opens what it needs, listens, and can be stopped. For the command line and for test runners.
import { stat } from "node:fs/promises";
import pino, { type Logger } from "pino";
import { createApp } from "./app.js";
import { assertConfig, type Config, DEFAULT_CONFIG } from "./config.js";
import { type Contract, loadContract } from "./contract/contract.js";
import { createControlPlane } from "./control/control-plane.js";
import { createFrozenClock, systemClock } from "./domain/clock.js";
import type { Seed } from "./domain/state.js";
import { createAppPlace } from "./http/app-place.js";
import { LIMITS } from "./http/limits.js";
import { startListener } from "./listener.js";
import { loadSeed, toSeedPath } from "./store/seed.js";
import { openStore } from "./store/store.js";
import { openWatchedFile, type WatchedFile } from "./watched-file.js";

export type { Config } from "./config.js";
export { CannotListenError } from "./listener.js";

export interface ServerOptions extends Partial<Config> {
  /** Where the request log goes. Default: nowhere. */
  log?: Logger;
}

export interface RunningServer {
  /** As in `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  apiKey: string;
  /** Stops taking requests, answers those under way, stores what is left, and gives the data folder back. */
  close(): Promise<void>;
}

type Close = () => Promise<void>;

/**
 * Starts a reference server. Unlike `serve` it keeps its state in memory unless `dataFolder` is given, and takes a free
 * port unless `port` is.
 * @throws ConfigError, ContractError, BrokenEnvironmentError, FolderInUseError, FolderUnusableError or CannotListenError; then nothing runs.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { log = pino({ level: "silent" }), ...settings } = options;
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const config: Config = { ...DEFAULT_CONFIG, port: 0, dataFolder: undefined, ...Object.fromEntries(given) };
  assertConfig(config);
  const opened: Close[] = [];
  const stop = new AbortController();
  let closing: Promise<void> | undefined;
  const close = () => {
    stop.abort();
    closing ??= closeAll(opened);
    return closing;
  };
  try {
    const { url, port } = await openAll(config, log, { opened, stopping: stop.signal });
    return { url, port, apiKey: config.apiKey, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Life {
  /** Takes what has to be closed, as it is opened. */
  opened: Close[];
  stopping: AbortSignal;
}

async function openAll(config: Config, log: Logger, { opened, stopping }: Life) {
  let use: ((contract: Contract) => void) | undefined;
  const contractFile = await openWatchedFile({
    path: config.contractPath,
    load: () => loadContract(config.contractPath),
    use: (saved) => use?.(saved),
    isWatched: config.watch,
    log,
  });
  opened.push(contractFile.close);
  const seedFile = createSeedSource(config, contractFile, log);
  opened.push(seedFile.close);

  const { apiKey, dataFolder: folder, checkResponses: checkAnswers } = config;
  const clock = config.now === undefined ? systemClock : createFrozenClock(config.now);
  const store = await openStore({
    contract: contractFile.value,
    folder,
    apiKey,
    seed: seedFile.seed,
    clock,
    report: (level, message) => log[level](message),
  });
  opened.push(store.close);

  const parts = { ...config, store, clock, log, stopping, checkAnswers };
  const control = createControlPlane({ ...parts, contract: () => contractFile.value, seed: seedFile.seed });
  const toApp = (contract: Contract) =>
    createApp({
      ...parts,
      contract,
      control: config.control ? control : undefined,
      faultOf: () => contractFile.fault,
    });
  const { serve, messages, put } = createAppPlace(toApp(contractFile.value));
  use = (contract) => put(toApp(contract));
  const listener = await startListener(serve, config, LIMITS, messages);
  opened.push(listener.stop);
  return listener;
}

/** Of a larger seed the values would take more room than the environment that was made of them. */
const LARGEST_KEPT_SEED_BYTES = 16 * 1024 * 1024;

/** The server's own seed, read when it is first needed. A large one that is not watched is read whenever it is needed. */
function createSeedSource({ seed: name, watch }: Config, contractFile: WatchedFile<Contract>, log: Logger) {
  let opening: Promise<WatchedFile<Seed>> | undefined;
  const path = toSeedPath(name);
  const open = () => openWatchedFile({ path, load: () => loadSeed(name, contractFile.value), isWatched: watch, log });
  return {
    async seed(): Promise<Seed> {
      opening ??= open();
      const { value } = await opening;
      if (!watch && (await stat(path)).size > LARGEST_KEPT_SEED_BYTES) opening = undefined;
      return value;
    },
    close: async () =>
      opening?.then(
        (file) => file.close(),
        () => {},
      ), // one that did not open has told whoever asked
  };
}

/** The latest first; one that fails does not keep the others open. */
function closeAll(opened: readonly Close[]): Promise<void> {
  return opened.reduceRight((closing, close) => closing.finally(close), Promise.resolve());
}
