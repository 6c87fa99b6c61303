// The server as a value: opens what it needs, listens, and can be stopped. For the command line and for test runners.
import pino, { type Logger } from "pino";
import { createApp } from "./app.js";
import { assertConfig, type Config, DEFAULT_CONFIG } from "./config.js";
import { loadContract } from "./contract/contract.js";
import { createControlPlane } from "./control/control-plane.js";
import { createFrozenClock, systemClock } from "./domain/clock.js";
import type { Seed } from "./domain/state.js";
import { startListener } from "./listener.js";
import { loadSeed } from "./store/seed.js";
import { openStore } from "./store/store.js";

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
  const contract = await loadContract();
  const clock = config.now === undefined ? systemClock : createFrozenClock(config.now);
  let ownSeed: Promise<Seed> | undefined;
  const seed = () => {
    ownSeed ??= loadSeed(config.seed, contract);
    return ownSeed;
  };
  const store = await openStore({
    contract,
    folder: config.dataFolder,
    apiKey: config.apiKey,
    seed,
    clock,
  });
  try {
    const stop = new AbortController();
    const { plan, rateLimit, checkResponses: checkAnswers, controlKey } = config;
    const shared = { contract, store, log, stopping: stop.signal };
    const control = config.control
      ? createControlPlane({ ...shared, apiKey: config.apiKey, seed, controlKey })
      : undefined;
    const app = createApp({ ...shared, clock, plan, rateLimit, checkAnswers, control });
    const listener = await startListener(app, config);
    let closing: Promise<void> | undefined;
    const close = () => {
      stop.abort();
      closing ??= listener.stop().finally(() => store.close());
      return closing;
    };
    return { url: listener.url, port: listener.port, apiKey: config.apiKey, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}
