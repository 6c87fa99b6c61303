// Starts the reference server in this browser, for previews without any server.
import { startPreview } from "notifications-contract/preview";
import demo from "notifications-contract/seeds/demo";

/** Resolves once the requests of this page are intercepted. */
export async function start(): Promise<void> {
  const workerUrl = `${import.meta.env.BASE_URL}mockServiceWorker.js`;
  const preview = await startPreview({ seed: demo, workerUrl });
  Object.assign(window, { preview }); // for tests, and for the console of the browser
}
