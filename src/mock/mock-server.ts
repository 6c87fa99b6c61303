// The mock as a value: Prism behind our own HTTP steps, on a port, with the contract's file watched. For the command line
// and for test runners.
import pino, { type Logger } from "pino";
import { assertListening, ConfigError, DEFAULT_CONFIG } from "../config.js";
import { type Contract, loadContract } from "../contract/contract.js";
import { CONTRACT_PATH, ContractError, loadContractText } from "../contract/contract-file.js";
import { watchForSaves } from "../contract/file-watch.js";
import { LIMITS } from "../http/limits.js";
import { startListener } from "../http/listener.js";
import { createSwappableApp } from "../http/swappable-app.js";
import { createMockApp } from "./mock-app.js";
import { openPrism, type Prism } from "./prism.js";
import { toPrismDocument } from "./prism-document.js";

export interface MockOptions {
  /** Default: a free one. */
  port?: number;
  host?: string;
  /** The key that is accepted. */
  apiKey?: string;
  contractPath?: string;
  /** Answer made-up data instead of the contract's examples. */
  isDynamic?: boolean;
  /** With `isDynamic`: the same data every time. */
  seed?: number | undefined;
  /** Where the request log and what happens to Prism goes. Default: nowhere. */
  log?: Logger;
}

export interface RunningMock {
  /** As in `http://127.0.0.1:4020`. */
  url: string;
  port: number;
  apiKey: string;
  /** Prism's process of this moment; undefined while the next one starts. */
  prism(): Prism["process"];
  /** Stops taking requests, answers those under way, and ends Prism. */
  close(): Promise<void>;
}

/**
 * Starts a mock.
 * @throws ConfigError, ContractError or CannotListenError; then nothing runs.
 */
export async function startMock(options: MockOptions = {}): Promise<RunningMock> {
  const { port = 0, host = DEFAULT_CONFIG.host, apiKey = DEFAULT_CONFIG.apiKey, isDynamic = false, seed } = options;
  const { contractPath = CONTRACT_PATH, log = pino({ level: "silent" }) } = options;
  assertListening({ host, port, apiKey });
  if (seed !== undefined && !isDynamic) throw new ConfigError("--seed is for made-up data: give --dynamic too.");

  let contract = await loadContract(contractPath);
  const prism = await startPrism(contract, { isDynamic, seed }, log);
  const stop = new AbortController();
  let fault: string | undefined;
  const build = (served: Contract) =>
    createMockApp({ contract: served, prism, apiKey, log, faultOf: () => fault, stopping: stop.signal });
  const { handle, serverOptions, swap } = createSwappableApp(build(contract));

  async function reload(): Promise<void> {
    try {
      const isServed = loadContractText(contractPath).digest === contract.file.digest;
      if (isServed && fault === undefined) return;
      if (!isServed) {
        const saved = await loadContract(contractPath);
        const built = build(saved);
        await prism.serve(toPrismDocument(saved.document));
        swap(built);
        contract = saved;
      }
      fault = undefined;
      log.info(`${contractPath} is served as it is now, version ${contract.document.info.version}`);
    } catch (error) {
      if (stop.signal.aborted) return; // Prism was not to start any more
      fault = (error as Error).message;
      log.error(`${fault}\nThe last good contract goes on being served.`);
    }
  }

  try {
    const listener = await startListener(handle, { host, port }, LIMITS, serverOptions);
    const watch = watchForSaves(contractPath, () => checked.then(reload));
    const checked = reload(); // a save since the contract was read: the watch has not seen it
    return {
      url: listener.url,
      port: listener.port,
      apiKey,
      prism: () => prism.process,
      async close() {
        stop.abort();
        await listener.stop();
        await prism.close(); // before the watch, which waits for a Prism that is starting
        await Promise.all([watch.close(), checked]);
      },
    };
  } catch (error) {
    await prism.close();
    throw error;
  }
}

async function startPrism(contract: Contract, how: { isDynamic: boolean; seed: number | undefined }, log: Logger) {
  try {
    return await openPrism({ document: toPrismDocument(contract.document), ...how }, log);
  } catch (error) {
    throw new ContractError(contract.file.path, 1, `Prism cannot serve it: ${(error as Error).message}`);
  }
}
