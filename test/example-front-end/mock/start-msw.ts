// The reference server behind Mock Service Worker, in the page itself. Its worker script is the one of `npx msw init public`.
import { http } from "msw";
import { setupWorker } from "msw/browser";
import { createFetchHandler } from "notifications-contract/fetch";
import demo from "notifications-contract/seeds/demo";

const handler = createFetchHandler({ seed: demo });
const worker = setupWorker(http.all("https://api.example.com/*", ({ request }) => handler.handle(request)));

/** Resolves once it handles this page's requests. */
export async function start(): Promise<void> {
  await worker.start({ onUnhandledRequest: "bypass" });
  Object.assign(window, { preview: handler }); // for tests
}
