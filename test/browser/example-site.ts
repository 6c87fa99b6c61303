// The example front-end as its team would serve it: built by Vite into static files, from an origin of its own.
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { build } from "vite";
import { ROOT } from "../support/command.js";
import { listen } from "../support/listen.js";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

export interface ExampleSite {
  url: string;
  /** The paths that were requested. `/events` is a stream that never ends. */
  requests: readonly string[];
  /** Where its files are. */
  folder: string;
  close(): Promise<void>;
}

/** @param mode of the build: `preview` has the reference server in it. */
export async function startExampleSite(mode = "production"): Promise<ExampleSite> {
  const folder = await mkdtemp(join(tmpdir(), "example-site-"));
  await build({ mode, root: join(ROOT, "test/example-front-end"), logLevel: "error", build: { outDir: folder } });
  const name = "mockServiceWorker.js"; // which `npx msw init` copies
  await copyFile(join(ROOT, "node_modules/msw/lib", name), join(folder, name));
  const requests: string[] = [];
  const site = createServer(async ({ url = "" }, response) => {
    requests.push(url);
    const { pathname } = new URL(url, "http://localhost");
    if (pathname === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: open\n\n"); // and stays open
      return;
    }
    const file = pathname === "/" ? "/index.html" : pathname;
    const bytes = await readFile(join(folder, file)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(bytes);
  });
  return {
    url: await listen(site),
    requests,
    folder,
    async close() {
      await new Promise<void>((resolve) => site.close(() => resolve()).closeAllConnections());
      await rm(folder, { recursive: true, force: true });
    },
  };
}
