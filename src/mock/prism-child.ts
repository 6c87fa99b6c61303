// Prism in a process of its own, so that what kills it kills nothing else. It serves the document it is sent, on a port
// that the system chooses, and ends with its parent, however that one ends. Not for import: prism-process.ts forks it.
import Module, { createRequire } from "node:module";

/** What the parent sends, once. */
export interface PrismSettings {
  document: object;
  /** Made-up data instead of examples. */
  isDynamic: boolean;
  /** The same made-up data every time. */
  seed: number | undefined;
}

/** What it is answered, once. */
export type PrismReport = { url: string } | { fault: string };

const LONGEST_LIST = 5; // made-up lists are always as long as they may be: 50 notifications are a megabyte

process.once("disconnect", () => process.exit());
// Ctrl-C reaches the whole group of processes, but the parent still needs Prism for the answers under way.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.once("message", (settings: PrismSettings) => {
  start(settings).then(
    (url) => send({ url }),
    (error: unknown) => send({ fault: error instanceof Error ? error.message : String(error) }),
  );
});

async function start({ document, isDynamic, seed }: PrismSettings): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve("@stoplight/prism-http"));
  loadOneLanguage(require);
  const { getHttpOperationsFromSpec } = await import("@stoplight/prism-http");
  const { createServer } = await import("@stoplight/prism-http-server");
  const { createLogger } = await import("@stoplight/prism-core");
  require("json-schema-faker").JSONSchemaFaker.option("maxItems", LONGEST_LIST); // Prism has no option for it
  const operations = await getHttpOperationsFromSpec(document);
  const server = createServer(operations, {
    cors: false,
    config: {
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: false, // it takes required headers for missing ones, and the contract's examples have their tests
      errors: false,
      upstreamProxy: undefined,
      mock: { dynamic: isDynamic, ...(seed === undefined ? {} : { seed: String(seed) }) },
    },
    components: { logger: createLogger("prism", { level: "silent" }) },
  });
  return server.listen(0, "127.0.0.1");
}

/** The generator of made-up data brings sixty languages in 2,000 files, most of Prism's start. One is used. */
function loadOneLanguage(require: NodeJS.Require): void {
  const path = require.resolve("@faker-js/faker");
  const english = require("@faker-js/faker/locale/en");
  require.cache[path] = Object.assign(new Module(path), { exports: { default: english }, loaded: true });
}

function send(report: PrismReport): void {
  process.send?.(report);
}
