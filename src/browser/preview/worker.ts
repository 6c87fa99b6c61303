// Served in the place of the worker of earlier releases. Browsers that registered that one load this one again: it
// unregisters itself, and tells the pages of such a release.
const GONE =
  "notifications-contract/preview/worker.js is gone: startPreview runs on Mock Service Worker, with the script of `npx msw init public`.";

interface Worker {
  registration?: { unregister(): Promise<boolean> };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: "install" | "activate" | "message",
    listen: (event: { waitUntil(task: Promise<unknown>): void; ports: { postMessage(value: object): void }[] }) => void,
  ): void;
}

const worker = globalThis as unknown as Worker;
const { registration } = worker;
if (!registration) throw new Error(GONE);
worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(registration.unregister()));
worker.addEventListener("message", ({ ports }) => ports[0]?.postMessage({ error: GONE }));
console.warn(GONE);
