// The example front-end as its team would serve it: built by Vite into static files, from an origin of its own.
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { build } from "vite";
import { ROOT } from "../support/command.js";
import { listen } from "../support/listen.js";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

export interface Site {
  /** Of its first page. */
  url: string;
  /** The paths that were requested. */
  requests: readonly string[];
  close(): Promise<void>;
}

export interface ExampleSite extends Site {
  /** Where its files are. */
  folder: string;
}

/** @param options.mode of the build: `preview` has the reference server in it. */
export async function startExampleSite({ mode = "production", base = "/" } = {}): Promise<ExampleSite> {
  const folder = await mkdtemp(join(tmpdir(), "example-site-"));
  await build({ mode, base, root: join(ROOT, "test/example-front-end"), logLevel: "error", build: { outDir: folder } });
  const name = "mockServiceWorker.js"; // which `npx msw init` copies
  await copyFile(join(ROOT, "node_modules/msw/lib", name), join(folder, name));
  const site = await serveFolder(folder, base);
  return {
    ...site,
    folder,
    async close() {
      await site.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Serves the files below the base. A file without an extension is a page; what does not exist is the text `network`. */
export async function serveFolder(folder: string, base = "/"): Promise<Site> {
  const requests: string[] = [];
  const site = createServer(async ({ url = "" }, response) => {
    requests.push(url);
    const { pathname } = new URL(url, "http://localhost");
    const path = pathname.startsWith(base) ? pathname.slice(base.length) : "missing";
    const bytes = await readFile(join(folder, path || "index.html")).catch(() => undefined);
    const type = TYPES[extname(path) || ".html"] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": bytes ? type : "text/plain" }).end(bytes ?? "network");
  });
  return {
    url: (await listen(site)) + base.replace(/\/$/, ""),
    requests,
    close: () => new Promise<void>((resolve) => site.close(() => resolve()).closeAllConnections()),
  };
}
