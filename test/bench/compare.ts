// Servers compared: each has its turn in every round, one at a time, in an order that alternates.
import { setTimeout as pause } from "node:timers/promises";
import { type LoadRequest, load, type Sample } from "./load.js";
import { type Program, readProcessorMs } from "./program.js";
import { type Bench, type Contestant, EXPRESS, MOCK, PRISM, referenceAt, startContestants } from "./servers.js";
import { BUSY_CONNECTIONS, type Settings } from "./settings.js";
import { MAIN_LIST, UNFILTERED, type Workload } from "./workload.js";

const REST_MS = 500; // as long as our server idles before it compacts

export interface Comparison {
  /** The name of a list in the workload, or `update`. */
  title: string;
  connections: number;
  rows: Row[];
}

/** One value for each round. */
export interface Row {
  server: string;
  perSecond: number[];
  p50Ms: number[];
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
    return [...lists, ...(sections.includes("update") ? await compareUpdates(bench, contestants) : [])];
  } finally {
    await Promise.all(contestants.map(({ server }) => server.stop()));
  }
}

/** The main list on all servers, the unfiltered one on a reference server of each size, the others beside bare Express alone. */
async function compareLists({ settings, onStep }: Bench, contestants: readonly Contestant[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  const [fewest, listed, most] = settings.sizes.map(referenceAt);
  for (const title of contestants[0]?.workload.lists.keys() ?? []) {
    const others: Record<string, unknown[]> = { [MAIN_LIST]: [PRISM, MOCK], [UNFILTERED]: [fewest, most] };
    const names = [EXPRESS, listed, ...(others[title] ?? [])];
    const entrants = toEntrants(contestants, ({ lists }) => lists.get(title) ?? []);
    const compared = entrants.filter(({ name }) => names.includes(name));
    for (const connections of title === MAIN_LIST ? settings.connections : [BUSY_CONNECTIONS]) {
      onStep(`list by ${title}, ${connections} connections`);
      comparisons.push(await compare({ title, connections }, compared, settings));
    }
  }
  return comparisons;
}

async function compareUpdates({ settings, onStep }: Bench, contestants: readonly Contestant[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const connections of settings.connections) {
    onStep(`update, ${connections} connections`);
    const entrants = toEntrants(contestants, ({ updates }) => updates);
    comparisons.push(await compare({ title: "update", connections }, entrants, settings));
  }
  return comparisons;
}

function toEntrants(
  contestants: readonly Contestant[],
  toRequests: (workload: Workload) => readonly LoadRequest[],
): Entrant[] {
  return contestants
    .map(({ name, server, workload }) => ({ name, server, requests: toRequests(workload) }))
    .filter(({ requests }) => requests.length > 0);
}

async function compare(
  { title, connections }: Omit<Comparison, "rows">,
  entrants: readonly Entrant[],
  { rounds, seconds }: Settings,
): Promise<Comparison> {
  const turn = async ({ server, requests }: Entrant): Promise<Sample> => {
    const sample = await load({ url: server.url, connections, seconds, requests });
    if (title === "update") await rest(server);
    return sample;
  };

  for (const entrant of entrants) await turn(entrant); // warms up; counts for nothing
  const rows = new Map(entrants.map(({ name }) => [name, toRow(name)]));
  for (let round = 0; round < rounds; round++) {
    for (const entrant of round % 2 === 0 ? entrants : entrants.toReversed()) {
      const { perSecond, p50Ms, failures } = await turn(entrant);
      const row = rows.get(entrant.name) as Row; // each entrant has one
      row.perSecond.push(perSecond);
      row.p50Ms.push(p50Ms);
      row.failures += failures;
    }
  }
  return { title, connections, rows: [...rows.values()] };
}

function toRow(server: string): Row {
  return { server, perSecond: [], p50Ms: [], failures: 0 };
}

/** Waits until a server is idle: ours compacts its journal then, which must not slow the next one's turn. */
async function rest(server: Program): Promise<void> {
  let before: number | undefined;
  let now = await readProcessorMs(server);
  do {
    await pause(REST_MS);
    before = now;
    now = await readProcessorMs(server);
  } while (now !== undefined && before !== undefined && now > before);
}
