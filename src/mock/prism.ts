// Prism, kept alive: whatever ends it, it is started again, and nobody who asks has to know.
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { PrismSettings } from "./prism-child.js";
import { type PrismAnswer, type PrismProcess, type PrismRequest, startPrismProcess } from "./prism-process.js";

export interface Prism {
  /** The process of this moment; undefined while the next one starts. */
  readonly process: Pick<PrismProcess, "pid" | "url"> | undefined;
  /**
   * Asks, and asks the next process once more if this one ends: the mock has no state, so nothing happens twice.
   * @throws PrismGoneError when that one ends too.
   */
  ask(request: PrismRequest): Promise<PrismAnswer>;
  /**
   * Serves another document. The one before is served until this one is ready.
   * @throws an Error with Prism's reason when it cannot serve the document; then the one before stays.
   */
  serve(document: object): Promise<void>;
  /** Ends Prism, also one that is only starting. */
  close(): Promise<void>;
}

/** Prism ended over a request, and its successor too. */
export class PrismGoneError extends Error {
  constructor(cause: unknown) {
    super("Prism ended twice over a request", { cause });
    this.name = "PrismGoneError";
  }
}

const PAUSE_MS = 1000;

/**
 * Starts Prism and keeps it alive until `close`.
 * @throws an Error with Prism's reason when it cannot serve the document.
 */
export async function openPrism(first: PrismSettings, log: Logger): Promise<Prism> {
  let settings = first;
  const closing = new AbortController();
  const { signal } = closing;
  let running: PrismProcess | undefined;
  let next: Promise<PrismProcess>;

  function keep(process: PrismProcess): PrismProcess {
    running = process;
    log.info(`Prism is ready (process ${process.pid})`);
    void process.ended.then((reason) => {
      if (signal.aborted || process !== running) return;
      log.warn(`Prism ended (${reason}). It is started again; requests wait for it.`);
      running = undefined;
      next = restart(settings);
    });
    return process;
  }

  async function restart(wanted: PrismSettings): Promise<PrismProcess> {
    for (;;) {
      try {
        const process = await startPrismProcess(wanted, signal);
        if (wanted === settings) return keep(process);
        await process.end();
        return next;
      } catch (error) {
        if (wanted !== settings) return next;
        if (signal.aborted) throw error;
        log.error(`Prism does not start: ${(error as Error).message}. The next try is in a second.`);
        await sleep(PAUSE_MS, undefined, { signal });
      }
    }
  }

  async function ask(request: PrismRequest): Promise<PrismAnswer> {
    for (let attempt = 1; ; attempt++) {
      const process = await next;
      try {
        return await process.ask(request);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ABORT_ERR") log.warn("Prism does not answer. It is ended.");
        await process.end(); // one that does not answer is as good as gone. `keep` hears of it first, so `next` is new
        if (attempt === 2) throw new PrismGoneError(error);
      }
    }
  }

  next = Promise.resolve(keep(await startPrismProcess(settings, signal)));
  return {
    get process() {
      return running;
    },
    ask,
    async serve(document) {
      const wanted = { ...settings, document };
      const process = await startPrismProcess(wanted, signal);
      if (signal.aborted) return process.end();
      const before = running;
      settings = wanted;
      next = Promise.resolve(keep(process));
      await before?.end();
    },
    async close() {
      closing.abort();
      const last = await next.catch(() => undefined);
      await last?.end();
    },
  };
}
