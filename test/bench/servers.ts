// The servers: the reference server as its own command runs it, durable and with its log, and those that it is compared
// with, which respond with what it responds.
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI, ROOT } from "../support/command.js";
import { multiplyDemoSeed } from "../support/large-seed.js";
import { type Program, startProgram, startProgramOnPort } from "./program.js";
import type { Settings } from "./settings.js";
import { createWorkload, MAIN_LIST, type RecordedResponses, recordResponses, type Workload } from "./workload.js";

export const EXPRESS = "Express";
export const PRISM = "Prism";
export const MOCK = "this mock";
export const IN_MEMORY = "this server, in memory";

/** The name of the reference server with that many records. */
export function referenceAt(size: number): string {
  return `this server, ${size.toLocaleString("en")}`;
}

export interface Bench {
  /** A folder for this run. */
  folder: string;
  settings: Settings;
  onStep: (step: string) => void;
}

export interface Contestant {
  name: string;
  server: Program;
  workload: Workload;
}

/** The present of every seed. The servers' clocks are frozen at it, so that every run lists the same bytes. */
const AS_OF = "2026-11-02T09:00:00.000Z";

/** The file of a seed with that many notifications, and as many subscribers, multiplied from the demo seed. */
export async function provideSeed({ folder }: Bench, size: number): Promise<string> {
  const path = join(folder, `multiplied-${size}.json`);
  if (!existsSync(path)) await writeFile(path, multiplyDemoSeed({ notifications: size, subscribers: size }));
  return path;
}

/** The server on a data folder, which a seed's name or file fills if it is new, or else in memory. */
export function startReference(folder: string | undefined, seed: string): Promise<Program> {
  const place = folder === undefined ? ["--ephemeral"] : ["--data", folder];
  return startProgram([CLI, "serve", "--port", "0", ...place, "--seed", seed, "--now", AS_OF]);
}

/** A new data folder, with a large seed stored in it. Storing that takes ten seconds, so it is done once and copied. */
async function createDataFolder(above: string, seed: string): Promise<string> {
  const folder = await mkdtemp(join(above, "data-"));
  if (seed === "demo") return folder;
  const stored = join(above, `stored-${basename(seed)}`);
  if (!existsSync(stored)) await (await startReference(stored, seed)).stop();
  await cp(stored, folder, { recursive: true });
  return folder;
}

/** Lends a server on a new data folder with a seed stored in it. */
export async function withReference<T>(
  { folder: above }: Bench,
  seed: string,
  use: (server: Program, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await createDataFolder(above, seed);
  const server = await startReference(folder, seed);
  try {
    return await use(server, folder);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/**
 * Starts all servers that are compared, side by side: a reference server for each size, one in memory, and the others
 * with the responses of the middle size.
 */
export async function startContestants(bench: Bench): Promise<Contestant[]> {
  const { folder, settings, onStep } = bench;
  const references: Contestant[] = [];
  const add = async (name: string, size: number, data?: string) => {
    onStep(`starting ${name}`);
    const server = await startReference(data, await provideSeed(bench, size));
    references.push({ name, server, workload: await createWorkload(server.url, size) });
  };
  for (const size of settings.sizes) await add(referenceAt(size), size, await mkdtemp(join(folder, "data-")));
  await add(IN_MEMORY, settings.sizes[0]); // as test runs use it
  onStep("starting the servers to compare with");
  // Lists are compared at the middle size.
  return [...(await startOthers(folder, references[1] as Contestant)), ...references];
}

async function startOthers(folder: string, { server, workload }: Contestant): Promise<Contestant[]> {
  const responses = await recordResponses(server.url, workload);
  const responsesFile = join(folder, "responses.json");
  await writeFile(responsesFile, JSON.stringify(responses));
  const contractFile = join(folder, "contract.json");
  await writeFile(contractFile, JSON.stringify(await toContractWith(responses, server.url, workload)));
  const prism = join(ROOT, "node_modules/@stoplight/prism-cli/dist/index.js");
  const options = ["mock", "--host", "127.0.0.1", "--verboseLevel", "error"];
  const bareExpress = fileURLToPath(new URL("bare-express.js", import.meta.url));
  const servers = {
    [EXPRESS]: await startProgram([bareExpress, responsesFile]),
    [PRISM]: await startProgramOnPort((port) => [prism, ...options, "--port", String(port), contractFile]),
    [MOCK]: await startProgram([CLI, "mock", "--port", "0", "--contract", contractFile]),
  };
  return Object.entries(servers).map(([name, server]) => ({ name, server, workload }));
}

type Operation = { responses: { 200: { content: { "application/json": { examples: object } } } } };

/**
 * The contract with the recorded response as the only example of each success, for mocks that respond with examples.
 */
async function toContractWith({ pages, preferences }: RecordedResponses, url: string, { lists }: Workload) {
  const contract = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { get: Operation; patch: Operation }>;
  };
  const setExample = (operation: Operation | undefined, value: unknown) =>
    Object.assign(operation?.responses[200].content["application/json"] ?? {}, { examples: { recorded: { value } } });
  setExample(contract.paths["/v1/notifications"]?.get, pages[lists.get(MAIN_LIST)?.path ?? ""]);
  setExample(contract.paths["/v2/subscribers/{subscriberId}/preferences"]?.patch, preferences);
  return contract;
}
