// Servers compared: each has its turn in every round, one at a time, in an order that alternates.
import { setTimeout as pause } from "node:timers/promises";
import { type LoadRequest, load } from "./load.js";
import { type Program, readProcessorMs } from "./program.js";
import { type Bench, type Contestant, EXPRESS, MOCK, PRISM, referenceAt, startContestants } from "./servers.js";
import type { Settings } from "./settings.js";
import { MAIN_LIST, UNFILTERED } from "./workload.js";

const REST_MS = 1_200; // longer than our server idles before it compacts

export interface Comparison {
  /** The name of a list in the workload, or `update`. */
  title: string;
  rows: Row[];
}

/** One value for each round. */
export interface Row {
  server: string;
  perSecond: number[];
  p50Ms: number[];
  /** For each response, in µs: of all that a turn causes, even after its end, as our server does when it compacts. */
  processorUs: number[];
  failures: number;
}

interface Entrant {
  name: string;
  server: Program;
  requests: readonly LoadRequest[];
}

export async function runComparisons(bench: Bench): Promise<Comparison[]> {
  const { sections } = bench.settings;
  if (!sections.includes("list") && !sections.includes("update")) return [];
  const contestants = await startContestants(bench);
  try {
    const lists = sections.includes("list") ? await compareLists(bench, contestants) : [];
    return [...lists, ...(sections.includes("update") ? [await compareUpdates(bench, contestants)] : [])];
  } finally {
    await Promise.all(contestants.map(({ server }) => server.stop()));
  }
}

/**
 * The main list on all servers, the unfiltered one on a reference server of each size, the others beside bare Express
 * alone.
 */
async function compareLists({ settings, onStep }: Bench, contestants: readonly Contestant[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  const [fewest, listed, most] = settings.sizes.map(referenceAt);
  for (const title of contestants[0]?.workload.lists.keys() ?? []) {
    const others: Record<string, unknown[]> = { [MAIN_LIST]: [PRISM, MOCK], [UNFILTERED]: [fewest, most] };
    const names = [EXPRESS, listed, ...(others[title] ?? [])];
    const entrants = contestants.flatMap(({ name, server, workload }): Entrant[] => {
      const request = workload.lists.get(title);
      return request && names.includes(name) ? [{ name, server, requests: [request] }] : [];
    });
    onStep(`list by ${title}`);
    comparisons.push(await compare(title, entrants, settings));
  }
  return comparisons;
}

function compareUpdates({ settings, onStep }: Bench, contestants: readonly Contestant[]): Promise<Comparison> {
  onStep("update");
  const entrants = contestants.map(({ workload, ...contestant }) => ({ ...contestant, requests: workload.updates }));
  return compare("update", entrants, settings);
}

async function compare(
  title: string,
  entrants: readonly Entrant[],
  { rounds, seconds }: Settings,
): Promise<Comparison> {
  const turn = async ({ server, requests }: Entrant) => {
    const before = await readProcessorMs(server);
    const { responses, ...sample } = await load({ url: server.url, seconds, requests });
    if (title === "update") await rest(server);
    const processorMs = (await readProcessorMs(server)) - before;
    return { ...sample, processorUs: (processorMs * 1000) / responses };
  };

  for (const entrant of entrants) await turn(entrant); // warms up; counts for nothing
  const rows = new Map(entrants.map(({ name }) => [name, toRow(name)]));
  for (let round = 0; round < rounds; round++) {
    for (const entrant of round % 2 === 0 ? entrants : entrants.toReversed()) {
      const { perSecond, p50Ms, processorUs, failures } = await turn(entrant);
      const row = rows.get(entrant.name) as Row; // each entrant has one
      row.perSecond.push(perSecond);
      row.p50Ms.push(p50Ms);
      row.processorUs.push(processorUs);
      row.failures += failures;
    }
  }
  return { title, rows: [...rows.values()] };
}

function toRow(server: string): Row {
  return { server, perSecond: [], p50Ms: [], processorUs: [], failures: 0 };
}

/** Waits until a server is idle: ours compacts its journal then, which must not slow the next one's turn. */
async function rest(server: Program): Promise<void> {
  let before: number;
  let now = await readProcessorMs(server);
  do {
    await pause(REST_MS);
    before = now;
    now = await readProcessorMs(server);
  } while (now > before);
}
