// The service worker of a preview: bundled into one classic script, which any server may serve as it is.
import { createPreviewBackend } from "./preview-backend.js";
import type { Worker } from "./protocol.js";

declare const self: Worker;

const baseUrl = new URL(self.location.href).searchParams.get("baseUrl") ?? undefined;
const backend = createPreviewBackend(self.registration.scope, baseUrl);

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const response = backend.respond(event.request);
  if (response) event.respondWith(response);
});

/** From the page: `{ start }` or `{ method, argument }`; the port gets `{ value }` or `{ error }`. */
self.addEventListener("message", (event) => {
  const [port] = event.ports;
  const { start, method, argument } = event.data;
  if (!port || !(start ?? method)) return; // of another library on the page
  const run = async () => {
    // A page that was reloaded without its cache is not controlled until it is claimed again.
    if (start) return backend.start(start).then(() => self.clients.claim());
    return method && backend.call(method, argument);
  };
  event.waitUntil(
    run().then(
      (value) => port.postMessage({ value }),
      (error: Error) => port.postMessage({ error: error.message }),
    ),
  );
});
