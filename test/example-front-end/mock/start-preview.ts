// The reference server in this browser, for previews without any server. `?backend=msw` has it behind Mock Service Worker.
import { startPreview } from "notifications-contract/preview";
import demo from "notifications-contract/seeds/demo";

/** Resolves once this page's requests have responses. */
export async function start(settings: URLSearchParams): Promise<void> {
  if (settings.get("backend") === "msw") return (await import("./start-msw")).start();
  const preview = await startPreview({ seed: demo, persist: settings.has("persist") });
  Object.assign(window, { preview }); // for tests, and for the console of the browser
}
