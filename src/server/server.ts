// startServer: opens contract, store and listener, for the command line and for test runners.
import { setMaxListeners } from "node:events";
import type { Express } from "express";
import pino, { type Logger } from "pino";
import type { Contract } from "../contract/contract.js";
import { createFrozenClock, systemClock } from "../core/domain/clock.js";
import type { Implementation } from "../core/request/handlers.js";
import { type AppParts, createApp } from "./app.js";
import { assertConfig, assertServerOptions, type Config, DEFAULT_CONFIG, parseDate } from "./config.js";
import { createSwappableApp, type SwappableApp, startListener } from "./http/listener.js";
import { type Composition, implementationOf, type Serving, servingOf } from "./serving.js";
import { openStore } from "./store/environments.js";
import { createSeedSource, SEED_NAMES } from "./store/seed.js";

export type { Config } from "./config.js";
export { CannotListenError } from "./http/listener.js";

export interface ServerOptions extends Partial<Omit<Config, "now">> {
  /** Freezes the clock at a date or an RFC 3339 timestamp. Default: it runs. */
  now?: Date | string | undefined;
  /** The request log. Default: none. */
  log?: Logger;
}

export interface RunningServer {
  /** As in `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  apiKey: string;
  /** Which parts of the contract are implemented, if it is not the implemented one. */
  implementation?: Implementation | undefined;
  /** Stops accepting requests, completes those in progress, writes the state and unlocks the data folder. */
  close(): Promise<void>;
}

/** As the package's `startServer`, with the rooms above the server. */
export async function startServer(options: ServerOptions, rooms: Composition): Promise<RunningServer> {
  assertServerOptions(options);
  const { log = pino({ level: "silent" }), ...settings } = {
    ...options,
    now: typeof options.now === "string" ? parseDate("now", options.now) : options.now,
  };
  const defined = Object.entries(settings).filter(([, value]) => value !== undefined);
  const config: Config = { ...DEFAULT_CONFIG, port: 0, dataFolder: undefined, ...Object.fromEntries(defined) };
  assertConfig(config);
  const closers: (() => Promise<void>)[] = [];
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let closing: Promise<void> | undefined;
  const close = () => {
    stop.abort();
    closing ??= closeAll(closers);
    return closing;
  };
  try {
    const parts = { log, closers, rooms, stopping: stop.signal, isSeedChosen: options.seed !== undefined };
    const { listener, contract } = await openAll(config, parts);
    const { url, port } = listener;
    const implementation = implementationOf(servingOf(contract, rooms.serveProposal));
    return { url, port, apiKey: config.apiKey, implementation, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface OpenParts {
  rooms: Composition;
  log: Logger;
  /** Collects the close functions of everything that is opened. */
  closers: (() => Promise<void>)[];
  stopping: AbortSignal;
  /** True if the caller chose the seed: a warning then says that existing data prevails. */
  isSeedChosen: boolean;
}

/** In the order in which each needs the ones before it. */
async function openAll(config: Config, { log, closers, rooms, stopping, isSeedChosen }: OpenParts) {
  let app: SwappableApp | undefined; // until the first contract is served
  const contractFile = await rooms.open({
    path: config.contractPath,
    use: (contract) => app?.swap(createServedApp(contract)),
    isWatched: config.watch,
    log,
  });
  closers.push(contractFile.close);
  const serve = (contract: Contract) => servingOf(contract, rooms.serveProposal);
  const records = () => serve(contractFile.value).records;
  const seed = createSeedSource(config.seed, records);
  const clock = config.now === undefined ? systemClock : createFrozenClock(config.now);

  let isSeedUsed = false; // only if there is no default environment yet
  const store = await openStore({
    contract: records(),
    folder: config.dataFolder,
    apiKey: config.apiKey,
    seed() {
      isSeedUsed = true;
      return seed();
    },
    clock,
    report: (level, message) => log[level](message),
  });
  closers.push(store.close);
  if (isSeedChosen && !isSeedUsed) warnOfUnusedSeed(config, log);

  const parts = { ...config, store, clock, log, stopping };
  const control = rooms.createControlPlane({
    ...parts,
    facts: { startedAt: new Date(), seed: config.seed, dataFolder: config.dataFolder },
    contract: () => contractFile.value,
    records,
    seed,
    isSeedFile: !(SEED_NAMES as readonly string[]).includes(config.seed),
  });
  app = createSwappableApp(createServedApp(contractFile.value));
  const listener = await startListener(app, config);
  closers.push(listener.stop);
  return { listener, contract: contractFile.value };

  function createServedApp(contract: Contract): Express {
    const serving = serve(contract);
    warnOfInvalidValues(contract, serving, parts);
    const { pages } = rooms;
    const findContractError = () => contractFile.error;
    return createApp({
      ...parts,
      contract,
      pages,
      serving,
      control: config.control ? control : undefined,
      findContractError,
    });
  }
}

function warnOfUnusedSeed({ seed, dataFolder }: Config, log: Logger): void {
  const restore = `notifications-contract reset --seed ${seed} --data ${dataFolder}`;
  log.warn(`The seed ${seed} is not used: ${dataFolder} has data. To restore it, with the server stopped: ${restore}`);
}

/** Warns of values that handlers or state give and the served contract forbids. */
function warnOfInvalidValues(
  { file }: Contract,
  { implementation, findInvalidValues }: Serving,
  { store, plan, log }: Pick<AppParts, "store" | "plan" | "log">,
): void {
  const environments = store.environments.map(({ state, clock }) => ({ state, clock, plan }));
  implementation.cannotBeShown = findInvalidValues(environments);
  for (const message of implementation.cannotBeShown)
    log.warn(`Sent unchanged, although ${file.path} forbids it: ${message}`);
}

/** Closes in reverse order, all of them even if one fails. */
function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  return closers.reduceRight((closing, close) => closing.finally(close), Promise.resolve());
}
