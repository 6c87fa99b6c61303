// `startPreview`: the reference server in this browser, behind a service worker, or behind `fetch` where there can be none.
import { assertOptions, type Check, TEXT } from "../domain/options.js";
import type { FetchHandler, FetchHandlerOptions } from "../fetch/fetch-handler.js";
import { browser, METHODS, type Message, type PreviewMethod } from "./protocol.js";

export interface PreviewOptions extends FetchHandlerOptions {
  /** Where the front-end expects the API. Default: `https://api.example.com`. */
  baseUrl?: string;
  /** Keeps the records in IndexedDB, so that they survive the stop of the worker, and a reload. */
  persist?: boolean;
  /** Where the worker is served. Default: `/notifications-contract-worker.js`, as by `notifications-contract/vite`. */
  workerUrl?: string;
}

/** The methods of the fetch handler, each with a promise. `reset` is `resetPreview`. */
export type Preview = {
  [Method in PreviewMethod]: (
    ...parameters: Parameters<FetchHandler[Method]>
  ) => Promise<Awaited<ReturnType<FetchHandler[Method]>>>;
} & {
  /** `fetch`: where workers are not allowed, this page's `fetch` is replaced. */
  readonly mode: "worker" | "fetch";
};

type Send = (message: Message) => Promise<unknown>;

const DEFAULT_WORKER = "/notifications-contract-worker.js";
const ANY: Check = ["anything", () => true]; // the fetch handler checks what is its own
const OPTIONS: Record<keyof PreviewOptions, Check> = {
  ...{ baseUrl: TEXT, workerUrl: TEXT, persist: ["true or false", (value: unknown) => typeof value === "boolean"] },
  ...{ seed: ANY, now: ANY, faults: ANY, apiKey: ANY, plan: ANY, delayMs: ANY },
};

let started: Promise<Preview> | undefined;

/** Resolves once requests of this page to the API have the preview's responses. A second call changes the options. */
export function startPreview(options: PreviewOptions): Promise<Preview> {
  assertOptions("startPreview", options, OPTIONS, ["seed"]);
  started = start(options);
  return started;
}

/** Brings the records, the clock and the faults back to the start, kept ones included. */
export async function resetPreview(): Promise<void> {
  if (!started) throw new Error("resetPreview: there is no preview. Call startPreview first.");
  await (await started).reset();
}

async function start({ baseUrl, workerUrl = DEFAULT_WORKER, ...more }: PreviewOptions): Promise<Preview> {
  const options = { ...more, baseUrl: new URL(baseUrl ?? "https://api.example.com", browser.location.href).href };
  const connected = await connectWorker(workerUrl, options.baseUrl).catch((error: Error) => {
    console.info(`notifications-contract: the preview replaces this page's fetch. ${error.message}`);
    return undefined;
  });
  const send = connected ?? (await patchFetch());
  await send({ start: options });
  if (connected) await isControlled();
  const call = (method: PreviewMethod) => (argument?: unknown) => send({ method, argument });
  const calls = Object.fromEntries(METHODS.map((method) => [method, call(method)]));
  return { ...calls, mode: connected ? "worker" : "fetch" } as unknown as Preview;
}

/** @throws Error that says why there is no worker, and what to do. */
async function connectWorker(url: string, baseUrl: string): Promise<Send> {
  const { serviceWorker } = browser.navigator;
  if (!serviceWorker) throw new Error("This page may have no service worker: that takes https or localhost.");
  const script = new URL(url, browser.location.href);
  script.searchParams.set("baseUrl", baseUrl);
  const registration = await serviceWorker.register(script.href, { updateViaCache: "none" }).catch((cause: Error) => {
    const remedy =
      "Add the plugin of notifications-contract/vite, or serve dist/preview/worker.js of the package there";
    throw new Error(`The service worker ${url} cannot be registered (${cause.message}). ${remedy}.`, { cause });
  });
  await serviceWorker.ready;
  return (message) =>
    new Promise((resolve, reject) => {
      const { port1, port2 } = new browser.MessageChannel();
      port1.onmessage = ({ data: { value, error } }) => (error ? reject(new Error(error)) : resolve(value));
      registration.active?.postMessage(message, [port2]);
    });
}

/** The worker claims the page as it starts. */
function isControlled(): Promise<void> {
  const { serviceWorker } = browser.navigator;
  return new Promise((resolve) => {
    if (!serviceWorker || serviceWorker.controller) return resolve();
    serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true });
  });
}

let patched: Promise<Send> | undefined;

function patchFetch(): Promise<Send> {
  patched ??= import("./preview-backend.js").then(({ createPreviewBackend }) => {
    const backend = createPreviewBackend("page");
    const original = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      const response = await (backend.respond(request) ?? original(request));
      request.signal.throwIfAborted();
      if (response.type === "error") throw new TypeError("fetch failed: an injected fault has disconnected");
      return response;
    };
    return ({ start: options, method, argument }) =>
      options ? backend.start(options) : backend.call(method as PreviewMethod, argument);
  });
  return patched;
}
