// The example front-end as its team would serve it: built by Vite into static files, from an origin of its own.
import { copyFile, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { build } from "vite";
import { afterAll } from "vitest";
import { ROOT } from "../support/command.js";
import { copyExample } from "../support/example.js";
import { listen } from "../support/listen.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

export interface Site {
  url: string;
  /** The paths that were requested. */
  requests: readonly string[];
  /** The folder of its files. */
  folder: string;
}

/** @param options.mode of the build: `preview` has the reference server in it. */
export async function startExampleSite({ mode = "production", base = "/" } = {}): Promise<Site> {
  const folder = await createTemporaryFolder(afterAll);
  const root = await copyExample("vite");
  await build({ configFile: false, mode, base, root, logLevel: "error", build: { outDir: folder } });
  const name = "mockServiceWorker.js"; // which `npx msw init` copies
  await copyFile(join(ROOT, "node_modules/msw/lib", name), join(folder, name));
  return serveFolder(folder, base);
}

/**
 * Serves the files below the base until the file of tests ends. A file without an extension is a page; what does not
 * exist is the text `network`.
 */
export async function serveFolder(folder: string, base = "/"): Promise<Site> {
  const requests: string[] = [];
  const server = createServer(async ({ url = "" }, response) => {
    requests.push(url);
    const { pathname } = new URL(url, "http://localhost");
    const path = pathname.startsWith(base) ? pathname.slice(base.length) : "missing";
    const bytes = await readFile(join(folder, path || "index.html")).catch(() => undefined);
    const type = TYPES[extname(path) || ".html"] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": bytes ? type : "text/plain" }).end(bytes ?? "network");
  });
  afterAll(() => server.close().closeAllConnections());
  return { url: (await listen(server)) + base.replace(/\/$/, ""), requests, folder };
}
