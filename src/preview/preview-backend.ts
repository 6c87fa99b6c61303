// The fetch handler behind a preview, in a worker or in the page. What it was started with is kept in IndexedDB, since browsers
// stop an idle worker; its records are too, where they shall outlive that.
import type { Seed } from "../domain/state.js";
import { createFetchHandler, type FetchHandler } from "../fetch/fetch-handler.js";
import {
  type BackendOptions,
  browser,
  type Database,
  type Pending,
  type PreviewMethod,
  type Store,
} from "./protocol.js";

/**
 * @param scope tells the previews of one origin apart.
 * @param baseUrl of the API, where it is known before the start: a restarted worker must not touch any other request, which may
 * be a stream that takes a connection as long as the worker holds it.
 */
export function createPreviewBackend(scope: string, baseUrl?: string) {
  const kept = openKeptValues(scope);
  let running: { options: BackendOptions; handler: FetchHandler } | undefined;
  let restoring: Promise<void> | undefined;

  async function open(options: BackendOptions): Promise<void> {
    const { baseUrl: _api, persist, ...handlerOptions } = options;
    const records = persist ? await kept.read<Seed>("records") : undefined;
    const now = options.now === undefined ? new Date() : new Date(options.now);
    // The records have had their times shifted: their present is now.
    const seed = records ? { ...records, asOf: now.toISOString() } : options.seed;
    running = { options, handler: createFetchHandler({ ...handlerOptions, seed }) };
  }

  /** After a stop of the worker. */
  async function restore(): Promise<void> {
    const options = running ? undefined : await kept.read<BackendOptions>("options");
    if (options && !running) await open(options);
  }

  async function keepRecords(): Promise<void> {
    if (running?.options.persist) await kept.write("records", running.handler.exportSeed());
  }

  async function respond(request: Request): Promise<Response> {
    restoring ??= restore();
    await restoring;
    if (!running) return fetch(request);
    const inner = await moveToRoot(request, running.options.baseUrl);
    const response = await running.handler.handle(inner);
    if (request.method !== "GET" && response.ok) await keepRecords();
    return response;
  }

  return {
    /** One that was started like this goes on with its state: of a second tab, or a reload. */
    async start(options: BackendOptions): Promise<void> {
      await restore();
      if (running && JSON.stringify(running.options) === JSON.stringify(options)) return;
      if (running) await kept.remove("records"); // they are of other options
      await kept.write("options", options);
      await open(options);
    },
    /** Undefined for a URL that is not the API's, and before the first start. */
    respond(request: Request): Promise<Response> | undefined {
      const api = running?.options.baseUrl ?? baseUrl;
      const isApi = api !== undefined && request.url.startsWith(api) && request.mode !== "navigate";
      return isApi ? respond(request) : undefined;
    },
    async call(method: PreviewMethod, argument: unknown): Promise<unknown> {
      await restore();
      if (!running) throw new Error("The preview has not been started: call startPreview first.");
      if (method === "reset" && running.options.persist) {
        await kept.remove("records");
        await open(running.options);
        return undefined;
      }
      const result: unknown = await running.handler[method](argument as never);
      await keepRecords();
      return result;
    },
  };
}

/** The handler is the API at the root of an origin. */
async function moveToRoot(request: Request, baseUrl: string): Promise<Request> {
  if (new URL(baseUrl).pathname === "/") return request;
  const { method, headers, signal } = request;
  const body = method === "GET" || method === "HEAD" ? undefined : await request.arrayBuffer();
  const target = request.url.slice(baseUrl.replace(/\/$/, "").length);
  return new Request(`http://preview${target}`, { method, headers, signal, ...(body && { body }) });
}

const STORE = "values";

/** Values in IndexedDB. Where a browser has none, as in some private windows, nothing is kept. */
function openKeptValues(scope: string) {
  let opening: Promise<Database | undefined> | undefined;

  async function run<T>(mode: "readonly" | "readwrite", toRequest: (store: Store) => Pending<T>) {
    opening ??= openDatabase();
    const database = await opening;
    return database && settle(toRequest(database.transaction(STORE, mode).objectStore(STORE)));
  }

  return {
    read: <T>(name: string): Promise<T | undefined> => run("readonly", (store) => store.get(`${scope} ${name}`)),
    write: async (name: string, value: unknown) =>
      void (await run("readwrite", (store) => store.put(value, `${scope} ${name}`))),
    remove: async (name: string) => void (await run("readwrite", (store) => store.delete(`${scope} ${name}`))),
  };
}

async function openDatabase(): Promise<Database | undefined> {
  try {
    const opening = browser.indexedDB.open("notifications-contract", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    return await settle(opening);
  } catch (error) {
    console.warn(
      "notifications-contract: IndexedDB cannot be used, so that a preview starts anew after each reload.",
      error,
    );
    return undefined;
  }
}

function settle<T>(request: Pending<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
