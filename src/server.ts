// The server as a value: opens what it needs, listens, and can be stopped. For the command line and for test runners.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pino, { type Logger } from "pino";
import { createApp } from "./app.js";
import { assertConfig, type Config, DEFAULT_CONFIG } from "./config.js";
import { loadContract } from "./contract/contract.js";
import { createFrozenClock, systemClock } from "./domain/clock.js";
import { loadSeed } from "./store/seed.js";
import { openStore } from "./store/store.js";

export type { Config } from "./config.js";

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

/** The port belongs to another program. */
export class PortInUseError extends Error {
  constructor(host: string, port: number) {
    super(`Port ${port} on ${host} is taken by another program. Choose one with --port, or --port 0 for a free one.`);
    this.name = "PortInUseError";
  }
}

/**
 * Starts a reference server. Unlike `serve` it keeps its state in memory unless `dataFolder` is given, and takes a free
 * port unless `port` is.
 * @throws ConfigError, ContractError, BrokenEnvironmentError, FolderInUseError or PortInUseError; then nothing runs.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { log = pino({ level: "silent" }), ...settings } = options;
  const config: Config = { ...DEFAULT_CONFIG, port: 0, dataFolder: undefined, ...settings };
  assertConfig(config);
  const contract = await loadContract();
  const clock = config.now === undefined ? systemClock : createFrozenClock(config.now);
  const store = await openStore({
    contract,
    folder: config.dataFolder,
    apiKey: config.apiKey,
    seed: () => loadSeed(config.seed, contract),
    now: clock.now(),
  });
  try {
    const app = createApp({ contract, store, clock, log, plan: config.plan, checkAnswers: config.checkResponses });
    const server = createServer(app);
    await listen(server, config);
    const { port } = server.address() as AddressInfo; // a TCP server that listens has one
    const host = config.host.includes(":") ? `[${config.host}]` : config.host;
    return {
      url: `http://${host}:${port}`,
      port,
      apiKey: config.apiKey,
      async close() {
        await stop(server);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new PortInUseError(host, port) : error);
    });
    server.listen(port, host, resolve);
  });
}

/** Node closes idle connections here and the others once their request is answered. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeIdleConnections();
  });
}
