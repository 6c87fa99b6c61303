// The Vite plugin of a preview: serves the worker in development, and adds it to builds with `--mode preview`. In any other
// build it does nothing. Vite's types are not imported: it is the project's own, of any version.
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { assertOptions } from "../domain/options.js";

export interface PreviewPluginOptions {
  /** Whether builds have the worker. Default: those with `--mode preview`. */
  preview?: boolean;
}

interface Server {
  config: { base: string };
  middlewares: {
    use(
      path: string,
      handle: (request: unknown, response: ServerResponse, next: (error?: unknown) => void) => void,
    ): void;
  };
}

interface BuildContext {
  emitFile(file: { type: "asset"; fileName: string; source: string }): string;
}

/** The part of Vite's `Plugin` that it has. */
export interface PreviewPlugin {
  name: string;
  configResolved(config: { mode: string; command: "build" | "serve" }): void;
  configureServer(server: Server): void;
  generateBundle(this: BuildContext): Promise<void>;
}

const FILE_NAME = "notifications-contract-worker.js";

const readWorker = () => readFile(new URL("worker.js", import.meta.url), "utf8");

export function notificationsContract(options: PreviewPluginOptions = {}): PreviewPlugin {
  const isBoolean = (value: unknown) => typeof value === "boolean";
  assertOptions("notificationsContract", options, { preview: ["true or false", isBoolean] });
  let isPreview = false;
  return {
    name: "notifications-contract",
    configResolved({ mode }) {
      isPreview = options.preview ?? mode === "preview";
    },
    configureServer({ config, middlewares }) {
      middlewares.use(`${config.base}${FILE_NAME}`, (_request, response, next) => {
        response.setHeader("content-type", "text/javascript").setHeader("cache-control", "no-store");
        readWorker().then((source) => response.end(source), next);
      });
    },
    async generateBundle() {
      if (isPreview) this.emitFile({ type: "asset", fileName: FILE_NAME, source: await readWorker() });
    },
  };
}
