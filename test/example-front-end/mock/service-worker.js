// The reference server in a service worker. The browser stops a worker that is idle; its state then starts anew.
import { createFetchHandler } from "notifications-contract/fetch";
import demo from "notifications-contract/seeds/demo";

const handler = createFetchHandler({ seed: demo });

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.url.startsWith("https://api.example.com/")) event.respondWith(handler.handle(event.request));
});

// For tests: `{ method: "addFault", argument: { status: 503 } }` calls the handler's method.
self.addEventListener("message", async ({ data: { method, argument }, ports: [port] }) => {
  port.postMessage(await handler[method](argument));
});
