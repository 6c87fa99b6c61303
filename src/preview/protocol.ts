// What a page and the backend of its preview say to each other, and the part of browsers that both need. DOM's own types would
// be those of the whole package.
import type { FetchHandler, FetchHandlerOptions } from "../fetch/fetch-handler.js";

export interface BackendOptions extends FetchHandlerOptions {
  /** Where the API is, resolved. Requests to other URLs are not touched. */
  baseUrl: string;
  /** Keeps the records in IndexedDB, so that they survive the stop of the worker, and a reload. */
  persist?: boolean;
}

/** The methods of the fetch handler that a preview has. */
export const METHODS = [
  ...(["addSubscriber", "addWorkflow", "addNotifications", "addFault", "clearFaults"] as const),
  ...(["setClock", "advanceClock", "requests", "reset"] as const),
] satisfies (keyof FetchHandler)[];

export type PreviewMethod = (typeof METHODS)[number];

/** A start, or a call. The port gets `{ value }` or `{ error }`. */
export interface Message {
  start?: BackendOptions;
  method?: PreviewMethod;
  argument?: unknown;
}

export interface Port {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: { value?: unknown; error?: string } }) => void) | null;
}

export interface Database {
  createObjectStore(name: string): void;
  transaction(name: string, mode: "readonly" | "readwrite"): { objectStore(name: string): Store };
}

export interface Store {
  get(key: string): Pending<never>;
  put(value: unknown, key: string): Pending<unknown>;
  delete(key: string): Pending<unknown>;
}

export interface Pending<T> {
  result: T;
  error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface Registration {
  scope: string;
  active: { postMessage(message: Message, ports: Port[]): void } | null;
}

interface Browser {
  location: { href: string };
  navigator: {
    serviceWorker?: {
      controller: unknown;
      ready: Promise<Registration>;
      register(url: string, options: { updateViaCache: "none" }): Promise<Registration>;
      addEventListener(type: "controllerchange", listen: () => void, options: { once: true }): void;
    };
  };
  MessageChannel: new () => { port1: Port; port2: Port };
  indexedDB: { open(name: string, version: number): Pending<Database> & { onupgradeneeded: (() => void) | null } };
}

export const browser = globalThis as unknown as Browser;

export interface WorkerEvent {
  request: Request;
  data: Message;
  ports: Port[];
  respondWith(response: Promise<Response>): void;
  waitUntil(task: Promise<unknown>): void;
}

export interface Worker {
  location: { href: string };
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate" | "fetch" | "message", listen: (event: WorkerEvent) => void): void;
}
