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

/** What it is answered where Prism does not start. */
export interface PrismFault {
  fault: string;
}

const LONGEST_LIST = 5; // made-up lists are always as long as they may be: 50 notifications are a megabyte

process.once("disconnect", () => process.exit()); // halted by SIGSTOP, it does so once it goes on
// Ctrl-C reaches the whole group of processes, but the parent still needs Prism for the answers under way.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.once("message", (settings: PrismSettings) => {
  start(settings).catch((error: unknown) => send({ fault: error instanceof Error ? error.message : String(error) }));
});

/** Prism's command line starts it and says where it listens on stdout alone, where the parent reads it. */
async function start({ document, isDynamic, seed }: PrismSettings): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve("@stoplight/prism-http"));
  loadOneLanguage(require);
  const { createSingleProcessPrism } = await import("@stoplight/prism-cli/dist/util/createServer.js");
  await createSingleProcessPrism({
    document: withGeneratorOptions(document) as unknown as string, // its type asks for a path; it takes the value too
    dynamic: isDynamic,
    seed: seed?.toString() as string, // its type asks for one; without, the data differs every time
    errors: false, // it takes required headers for missing ones, and would answer 500
    cors: false, // the mock's own step does that, as on the reference server
    host: "127.0.0.1",
    port: 0,
    multiprocess: false,
    ignoreExamples: false,
    verboseLevel: "start",
    jsonSchemaFakerFillProperties: true,
  });
}

/** Options of the generator of made-up data that Prism reads from the document alone. */
function withGeneratorOptions(document: object): object {
  return { ...document, "x-json-schema-faker": { "max-items": LONGEST_LIST } };
}

/** The generator of made-up data brings sixty languages in 2,000 files, most of Prism's start. One is used. */
function loadOneLanguage(require: NodeJS.Require): void {
  const path = require.resolve("@faker-js/faker");
  const english = require("@faker-js/faker/locale/en");
  require.cache[path] = Object.assign(new Module(path), { exports: { default: english }, loaded: true });
}

function send(fault: PrismFault): void {
  process.send?.(fault);
}
