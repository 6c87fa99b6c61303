// `startPreview`: the reference server in this page, behind Mock Service Worker, or behind the page's `fetch` without a
// worker.
import { assertOptions } from "../../core/options.js";
import { createFetchHandler, type FetchHandler, type FetchHandlerOptions, OPTIONS } from "../fetch/fetch-handler.js";

export interface PreviewOptions extends FetchHandlerOptions {
  /** Where the front-end expects the API. Default: `basePath` of the page's origin, or `https://api.example.com`. */
  baseUrl?: string;
  /** The URL of the script that `npx msw init` writes. Default: `/mockServiceWorker.js`. */
  workerUrl?: string;
}

const METHODS = [
  "addSubscriber",
  "addWorkflow",
  "addNotifications",
  "addFault",
  "clearFaults",
  "setClock",
  "advanceClock",
  "requests",
  "reset",
] as const satisfies (keyof FetchHandler)[];

type PreviewMethod = (typeof METHODS)[number];

/** The methods of the fetch handler, each with a promise. */
export type Preview = {
  [Method in PreviewMethod]: (
    ...parameters: Parameters<FetchHandler[Method]>
  ) => Promise<Awaited<ReturnType<FetchHandler[Method]>>>;
} & {
  /** `fetch` if no worker can be used: then this page's `fetch` is replaced. */
  readonly mode: "worker" | "fetch";
};

/** The DOM's own types would apply to the whole package. */
interface Page {
  location: { href: string };
  navigator: { serviceWorker?: { getRegistrations(): Promise<Registration[]> } };
  sessionStorage: Record<string, string>;
}
type Registration = { scope: string; active: { scriptURL: string } | null };

const page = globalThis as unknown as Page;
const isUrl = (value: unknown) => typeof value === "string" && URL.canParse(value, page.location.href);
const PREVIEW_OPTIONS = { ...OPTIONS, baseUrl: ["a URL", isUrl], workerUrl: ["a URL", isUrl] } as const;

/** Responds to this page's requests. A further call of `startPreview` replaces it. */
let current: ReturnType<typeof createBackend> | undefined;
let connected: Promise<Preview["mode"]> | undefined;

/** Resolves once the preview responds to this page's requests to the API. Its records survive a reload of the tab. */
export async function startPreview(options: PreviewOptions): Promise<Preview> {
  if (!("location" in globalThis))
    throw new Error(
      "startPreview needs a page of a browser. On a server, use createFetchHandler of notifications-contract/fetch.",
    );
  assertOptions("startPreview", options, PREVIEW_OPTIONS, ["seed"]);
  const { basePath, workerUrl = "/mockServiceWorker.js", ...handlerParts } = options;
  // The handler gets paths below it.
  const { baseUrl = basePath ?? "https://api.example.com", ...handlerOptions } = handlerParts;
  current = createBackend(new URL(baseUrl, page.location.href), handlerOptions);
  connected ??= connectWorker(new URL(workerUrl, page.location.href).href).catch((error: Error) => {
    console.info(`notifications-contract: the preview replaces this page's fetch. ${error.message}`);
    return replaceFetch();
  });
  const calls = METHODS.map((method) => [method, (argument?: unknown) => current?.call(method, argument)]);
  return { ...Object.fromEntries(calls), mode: await connected } as Preview;
}

/** @throws TypeError for an invalid option of the fetch handler, before anything is stored. */
function createBackend(api: URL, options: FetchHandlerOptions) {
  const started = JSON.stringify(options);
  let handler = openKept(started, options) ?? createFetchHandler(options);
  const keep = () =>
    useStorage((storage) => {
      delete storage[KEY]; // or an older state would remain if the storage is full
      storage[KEY] = JSON.stringify({ started, seed: handler.exportSeed() });
    });
  keep();
  const root = api.pathname.replace(/\/$/, "");
  // The page's own files are not requests to the API.
  const isBesidePage = root === "" && api.origin === new URL(page.location.href).origin;
  const prefixes = isBesidePage ? ["/v1", "/v2"] : [root];

  return {
    /** Undefined for a request that is not the API's. */
    async respond(request: Request): Promise<Response | undefined> {
      const { origin, pathname, search } = new URL(request.url);
      const isBelow = prefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
      if (origin !== api.origin || !isBelow || request.mode === "navigate") return undefined;
      const { method, headers, signal } = request;
      const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
      // The handler is the root of an origin.
      const target = `http://preview${pathname.slice(root.length) || "/"}${search}`;
      const response = await handler.handle(new Request(target, { method, headers, signal, body }));
      if (method !== "GET" && response.ok) keep();
      return response;
    },
    async call(method: PreviewMethod, argument: unknown): Promise<unknown> {
      if (method === "reset") handler = createFetchHandler(options); // without the stored records
      const call = handler[method] as (argument: unknown) => unknown;
      const result = await call(argument);
      if (method !== "requests") keep();
      return result;
    },
  };
}

const KEY = "notifications-contract";
let isWarned = false;

/** Storage may be denied, full or unreadable: the preview then works without it, and warns once. */
function useStorage<T>(use: (storage: Page["sessionStorage"]) => T): T | undefined {
  try {
    return use(page.sessionStorage);
  } catch (error) {
    if (!isWarned) console.warn("notifications-contract: the preview cannot keep its records over a reload.", error);
    isWarned = true;
    return undefined;
  }
}

/** Undefined if nothing is stored, or the options were different. */
function openKept(started: string, options: FetchHandlerOptions): FetchHandler | undefined {
  return useStorage((storage) => {
    const kept = JSON.parse(storage[KEY] ?? "{}");
    if (kept.started !== started) return undefined;
    const asOf = new Date(options.now ?? Date.now()).toISOString(); // times of stored records are already shifted
    return createFetchHandler({ ...options, seed: { ...kept.seed, asOf } });
  });
}

/** @throws Error with the reason why there is no worker, and what to do. */
async function connectWorker(url: string): Promise<"worker"> {
  const { serviceWorker } = page.navigator;
  if (!serviceWorker) throw new Error("This page cannot have a service worker, which requires https or localhost.");
  const registered = (await serviceWorker.getRegistrations()).find(({ active }) => active?.scriptURL === url);
  const scope = registered?.scope ?? new URL(".", url).href;
  if (!page.location.href.startsWith(scope))
    // MSW would reload the page forever
    throw new Error(
      `This page is outside of ${scope}, the scope of its worker: set \`workerUrl\` to one at or above the page.`,
    );
  const script = await (await fetch(url)).text();
  if (!script.includes("MOCK_ACTIVATE"))
    // MSW would wait for any other script forever
    throw new Error(`There is no worker of MSW at ${url}: run \`npx msw init public\`, or set \`workerUrl\`.`);
  const [{ http }, { setupWorker }] = await Promise.all([
    import("msw").catch(failWithoutMsw), // bundlers accept a missing package only where its failure is handled
    import("msw/browser").catch(failWithoutMsw),
  ]);
  const worker = setupWorker(http.all("*", ({ request }) => current?.respond(request)));
  const bypass = { onUnhandledRequest: "bypass", onUnhandledFrame: "bypass" } as const; // as MSW 2 and 3 name it
  await worker.start({ ...bypass, quiet: true, serviceWorker: { url } });
  return "worker";
}

function failWithoutMsw(cause: unknown): never {
  throw new Error("MSW could not be loaded. Is it installed? Run `npm i -D msw`.", { cause });
}

function replaceFetch(): "fetch" {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = (await current?.respond(request)) ?? (await original(request));
    request.signal.throwIfAborted();
    if (response.type === "error") throw new TypeError("fetch failed: an injected fault has disconnected");
    return response;
  };
  return "fetch";
}
