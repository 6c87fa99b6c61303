// The servers that are compared, all running side by side. The reference server holds each size; the others respond with what
// it responds at the size that lists are compared with.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI, ROOT } from "../support/command.js";
import type { Bench } from "./measurements.js";
import { type Program, startProgram, startProgramOnPort } from "./program.js";
import { createDataFolder, provideSeed, startReference } from "./reference.js";
import { createWorkload, MAIN_LIST, type RecordedResponses, recordResponses, type Workload } from "./workload.js";

export const EXPRESS = "Express";
export const PRISM = "Prism";
export const MOCK = "this mock";

/** The name of the reference server with that many records. */
export function referenceAt(size: number): string {
  return `this server, ${size.toLocaleString("en")}`;
}

export interface Contestant {
  name: string;
  server: Program;
  workload: Workload;
}

export interface Contest {
  contestants: readonly Contestant[];
  stop(): Promise<void>;
}

/** Starts all of them; what they need is written into `folder`. */
export async function startContest({ folder, settings, onStep }: Bench): Promise<Contest> {
  const references: Contestant[] = [];
  for (const size of settings.sizes) {
    const name = referenceAt(size);
    onStep(`starting ${name}`);
    const seed = await provideSeed(size);
    const server = await startReference(await createDataFolder(folder, seed), seed);
    references.push({ name, server, workload: await createWorkload(server.url, size) });
  }
  const [, listed] = references;
  if (!listed) throw new Error("there is no size to compare lists with");
  const responses = await recordResponses(listed.server.url, listed.workload);

  onStep("starting the servers to compare with");
  const contestants = [...(await startOthers(folder, listed, responses)), ...references];
  return {
    contestants,
    async stop() {
      await Promise.all(contestants.map(({ server }) => server.stop()));
    },
  };
}

async function startOthers(folder: string, { server, workload }: Contestant, responses: RecordedResponses) {
  const responsesFile = join(folder, "responses.json");
  await writeFile(responsesFile, JSON.stringify(responses));
  const contractFile = join(folder, "contract.json");
  await writeFile(contractFile, JSON.stringify(await toContractWith(responses, server.url, workload)));
  const starts: [string, () => Promise<Program>][] = [
    [EXPRESS, () => startProgram([BARE_EXPRESS, responsesFile])],
    [PRISM, () => startProgramOnPort((port) => [...PRISM_ARGS, "--port", String(port), contractFile])],
    [MOCK, () => startProgram([CLI, "mock", "--port", "0", "--contract", contractFile])],
  ];
  const contestants: Contestant[] = [];
  for (const [name, start] of starts) contestants.push({ name, server: await start(), workload });
  return contestants;
}

const PRISM_ARGS = [
  join(ROOT, "node_modules/@stoplight/prism-cli/dist/index.js"),
  ...["mock", "--host", "127.0.0.1", "--verboseLevel", "error"],
];

const BARE_EXPRESS = fileURLToPath(new URL("bare-express.js", import.meta.url));

/** The contract whose only example of each success is the recorded response, for mocks that respond with examples. */
async function toContractWith({ pages, preferences }: RecordedResponses, url: string, { lists }: Workload) {
  const contract = (await (await fetch(`${url}/openapi.json`)).json()) as Contract;
  setExample(contract.paths["/v1/notifications"]?.get, pages[lists.get(MAIN_LIST)?.[0]?.path ?? ""]);
  setExample(contract.paths["/v2/subscribers/{subscriberId}/preferences"]?.patch, preferences);
  return contract;
}

function setExample(operation: OperationPart | undefined, value: unknown): void {
  const content = operation?.responses["200"]?.content["application/json"];
  if (!content) throw new Error("the contract has changed: it has no such response");
  content.examples = { recorded: { value } };
}

/** The contract as far as its examples go. */
interface Contract {
  paths: Record<string, Partial<Record<"get" | "patch", OperationPart>>>;
}

interface OperationPart {
  responses: Record<string, { content: Record<string, { examples: Record<string, { value: unknown }> }> }>;
}
